import type { PageMessage, SubmitMembers } from '../../src/terminal/protocol/page-message.js';
import {
  type CarriedOutMessage,
  type CharactersMessage,
  decodeServerMessage,
  encodeMessage,
  type FilesMessage,
  type HostMessage,
  type LookedMessage,
  type OperatorMessage,
  type PlayingMessage,
  type PrintedMessage,
  type RefusalMessage,
  type ScreenMessage,
  type ServerMessage,
  type TimeMessage,
  type WatchedMessage,
  type WelcomeMessage,
} from '../../src/terminal/protocol/server-message.js';
import { answerClaims, isTakenElsewhere } from './page-claim.js';
import { forgetOfPage, keepOfPage, ofPage } from './page-storage.js';
import { HOST_LOST } from './session-ending.js';
import { words } from './words/words.js';

export type SessionMessage = ScreenMessage | CarriedOutMessage | RefusalMessage;

/** A submit without an answer; its fields are encrypted again for each attempt. */
interface WaitingSubmit {
  readonly number: number;
  /** It may have reached the server. */
  isSent: boolean;
  isConfirmed: boolean;
  readonly message: (page: number, number: number) => SubmitMembers;
}

interface ConnectionListener {
  message(message: SessionMessage): void;
  macro(message: LookedMessage | PlayingMessage): void;
  characters(message: CharactersMessage): void;
  host(message: HostMessage): void;
  time(message: TimeMessage): void;
  operator(message: OperatorMessage | WatchedMessage): void;
  printed(message: PrintedMessage): void;
  files(message: FilesMessage): void;
  /** The server has confirmed the receipt of all submits. */
  confirmed(): void;
  online(isOnline: boolean): void;
  ended(reason: string, detail: string): void;
  /** WebSockets are blocked, although the server can be reached. @returns true if the page continues without them */
  blocked(): boolean;
  /** A submit from before a reload never arrived. */
  lost(): void;
  revision(): number | undefined;
}

const FIRST_DELAY = 250;
const LONGEST_DELAY = 10_000;
const MOST_FAILURES = 4;
const PAGE = 'page';
const ANSWER_MILLISECONDS = 3_000;
/** Time after which a server without an answer is probed. */
const SILENT_MILLISECONDS = 3_000;

/** WebSocket connection to the server. It reconnects without losing or repeating submits. */
export class ServerConnection {
  readonly #address: string;
  readonly #listener: ConnectionListener;
  #socket: WebSocket | undefined;
  #page: number | undefined;
  #lastNumber = 0;
  readonly #waiting: WaitingSubmit[] = [];
  #delay = FIRST_DELAY;
  #failures = 0;
  #timer: number | undefined;
  #probe: number | undefined;
  /** Time of the last message or of the connection start (`performance.now()`). */
  #heard = 0;
  #over = false;
  /** The server's record of the displayed screen is wrong: request the whole screen. */
  #wantsWhole = false;

  constructor(path: string, listener: ConnectionListener) {
    this.#address = `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`;
    this.#listener = listener;
    const [page, number] = remembered(path);
    this.#page = page;
    this.#lastNumber = number;
    this.#path = path;
    addEventListener('online', () => this.#lookNow());
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#lookNow();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#lookNow();
    });
  }

  readonly #path: string;

  /** Connects. A reloaded page keeps its number unless another tab uses it. */
  async begin(): Promise<void> {
    if (this.#page !== undefined && (await isTakenElsewhere(this.#identity()))) {
      this.#page = undefined;
      this.#lastNumber = 0;
    }
    answerClaims(() => (this.#page === undefined ? undefined : this.#identity()));
    this.connect();
  }

  #identity(): string {
    return `${this.#path} ${this.#page}`;
  }

  connect(): void {
    if (this.#over || this.#socket !== undefined) return;
    const socket = new WebSocket(this.#address);
    let opened = false;
    this.#socket = socket;
    const giveUp = window.setTimeout(() => socket.close(), LONGEST_DELAY);
    socket.addEventListener('open', () => {
      opened = true;
      clearTimeout(giveUp);
      this.#heard = performance.now();
      this.#delay = FIRST_DELAY;
      this.#failures = 0;
      socket.send(
        encodeMessage({ k: 'h', p: this.#page, r: this.#wantsWhole ? undefined : this.#listener.revision() }),
      );
    });
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket !== socket) return;
      this.#heard = performance.now();
      this.#endProbe();
      const message = decodeServerMessage(String(data));
      if (message === undefined) this.reconnect();
      else this.#take(message);
    });
    socket.addEventListener('close', () => {
      clearTimeout(giveUp);
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#listener.online(false);
      if (!opened) this.#failures++;
      if (!this.#over) void this.#lookAgain(opened);
    });
  }

  /** Sent once, across reconnects. @param message called for each attempt */
  submit(message: WaitingSubmit['message']): number {
    const number = ++this.#lastNumber;
    this.#remember();
    const waiting = { number, isSent: false, isConfirmed: false, message };
    this.#waiting.push(waiting);
    this.#send(waiting);
    return number;
  }

  /** True if the server has confirmed all submits. */
  get isConfirmed(): boolean {
    return this.#waiting.every(({ isConfirmed }) => isConfirmed);
  }

  /** Called every second while the user waits: a connection may be lost without an event. */
  checkServer(): void {
    if (this.#probe !== undefined || performance.now() - this.#heard < SILENT_MILLISECONDS) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#startProbe(this.#socket);
  }

  get page(): number | undefined {
    return this.#page;
  }

  /** Sends a message that is not repeated after a loss. */
  send(message: PageMessage): void {
    if (this.#page !== undefined && this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(encodeMessage(message));
  }

  /** Requests the remaining time of the session. @param isUserThere resets it */
  askTime(isUserThere: boolean): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(encodeMessage({ k: 'q', y: isUserThere ? 1 : undefined }));
  }

  reconnect(): void {
    this.#wantsWhole = true;
    this.#socket?.close();
  }

  close(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#endProbe();
    this.#socket?.close();
  }

  #take(message: ServerMessage): void {
    switch (message.k) {
      case 'w':
        this.#welcome(message);
        break;
      case 'i':
        this.#listener.host(message);
        break;
      case 'g':
        for (const waiting of this.#waiting) if (waiting.number <= message.i) waiting.isConfirmed = true;
        this.#listener.confirmed();
        break;
      case 'c':
        this.#listener.characters(message);
        break;
      case 'a':
      case 'r': {
        const at = this.#waiting.findIndex(({ number }) => number === message.i);
        if (at >= 0) this.#waiting.splice(at, 1);
        this.#listener.message(message);
        break;
      }
      case 'e':
        this.#over = true;
        forgetOfPage(PAGE, this.#path);
        this.#listener.ended(message.c === 'failed' ? HOST_LOST : message.e, message.m ?? '');
        break;
      case 'm':
      case 'x':
        this.#listener.macro(message);
        break;
      case 'n':
      case 'v':
        this.#listener.operator(message);
        break;
      case 'p':
        this.#listener.printed(message);
        break;
      case 'f':
        this.#listener.files(message);
        break;
      case 's':
        this.#wantsWhole = false;
        this.#listener.message(message);
        break;
      case 'd':
        this.#listener.message(message);
        break;
      case 't':
        this.#listener.time(message);
    }
  }

  #welcome({ p: page, i: carriedOut, e, m = '' }: WelcomeMessage): void {
    const isKnown = page === this.#page;
    // submits from before a reload without an answer
    if (isKnown && this.#waiting.length === 0 && this.#lastNumber > carriedOut) this.#listener.lost();
    this.#page = page;
    if (!isKnown) {
      this.#lastNumber = carriedOut;
      this.#giveUpSent();
      for (const [at, waiting] of this.#waiting.entries()) {
        this.#waiting[at] = { ...waiting, number: ++this.#lastNumber };
      }
    } else {
      if (this.#waiting.length === 0) this.#lastNumber = Math.max(this.#lastNumber, carriedOut);
      this.#forgetCarriedOut(carriedOut, e === undefined ? undefined : { k: 'r', i: carriedOut, e, m });
    }
    this.#remember();
    this.#listener.online(true);
    this.askTime(false);
    for (const waiting of this.#waiting) this.#send(waiting);
  }

  /** Removes processed submits. Their answers were lost; the next screen may be their result. */
  #forgetCarriedOut(last: number, refusal: RefusalMessage | undefined): void {
    for (let [first] = this.#waiting; first !== undefined && first.number <= last; [first] = this.#waiting) {
      this.#waiting.shift();
      this.#listener.message(first.number === last && refusal ? refusal : { k: 'a', i: first.number });
    }
  }

  /** Drops submits that may have arrived: a server without a record of this page could process them twice. */
  #giveUpSent(): void {
    for (let [first] = this.#waiting; first?.isSent === true; [first] = this.#waiting) {
      this.#waiting.shift();
      this.#listener.message({ k: 'r', i: first.number, e: '', m: words('connection.unconfirmed') });
    }
  }

  #send(waiting: WaitingSubmit): void {
    const page = this.#page;
    if (page === undefined || this.#socket?.readyState !== WebSocket.OPEN) return;
    const { number, message } = waiting;
    waiting.isSent = true;
    this.#socket.send(encodeMessage({ k: 'k', i: number, ...message(page, number) }));
  }

  /** Checks if the session still exists: a rejected WebSocket does not tell. */
  async #lookAgain(wasOpen: boolean): Promise<void> {
    if (!wasOpen) {
      try {
        const { status } = await fetch(this.#path.replace('++', '++Validate'), {
          cache: 'no-store',
          signal: AbortSignal.timeout(LONGEST_DELAY),
        });
        if (status === 404) {
          this.#over = true;
          this.#listener.ended('unknown', '');
          return;
        }
        // a proxy without its server: WebSockets may work later
        if (status >= 500) this.#failures = 0;
        if (this.#failures >= MOST_FAILURES && this.#listener.blocked()) {
          this.#over = true;
          return;
        }
      } catch {
        // no network: the next attempt will show
        this.#failures = 0;
      }
    }
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }

  /** The page is visible again: after sleep a connection may be lost without an event. */
  #lookNow(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#startProbe(this.#socket);
      return;
    }
    if (this.#over || this.#socket !== undefined) return;
    clearTimeout(this.#timer);
    this.#delay = FIRST_DELAY;
    this.connect();
  }

  /** Sends a request and treats the connection as lost without an answer. */
  #startProbe(socket: WebSocket): void {
    this.#endProbe();
    this.#probe = window.setTimeout(() => {
      this.#probe = undefined;
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      socket.close();
      this.#listener.online(false);
      this.connect();
    }, ANSWER_MILLISECONDS);
    this.askTime(false);
  }

  #endProbe(): void {
    clearTimeout(this.#probe);
    this.#probe = undefined;
  }

  /** Stores the page number and the last submit number for a reload, but not the submits. */
  #remember(): void {
    keepOfPage(PAGE, this.#path, [this.#page, this.#lastNumber]);
  }
}

function remembered(path: string): readonly [page: number | undefined, number: number] {
  const kept = ofPage(PAGE, path);
  const [page, number] = Array.isArray(kept) ? (kept as unknown[]) : [];
  return typeof page === 'number' && typeof number === 'number' ? [page, number] : [undefined, 0];
}
