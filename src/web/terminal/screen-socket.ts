import type { WebSocket } from 'ws';
import { ServiceError } from '../../lib/errors.js';
import { type Detail, detailText, type Language } from '../../lib/locale.js';
import type { Log } from '../../lib/log/log.js';
import type { Metrics } from '../../lib/metrics.js';
import { FairTurns } from '../../lib/turns/fair-turns.js';
import type { DocumentFacts } from '../../printing/spool-store.js';
import type { BrowserSession, SessionWatcher } from '../../sessions/browser-session.js';
import { noticeOfHost } from '../../sessions/session-notice.js';
import type { SessionSupervision } from '../../sessions/session-supervision.js';
import { charactersMessage, type ScreenCircumstances, SentScreen } from '../../terminal/protocol/sent-screen.js';
import {
  encodeMessage,
  type LockCode,
  type LookAnswer,
  programCheckLock,
  type ServerMessage,
} from '../../terminal/protocol/server-message.js';
import { refuse } from '../sessions/session-page-router.js';
import { visiblePrinterOf } from '../sessions/session-printing.js';
import { viewOf } from '../sessions/view-state.js';
import type { FrameTrace } from './frame-trace.js';
import type { RunningMacro } from './running-macro.js';
import { readScreenRequest, type ScreenRequest } from './screen-request.js';
import type { SocketPages } from './socket-pages.js';

const NONE = { number: 0, pages: 0 } as const;

/** Notifies one page of a session of the newest document that its printer has ready, once per document. */
class PrintNotices {
  readonly #session: BrowserSession;
  readonly #send: (message: ServerMessage) => void;
  readonly #unwatch: (() => void) | undefined;
  #told: number | undefined;

  constructor(session: BrowserSession, send: (message: ServerMessage) => void) {
    this.#session = session;
    this.#send = send;
    this.#unwatch = viewOf(session).printer?.watch(() => void this.tell());
  }

  async tell(): Promise<void> {
    const { site } = viewOf(this.#session);
    const printer = site && (await visiblePrinterOf(site, this.#session));
    const document: DocumentFacts | undefined = printer?.list()[0];
    if (printer === undefined) return;
    const waiting = document !== undefined && printer.waits(document) ? document : undefined;
    const { number, pages } = waiting ?? NONE;
    if (number === this.#told) return;
    this.#told = number;
    this.#send({ k: 'p', i: number, n: pages });
  }

  end(): void {
    this.#unwatch?.();
  }
}

const NOBODY = JSON.stringify([[], []]);

class OperatorNotices {
  readonly #supervision: SessionSupervision;
  readonly #send: (message: ServerMessage) => void;
  #lastMessage = 0;
  #watching = NOBODY;

  constructor(supervision: SessionSupervision, send: (message: ServerMessage) => void) {
    this.#supervision = supervision;
    this.#send = send;
  }

  tell(): void {
    const { messages, watchedBy, tracedBy } = this.#supervision;
    for (const { number, from, text } of messages) {
      if (number <= this.#lastMessage) continue;
      this.#lastMessage = number;
      this.#send({ k: 'n', i: number, b: from, m: text });
    }
    const watching = JSON.stringify([watchedBy, tracedBy]);
    if (watching === this.#watching) return;
    this.#watching = watching;
    this.#send({ k: 'v', b: namesOf(watchedBy), t: namesOf(tracedBy) });
  }
}

function namesOf(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}

/** Submits of a page that wait for the host or a previous submit. A page of this server sends fewer. */
const MOST_WAITING_SUBMITS = 32;
/** Unread bytes of a page. If there are more, the network is gone or the page is not one of this server. */
const MOST_UNREAD_BYTES = 1 << 20;
const POLICY_VIOLATION = 1008;
const NORMAL = 1000;

type LookRequest = Extract<ScreenRequest, { kind: 'look' }>;
type KeyRequest = Extract<ScreenRequest, { kind: 'key' }>;

interface SocketSurroundings {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of the user. */
  readonly language: Language;
  readonly frames: FrameTrace;
  readonly client: string;
}

/**
 * One page of a session, connected by WebSocket. It receives one update at a time, so a slow page skips to the newest
 * screen.
 */
export class ScreenSocket implements SessionWatcher {
  readonly #socket: WebSocket;
  readonly #session: BrowserSession;
  readonly #code: string;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #language: Language;
  readonly #frames: FrameTrace;
  readonly #client: string;
  readonly #pages: SocketPages;
  #unwatch: (() => void) | undefined;
  readonly #sent = new SentScreen();
  readonly #macros: RunningMacro;
  #unwatchMacros: (() => void) | undefined;
  readonly #operators: OperatorNotices;
  readonly #prints: PrintNotices;
  #unlisten: (() => void) | undefined;
  /** Answers to macros, sent after the screen that they refer to. */
  readonly #answers: ServerMessage[] = [];
  #page = 0;
  #greeted = false;
  #sending = false;
  #scheduled = false;
  #waiting = 0;
  #told = '';
  #turn: Promise<void> = Promise.resolve();

  /** @param code as the page wrote it, because encrypted values may be bound to it */
  constructor(
    socket: WebSocket,
    session: BrowserSession,
    code: string,
    { log, metrics, language, frames, client }: SocketSurroundings,
  ) {
    this.#socket = socket;
    this.#session = session;
    this.#code = code;
    this.#log = log;
    this.#metrics = metrics;
    this.#language = language;
    this.#frames = frames;
    this.#client = client;
    const view = viewOf(session);
    this.#pages = view.socketPages;
    this.#macros = view.macros;
    this.#operators = new OperatorNotices(session.supervision, (message) => this.#send(message));
    this.#prints = new PrintNotices(session, (message) => this.#send(message));
    socket.on('message', (data, isBinary) => {
      frames.received(data);
      this.#take(data.toString(), isBinary);
    });
    socket.on('close', () => {
      this.#unwatch?.();
      this.#unwatchMacros?.();
      this.#unlisten?.();
      this.#prints.end();
      this.#macros.end(this);
    });
    socket.on('error', (error) =>
      log.debug({ ...session.logged, reason: error.message }, 'the WebSocket of a page failed'),
    );
    this.#unwatch = session.watch(this);
    session.seen();
  }

  changed(): void {
    if (this.#scheduled || !this.#greeted) return;
    this.#scheduled = true;
    FairTurns.ofClients.queue(this.#client, () => {
      this.#scheduled = false;
      this.#tellHost();
      this.#push();
      return true;
    });
  }

  ended({
    kind,
    detail,
    cause,
  }: {
    readonly kind: string;
    readonly detail?: Detail | undefined;
    readonly cause?: string;
  }): void {
    this.#unwatch = undefined;
    this.#send({
      k: 'e',
      e: kind,
      c: cause === 'failed' || cause === 'otherProtocol' ? 'failed' : undefined,
      m: detail === undefined || saysNoMore(detail) ? undefined : detailText(detail, this.#language),
    });
    this.#socket.close(NORMAL);
  }

  #take(text: string, isBinary: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const request = isBinary ? undefined : readScreenRequest(text);
    if (request === undefined || (request.kind === 'hello') === this.#greeted) {
      this.#socket.close(POLICY_VIOLATION, 'not a message of the protocol');
    } else if (request.kind === 'hello') {
      this.#greet(request.page, request.revision);
    } else if (request.kind === 'time') {
      if (request.isUserThere) this.#session.seen();
      this.#tellTime();
    } else if (request.kind === 'macro') {
      this.#playMacro(request.name);
    } else if (this.#waiting >= MOST_WAITING_SUBMITS) {
      this.#socket.close(POLICY_VIOLATION, 'too many submits');
    } else {
      this.#waiting++;
      let isOver = false;
      this.#turn = this.#turn
        .then(() => this.#doInTurn(request))
        .finally(() => {
          isOver = true;
          this.#waiting--;
        });
      if (request.kind !== 'key') return;
      // acknowledges a waiting key, so that the page can show that the server has it
      setImmediate(() => {
        if (!isOver) this.#send({ k: 'g', i: request.number });
      });
    }
  }

  get page(): number {
    return this.#page;
  }

  readonly #tellMacro = (playing: { readonly name: string; readonly page: number } | undefined): void => {
    this.#send({ k: 'm', n: playing?.name, p: playing?.page });
  };

  #playMacro(name: string | undefined): void {
    if (name === undefined) this.#macros.end(this);
    else this.#macros.begin(this, name, this.#tellMacro);
  }

  async #doInTurn(request: KeyRequest | LookRequest): Promise<void> {
    if (request.kind === 'key') await this.#carryOut(request);
    // other messages may be sent while a macro waits, for example the end of the session
    else void this.#look(request);
  }

  /** Macro questions refer to the screen after the previous submits. */
  async #look({ number, question }: LookRequest): Promise<void> {
    try {
      const answer = await this.#macros.look(this, question);
      if (answer === undefined) return;
      this.#answers.push(lookedMessage(number, answer));
      this.#push();
    } catch (error) {
      this.#log.error({ ...this.#session.logged, err: error }, 'a macro was not answered');
    }
  }

  #greet(page: number | undefined, revision: number | undefined): void {
    this.#greeted = true;
    const known = page === undefined ? undefined : this.#pages.find(page);
    this.#page = page !== undefined && known ? page : this.#pages.begin(this.#session.answer.key);
    const { e, m } = known?.refusal ?? {};
    this.#send({ k: 'w', p: this.#page, i: known?.submit ?? 0, e, m });
    this.#tellHost();
    const { screen } = this.#session;
    this.#send(charactersMessage(screen.state));
    // a known page still shows the screen of this revision
    if (known && revision === screen.state.revision) this.#sent.adopt(screen.image, this.#circumstances());
    this.#push();
    this.#unwatchMacros = this.#macros.watch(this.#tellMacro);
    this.#unlisten = this.#session.supervision.listen(() => this.#operators.tell());
    this.#operators.tell();
    void this.#prints.tell();
    void this.#tellFiles();
  }

  /** Offers file transfer on the page. Each transfer checks the permission again. */
  async #tellFiles(): Promise<void> {
    const rule = await this.#session.guarded.transferRule();
    if (rule !== undefined) this.#send({ k: 'f', n: rule.mostBytes });
  }

  #tellTime(): void {
    const { remainingMilliseconds, idleMilliseconds } = this.#session.use;
    const seconds = (milliseconds: number | undefined) =>
      milliseconds === undefined ? undefined : Math.floor(milliseconds / 1_000);
    this.#send({ k: 't', s: seconds(remainingMilliseconds), n: seconds(idleMilliseconds) });
  }

  async #carryOut({ number, isTypedAhead, key, submission }: KeyRequest): Promise<void> {
    const page = this.#pages.find(this.#page);
    if (page === undefined) {
      // removed in favour of newer pages; it reconnects as a new page and reports its unanswered submit
      this.#socket.close(POLICY_VIOLATION, 'too many pages');
      return;
    }
    if (number <= page.submit) {
      this.#send(number === page.submit && page.refusal ? page.refusal : { k: 'a', i: number });
      return;
    }
    this.#pages.answered(this.#page, number);
    if (key.kind === 'disconnect') {
      this.#session.disconnect();
      return;
    }
    try {
      const requestNumber = `${this.#page}.${number}`;
      const base = isTypedAhead ? { answerTo: page.key } : submission.base;
      refuse(await this.#session.guarded.enter({ key, ...submission, base, sessionCode: this.#code, requestNumber }));
      this.#pages.pressed(this.#page, this.#session.answer.key);
      this.#send({ k: 'a', i: number });
    } catch (error) {
      const refusal =
        error instanceof ServiceError ? error : new ServiceError('SVC_ERR_SERVICE_FAILED', { cause: error });
      if (refusal.code === 'SVC_ERR_SERVICE_FAILED') this.#log.error({ ...this.#session.logged, err: error }, 'submit');
      const told = { k: 'r', i: number, e: refusal.code, m: refusal.publicTextIn(this.#language) } as const;
      this.#pages.refused(this.#page, told);
      this.#send(told);
    }
  }

  #push(): void {
    if (this.#sending || !this.#greeted || this.#session.isHidden) return;
    const { screen } = this.#session;
    const circumstances = this.#circumstances();
    if (!this.#sent.shows(screen.state.revision, circumstances)) {
      this.#sending = true;
      const message = this.#sent.update(screen.image, circumstances);
      // a character of a screen has one or two bytes
      this.#metrics.screenUpdated(message.length);
      this.#write(message, () => {
        this.#sending = false;
        this.#push();
      });
    }
    for (const answer of this.#answers.splice(0)) this.#send(answer);
  }

  /** The logical unit is known after the negotiation, and so is TLS if the host requests it. */
  #tellHost(): void {
    const { facts, conversation, options, end } = this.#session;
    if (end !== undefined) return;
    const { deviceName: d, secured: v } = conversation;
    const message: ServerMessage = { k: 'i', h: facts.application, m: options.host.model.terminalType, d, v };
    const text = encodeMessage(message);
    if (text === this.#told) return;
    this.#told = text;
    this.#write(text);
  }

  #circumstances(): ScreenCircumstances {
    return { lock: lockOf(this.#session), notice: noticeOfHost(this.#session, this.#language) };
  }

  #send(message: ServerMessage): void {
    this.#write(encodeMessage(message));
  }

  /**
   * Terminates a page with too much unread data. Updates caused by other pages count too, so even a page that sends
   * nothing can reach the limit.
   */
  #write(text: string, written: () => void = () => undefined): void {
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) {
      this.#socket.terminate();
      return;
    }
    this.#frames.sent(text);
    this.#socket.send(text, written);
  }
}

function lockOf({ screen }: BrowserSession): LockCode {
  const { noPartner, waitingForHost, operatorError, programCheck, programCheckCount } = screen.state.operator;
  if (noPartner) return 2;
  if (programCheck !== undefined) return programCheckLock(programCheck, programCheckCount);
  if (waitingForHost) return 1;
  return operatorError ?? 0;
}

function lookedMessage(number: number, answer: LookAnswer): ServerMessage {
  const message = { k: 'x', i: number, e: answer.kind } as const;
  if (answer.kind === 'done') return { ...message, s: answer.screen, v: answer.text };
  return answer.kind === 'otherScreen' ? { ...message, d: answer.missing } : message;
}

/** True if the kind of the end says the same. */
function saysNoMore(detail: Detail): boolean {
  return typeof detail === 'object' && 'code' in detail && detail.code === 'end.hostEnded';
}
