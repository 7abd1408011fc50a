import { capitalOf } from '../lib/text/characters.js';
import { Conversation } from '../tn3270/conversation/conversation.js';
import type { WaitEnd } from '../tn3270/conversation/waiters.js';
import type { ConnectionStep, HostConnection } from '../tn3270/host/host-connection.js';
import { allFunctions, type HostSessionOptions } from '../tn3270/host/host-session-options.js';
import type { HostTrace } from '../tn3270/host/host-trace.js';
import type { Screen } from '../tn3270/screen/screen.js';
import type { EntryRules } from '../tn3270/screen/screen-entry.js';
import { DEFAULT_SIZE, type ScreenSize } from '../tn3270/screen/screen-size.js';
import { ActionError, connectionFailure } from './action-error.js';
import type { NamedHost } from './host-name.js';
import { type ScreenPicture, ScreenView, takePicture } from './screen-picture.js';
import type { ScreenTrace } from './screen-trace.js';
import type { ScriptTools } from './script-tools.js';
import { statusFields } from './status-line.js';
import { environmentByName, newEnvironment, type TerminalKind, terminalNames } from './terminal-identity.js';
import type { Toggles } from './toggles.js';
import type { TransferWords } from './transfer-keywords.js';

const RECONNECT_MILLISECONDS = 2_000;

/** A host that is gone, and is to be connected with anew in a while. */
class WaitingReconnect {
  #timer: NodeJS.Timeout | undefined;

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  begin(reconnect: () => Promise<void>): void {
    this.#timer = setTimeout(() => {
      this.cancel();
      reconnect().catch(() => undefined);
    }, RECONNECT_MILLISECONDS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** What of a line terminal's text is kept for scripts: the last of it. */
const MOST_CHARACTERS = 8_192;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };

/** The text that a line terminal's host has sent and no script has read. */
class LineText {
  #text = '';

  add(bytes: Uint8Array): void {
    this.#text = (this.#text + Buffer.from(bytes).toString('utf8')).slice(-MOST_CHARACTERS);
  }

  /** All of it, with controls as C writes them; gone afterwards. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text.replace(/\p{Cc}/gu, (control) => {
      return named[control] ?? `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`;
    });
  }

  /** Whether a text has come; what stands before it, and the text itself, are gone then. */
  takePast(text: string): boolean {
    const at = this.#text.indexOf(text);
    if (at < 0) return false;
    this.#text = this.#text.slice(at + text.length);
    return true;
  }
}

const written = ({ rows, columns }: ScreenSize) => `${rows}x${columns}`;

/**
 * Judges a size that a BIND names: it has at least the rows and columns of model 2, and at most those of the terminal. What is wrong is
 * told in the words of s3270 4.1 (tried).
 */
function boundSizeJudge(most: ScreenSize, tell: (fault: string) => void) {
  return (size: ScreenSize, use: 'default' | 'alternate'): boolean => {
    const isTooLarge = size.rows > most.rows || size.columns > most.columns;
    const isTooSmall = size.rows < DEFAULT_SIZE.rows || size.columns < DEFAULT_SIZE.columns;
    if (!isTooLarge && !isTooSmall) return true;
    const bound = isTooLarge ? `> Maximum ${written(most)}` : `< Minimum ${written(DEFAULT_SIZE)}`;
    const name = use === 'default' ? 'Default' : 'Alternate';
    tell(`Ignoring invalid BIND image screen size parameters:\n BIND ${name} Rows-Cols ${written(size)} ${bound}\n`);
    return false;
  };
}

/** What a terminal is before it has a host. */
interface ScriptedTerminalOptions {
  readonly toggles: Toggles;
  readonly tools: ScriptTools<ScriptedTerminal>;
  /** The command line, for those who ask. */
  readonly commandLine: string;
  /** For what `Transfer` is not told. */
  readonly transferDefaults: TransferWords;
  readonly version: string;
  /** The body of the reply for RPQ names. */
  readonly rpqNames: (ownAddress: string | undefined) => readonly number[];
  /** For express logon. */
  readonly applicationId: string;
  /** The kind that the settings ask for. @throws ActionError */
  readonly kindOf: (toggles: Toggles) => TerminalKind;
  /** How a host is connected to, as the settings say now. @throws ActionError */
  readonly connectionTo: (host: NamedHost, reached: (next: ConnectionStep) => void) => HostSessionOptions['connect'];
  readonly startTls: (host: NamedHost, connection: HostConnection, signal: AbortSignal) => Promise<void>;
}

interface ConnectedHost extends NamedHost {
  readonly since: number;
}

/** After its first record a host may take so long for a screen with something on it. */
const FIRST_SCREEN_MILLISECONDS = 1_000;
/** How long a disconnected host may take to say so. */
const STOP_MILLISECONDS = 5_000;

/** A terminal as scripts of s3270 know it: it outlives its connections, and keeps the screen that the last one has left. */
export class ScriptedTerminal {
  readonly options: ScriptedTerminalOptions;
  /** Peers that are known as long as they send actions. */
  readonly scripts = new Set<{ readonly tasks: readonly string[]; readonly queued: string | undefined }>();
  readonly lineText = new LineText();
  #kind: TerminalKind;
  #conversation: Conversation;
  #connection: HostConnection | undefined;
  #step: ConnectionStep | undefined;
  #host: ConnectedHost | undefined;
  /** For Reconnect. */
  #lastHost: NamedHost | undefined;
  /** When a script has begun a line last, of `performance.now()`. */
  actedAt = performance.now();
  /** Of the screen when a script read it last; below 0 where none has. */
  readAt = -1;
  /** The screen as the last connection has left it. */
  #leftBehind: ScreenPicture | undefined;
  /** The screen from before the connection. */
  #before: ScreenPicture | undefined;
  /** The script has ended the connection, and not the host. */
  #isLeaving = false;
  #trace: HostTrace | undefined;
  #over: () => void = () => undefined;
  readonly #waiting = new WaitingReconnect();
  /** What `SaveInput` keeps, by the names that it was given. */
  readonly savedInputs = new Map<string, ReadonlyArray<{ readonly start: number; readonly text: string }>>();
  /** What `Snap` keeps. */
  saved: ScreenPicture | undefined;
  traceFile: string | undefined;
  screenTrace: ScreenTrace | undefined;
  /** The host of the command line may still draw its first screen. */
  isMeeting = false;
  /** Quit was asked for: nothing more is read. */
  isOver = false;
  /** Settled when Quit was asked for. */
  readonly over = new Promise<void>((resolve) => {
    this.#over = resolve;
  });

  constructor(options: ScriptedTerminalOptions) {
    this.options = options;
    this.#kind = options.kindOf(options.toggles);
    this.#conversation = this.#conversationWith();
    // larger only when a host or a setting has said so
    this.screen.state.space.resize(this.screen.state.space.defaultSize);
  }

  get kind(): TerminalKind {
    return this.#kind;
  }

  get tools(): ScriptTools<ScriptedTerminal> {
    return this.options.tools;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get screen(): Screen {
    return this.#conversation.screen;
  }

  /** The host that there is a connection with. */
  get host(): ConnectedHost | undefined {
    return this.isConnected ? this.#host : undefined;
  }

  /** The certificate of the host, where there is one. */
  get connection(): HostConnection | undefined {
    return this.isConnected ? this.#connection : undefined;
  }

  get isConnected(): boolean {
    return this.#host !== undefined && this.#conversation.end === undefined;
  }

  /** The host is gone, and will be connected with anew. */
  get isReconnecting(): boolean {
    return this.#waiting.isWaiting;
  }

  /** What the connection waits for; undefined: somebody who takes it. */
  get step(): ConnectionStep | undefined {
    return this.#step;
  }

  /** 3270 or the host's services; a line terminal is none. */
  get isIn3270Mode(): boolean {
    const { partner } = this.screen;
    return this.isConnected && (partner === 'application' || partner === 'services');
  }

  get isInLineMode(): boolean {
    return this.isConnected && this.screen.partner === 'line';
  }

  /** The host has written since a script read the screen last, or it never did. */
  get hasOutputSinceRead(): boolean {
    return this.screen.state.hostWrites > Math.max(this.readAt, 0);
  }

  /** The name of the program that has bound the session. */
  get primaryName(): string | undefined {
    const name = this.isConnected ? this.#conversation.primaryName : undefined;
    return name && this.#kind.codePage.decode(name).trimEnd();
  }

  /** Of hosts that name none. */
  get defaultPort(): number {
    return Number(this.options.toggles.get('port')) || TELNET_PORT;
  }

  quit(): void {
    this.isOver = true;
    if (!this.isConnected) this.#conversation.stop();
    this.#over();
  }

  /** A picture of the screen; without a host, of the screen that Disconnect has left. */
  look(): ScreenPicture {
    return this.options.toggles.isOn('monoCase') ? inCapitals(this.print()) : this.print();
  }

  /** A picture in the case in which the host and the user have written. */
  print(): ScreenPicture {
    return (this.isConnected ? undefined : this.#leftBehind) ?? takePicture(this.screen, this.status);
  }

  /** A picture for a script, which has seen what the host wrote then. */
  read(): ScreenPicture {
    this.readAt = this.screen.state.hostWrites;
    return this.look();
  }

  /** The same for a script that looks at it now and keeps nothing of it. */
  view(): ScreenPicture {
    if (!this.isConnected || this.options.toggles.isOn('monoCase')) return this.read();
    this.readAt = this.screen.state.hostWrites;
    return new ScreenView(this.screen, this.status);
  }

  /** The first eleven fields of the status line. */
  get status(): string {
    return (this.isConnected ? undefined : this.#leftBehind?.status) ?? this.#statusOf(this.host);
  }

  /**
   * Another model or code page, as the settings say now.
   * @throws ActionError where there is none such, or there is a host
   */
  changeKind(): void {
    if (this.isConnected) throw new ActionError('Cannot change model or oversize while connected');
    this.#kind = this.options.kindOf(this.options.toggles);
    this.#leftBehind = undefined;
    this.#host = undefined;
    this.#takeUp(this.#conversationWith());
  }

  /** Another code page, which a connection can have where it has double-byte characters if the one before has. @throws ActionError */
  changeCodePage(): void {
    const { codePage, codePageName } = this.options.kindOf(this.options.toggles);
    const { state } = this.screen;
    if (state.doubleByte !== (codePage.doubleByte !== undefined))
      throw new ActionError("Can't change DBCS modes while connected");
    this.#kind = { ...this.#kind, codePage, codePageName };
    state.codePage = codePage;
    state.revision++;
  }

  /** One that has not been stopped is kept for ever, as if its host could still speak. */
  #takeUp(conversation: Conversation): void {
    this.#conversation.stop();
    this.#conversation = conversation;
  }

  /** @param tools of the script that asks for it */
  trace(file: string | undefined, tools = this.tools): void {
    this.#trace = file === undefined ? undefined : tools.traceInto(file);
    this.traceFile = file?.replace(/^>>/, '');
    this.options.toggles.set('trace', String(file !== undefined));
    this.#conversation.ownTrace = this.#trace;
  }

  traceScreens(trace: ScreenTrace | undefined): void {
    this.screenTrace?.end(this.look());
    this.screenTrace = trace;
    this.options.toggles.set('screenTrace', String(trace !== undefined));
  }

  /**
   * Resolves when the host has given the terminal something to act on.
   * @throws ActionError where there is a connection already, or none comes about
   */
  async connect(host: NamedHost): Promise<void> {
    this.#begin(host);
    const isThere = () =>
      this.isInLineMode || this.#conversation.isReady || this.#conversation.programCheck !== undefined;
    const isMet = () => !host.waitsForOutput && this.isIn3270Mode;
    const end = await this.waitUntil(() => isThere() || this.screen.records > 0 || isMet());
    if (end !== 'holds') throw connectionFailure(this.#conversation.end);
    if (!host.waitsForOutput) return;
    // a host asks first what the terminal can do, as a rule; a screen without anything on it is a screen, too
    await this.waitUntil(isThere, FIRST_SCREEN_MILLISECONDS);
  }

  /** Resolves when host and terminal have agreed on what they are, and the host has had time for its first screen. @throws ActionError */
  async meet(host: NamedHost): Promise<void> {
    this.#begin(host);
    this.isMeeting = true;
    const isThere = () => this.isInLineMode || this.#conversation.isReady;
    const end = await this.waitUntil(() => this.isIn3270Mode || this.isInLineMode);
    if (end === 'holds') await this.waitUntil(isThere, FIRST_SCREEN_MILLISECONDS);
    this.isMeeting = false;
    if (end !== 'holds') throw connectionFailure(this.#conversation.end);
  }

  #begin(host: NamedHost): void {
    if (this.isReconnecting) throw new ActionError('Reconnect in progress');
    if (this.isConnected) throw new ActionError('Already connected');
    const connect = this.options.connectionTo(host, (next) => this.#reached(next));
    this.#lastHost = host;
    this.#host = { ...host, since: Date.now() };
    this.actedAt = performance.now();
    this.readAt = -1;
    this.#before = this.#leftBehind ?? takePicture(this.screen, this.#statusOf(undefined));
    this.#connection = undefined;
    this.#step = undefined;
    this.#leftBehind = undefined;
    this.#isLeaving = false;
    const isLineTerminal = host.isLineTerminal || this.options.toggles.isOn('nvt');
    const agreed = isLineTerminal ? { ...host, isLineTerminal, tn3270e: false } : host;
    this.#takeUp(this.#conversationWith(agreed, connect));
    this.screen.state.space.resize(this.screen.state.space.defaultSize);
    this.#conversation.connect();
  }

  /** Someone is there: the screen is cleared for the host. */
  #reached(next: ConnectionStep): void {
    const { space } = this.screen.state;
    if (this.#step === undefined) space.resize(space.alternateSize);
    this.#step = next;
    this.#before = undefined;
  }

  async reconnect(): Promise<void> {
    if (this.isConnected) throw new ActionError('Reconnect(): Already connected');
    if (this.#lastHost === undefined) throw new ActionError('Reconnect(): No previous host to connect to');
    await this.connect(this.#lastHost);
  }

  async disconnect(): Promise<void> {
    this.#waiting.cancel();
    if (!this.isConnected) return;
    this.#isLeaving = true;
    this.#leftBehind = takePicture(this.screen, this.#statusOf(undefined));
    this.#conversation.stop();
    await this.#conversation.waitUntil(() => false, { withinMilliseconds: STOP_MILLISECONDS });
  }

  /** Waits until the host has given the keyboard back, if it has it, or is gone. */
  async unlocked(): Promise<void> {
    const isFree = () => {
      const { partner, state } = this.screen;
      return !state.operator.waitingForHost && partner !== 'none' && partner !== 'unbound';
    };
    await this.waitUntil(isFree);
  }

  waitUntil(holds: () => boolean, withinMilliseconds?: number): Promise<WaitEnd> {
    return this.#conversation.waitUntil(holds, { withinMilliseconds });
  }

  #statusOf(host: NamedHost | undefined): string {
    const { modelNumber } = this.#kind;
    return statusFields({ screen: this.screen, modelNumber, host, isLineMode: !this.screen.hostEchoes });
  }

  /** The host is gone: some want it back. */
  #ended(): void {
    const { toggles } = this.options;
    const isRetried = toggles.isOn('retry') && this.#connection === undefined;
    const isWanted = toggles.isOn('reconnect') || isRetried;
    if (!isWanted || this.#isLeaving || this.isOver || this.#lastHost === undefined) return;
    this.#waiting.begin(() => this.reconnect());
  }

  #conversationWith(host?: NamedHost, connect?: HostSessionOptions['connect']): Conversation {
    const { toggles, rpqNames, applicationId, startTls } = this.options;
    const { model, codePage } = this.#kind;
    const resolvesContention = toggles.isOn('contentionResolution');
    const conversation: Conversation = new Conversation(
      {
        model: {
          ...model,
          ...terminalNames(model, host, toggles.get('termName')),
          rpqNames: () => rpqNames(this.#connection?.ownAddress),
        },
        codePage,
        entryRules: entryRulesOf(toggles),
        deviceNames: host?.deviceNames ?? [],
        tn3270e: host?.tn3270e ?? true,
        functions: resolvesContention ? allFunctions : allFunctions.filter((name) => name !== 'contentionResolution'),
        environment: newEnvironment(toggles, host?.user, applicationId),
        environmentByName: environmentByName(codePage.number),
        connect: async (handler, signal) => {
          if (connect === undefined) throw new Error('no host');
          this.#connection = await connect(handler, signal);
          this.#reached('host');
          return this.#connection;
        },
        startTls:
          host === undefined || !toggles.isOn('startTls')
            ? undefined
            : (connection, signal) => startTls(host, connection, signal),
        negotiationMilliseconds: undefined,
        keepAlive: undefined,
        isLineTerminal: host?.isLineTerminal,
        leavesAtOnce: true,
        fallsBack: true,
        trace: this.#trace,
      },
      {
        ended: () => (host === undefined ? undefined : this.#ended()),
        ending: () => {
          if (host === undefined) return;
          // where nobody was met the screen stays as it was
          const met = this.#step !== undefined;
          this.#leftBehind ??= met ? takePicture(conversation.screen, this.#statusOf(undefined)) : this.#before;
        },
        lineData: (bytes) => this.lineText.add(bytes),
      },
    );
    const { operator } = conversation.screen.state;
    operator.alwaysInserts = toggles.isOn('alwaysInsert');
    if (host !== undefined) operator.endInsertMode();
    conversation.screen.takesSize = boundSizeJudge(model.alternateSize, (fault) => this.tools.tell(fault));
    conversation.screen.state.space.beforeClear = () => this.isIn3270Mode && this.screenTrace?.save(this.look());
    return conversation;
  }
}

const TELNET_PORT = 23;

/** The rules of typing as the settings say with each key. */
function entryRulesOf(toggles: Toggles): EntryRules {
  return {
    get numericLock() {
      return toggles.isOn('numericLock');
    },
    get blankFill() {
      return toggles.isOn('blankFill');
    },
    underscoreFill: true,
    get reverseInput() {
      return toggles.isOn('reverseInputMode');
    },
  };
}

/** A picture in capital letters, for `monoCase`. */
function inCapitals(picture: ScreenPicture): ScreenPicture {
  return { ...picture, characters: picture.characters.map(capitalOf) };
}
