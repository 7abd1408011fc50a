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
import { type ScreenSnapshot, ScreenView, takePicture } from './screen-snapshot.js';
import type { ScreenTrace } from './screen-trace.js';
import type { ScriptTools } from './script-tools.js';
import { statusFields } from './status-line.js';
import { environmentByName, newEnvironment, type TerminalKind, terminalNames } from './terminal-identity.js';
import type { Toggles } from './toggles.js';
import type { TransferWords } from './transfer-keywords.js';

const RECONNECT_MILLISECONDS = 2_000;

/** Limit of unread text; older text is discarded. */
const MOST_CHARACTERS = 8_192;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };

class LineText {
  #text = '';

  add(bytes: Uint8Array): void {
    this.#text = (this.#text + Buffer.from(bytes).toString('utf8')).slice(-MOST_CHARACTERS);
  }

  /** Returns and clears the text, with control characters as C escapes. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text.replace(/\p{Cc}/gu, (control) => {
      return named[control] ?? `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`;
    });
  }

  /** True if the text was received. Discards it and all text before it. */
  takePast(text: string): boolean {
    const at = this.#text.indexOf(text);
    if (at < 0) return false;
    this.#text = this.#text.slice(at + text.length);
    return true;
  }
}

const written = ({ rows, columns }: ScreenSize) => `${rows}x${columns}`;

/** Checks the size in a BIND. Minimum: model 2; maximum: the terminal. The wording is that of s3270 4.1 (verified). */
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

interface ScriptedTerminalOptions {
  readonly toggles: Toggles;
  readonly tools: ScriptTools<ScriptedTerminal>;
  readonly commandLine: string;
  readonly transferDefaults: TransferWords;
  readonly version: string;
  readonly rpqNames: (ownAddress: string | undefined) => readonly number[];
  readonly applicationId: string;
  readonly kindOf: (toggles: Toggles) => TerminalKind;
  readonly connectionTo: (host: NamedHost, reached: (next: ConnectionStep) => void) => HostSessionOptions['connect'];
  readonly startTls: (host: NamedHost, connection: HostConnection, signal: AbortSignal) => Promise<void>;
}

interface ConnectedHost extends NamedHost {
  readonly since: number;
}

/** After its first record, the host has this time to send a screen with content. */
const FIRST_SCREEN_MILLISECONDS = 1_000;
/** Time for the host to confirm a disconnection. */
const STOP_MILLISECONDS = 5_000;

/** A terminal as s3270 presents it to scripts. It outlives its connections and keeps the last screen. */
export class ScriptedTerminal {
  readonly scripts = new Set<{ readonly tasks: readonly string[]; readonly queued: string | undefined }>();
  readonly lineText = new LineText();
  #kind: TerminalKind;
  #conversation: Conversation;
  #connection: HostConnection | undefined;
  #step: ConnectionStep | undefined;
  #host: ConnectedHost | undefined;
  #lastHost: NamedHost | undefined;
  /** Start of the last script line (`performance.now()`). */
  actedAt = performance.now();
  /** `hostWrites` at the last read of the screen by a script; negative before the first read. */
  readAt = -1;
  /** Screen of the last connection. */
  #leftBehind: ScreenSnapshot | undefined;
  /** Screen before the current connection, until the host is reached. */
  #before: ScreenSnapshot | undefined;
  #isLeaving = false;
  #trace: HostTrace | undefined;
  #over: () => void = () => undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  readonly savedInputs = new Map<string, ReadonlyArray<{ readonly start: number; readonly text: string }>>();
  saved: ScreenSnapshot | undefined;
  traceFile: string | undefined;
  screenTrace: ScreenTrace | undefined;
  /** The host of the command line may still send its first screen. */
  isMeeting = false;
  isOver = false;
  readonly over = new Promise<void>((resolve) => {
    this.#over = resolve;
  });

  constructor(readonly options: ScriptedTerminalOptions) {
    this.#kind = options.kindOf(options.toggles);
    this.#conversation = this.#conversationWith();
    // the alternate size applies only after a host or a setting requests it
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

  get host(): ConnectedHost | undefined {
    return this.isConnected ? this.#host : undefined;
  }

  get connection(): HostConnection | undefined {
    return this.isConnected ? this.#connection : undefined;
  }

  get isConnected(): boolean {
    return this.#host !== undefined && this.#conversation.end === undefined;
  }

  /** Current step of the connection; undefined until the host or proxy is reached. */
  get step(): ConnectionStep | undefined {
    return this.#step;
  }

  get isReconnecting(): boolean {
    return this.#reconnecting !== undefined;
  }

  get isIn3270Mode(): boolean {
    const { partner } = this.screen;
    return this.isConnected && (partner === 'application' || partner === 'services');
  }

  get isInLineMode(): boolean {
    return this.isConnected && this.screen.partner === 'line';
  }

  get hasOutputSinceRead(): boolean {
    return this.screen.state.hostWrites > Math.max(this.readAt, 0);
  }

  get primaryName(): string | undefined {
    const name = this.isConnected ? this.#conversation.primaryName : undefined;
    return name && this.#kind.codePage.decode(name).trimEnd();
  }

  get defaultPort(): number {
    return Number(this.options.toggles.get('port')) || TELNET_PORT;
  }

  quit(): void {
    this.isOver = true;
    if (!this.isConnected) this.#conversation.stop();
    this.#over();
  }

  /** Saves the current screen; without a connection, the last screen. */
  look(): ScreenSnapshot {
    return this.options.toggles.isOn('monoCase') ? inCapitals(this.print()) : this.print();
  }

  /** The same, but ignores `monoCase`. */
  print(): ScreenSnapshot {
    return (this.isConnected ? undefined : this.#leftBehind) ?? takePicture(this.screen, this.status);
  }

  /** Saves the screen for a script and marks the host's output as read. */
  read(): ScreenSnapshot {
    this.readAt = this.screen.state.hostWrites;
    return this.look();
  }

  /** The same without a copy, for scripts that read the screen at once. */
  view(): ScreenSnapshot {
    if (!this.isConnected || this.options.toggles.isOn('monoCase')) return this.read();
    this.readAt = this.screen.state.hostWrites;
    return new ScreenView(this.screen, this.status);
  }

  get status(): string {
    return (this.isConnected ? undefined : this.#leftBehind?.status) ?? this.#statusOf(this.host);
  }

  changeKind(): void {
    if (this.isConnected) throw new ActionError('Cannot change model or oversize while connected');
    this.#kind = this.options.kindOf(this.options.toggles);
    this.#leftBehind = undefined;
    this.#host = undefined;
    this.#takeUp(this.#conversationWith());
  }

  /** The new code page must have double-byte characters if, and only if, the previous one has them. */
  changeCodePage(): void {
    const { codePage, codePageName } = this.options.kindOf(this.options.toggles);
    const { state } = this.screen;
    if (state.doubleByte !== (codePage.doubleByte !== undefined))
      throw new ActionError("Can't change DBCS modes while connected");
    this.#kind = { ...this.#kind, codePage, codePageName };
    state.codePage = codePage;
    state.revision++;
  }

  /** Stops the previous conversation; its state machine would otherwise never be released. */
  #takeUp(conversation: Conversation): void {
    this.#conversation.stop();
    this.#conversation = conversation;
  }

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

  /** Resolves when the host has sent a first screen. @throws ActionError */
  async connect(host: NamedHost): Promise<void> {
    this.#begin(host);
    const isThere = () =>
      this.isInLineMode || this.#conversation.isReady || this.#conversation.programCheck !== undefined;
    const isMet = () => !host.waitsForOutput && this.isIn3270Mode;
    const end = await this.waitUntil(() => isThere() || this.screen.records > 0 || isMet());
    if (end !== 'holds') throw connectionFailure(this.#conversation.end);
    if (!host.waitsForOutput) return;
    // most hosts send a query before the first screen; after the time limit, a blank screen also counts
    await this.waitUntil(isThere, FIRST_SCREEN_MILLISECONDS);
  }

  /** Resolves after the negotiation and the time for a first screen. @throws ActionError */
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
    this.#cancelReconnect();
    if (!this.isConnected) return;
    this.#isLeaving = true;
    this.#leftBehind = takePicture(this.screen, this.#statusOf(undefined));
    this.#conversation.stop();
    await this.#conversation.waitUntil(() => false, { withinMilliseconds: STOP_MILLISECONDS });
  }

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

  #ended(): void {
    const { toggles } = this.options;
    const isRetried = toggles.isOn('retry') && this.#connection === undefined;
    const isWanted = toggles.isOn('reconnect') || isRetried;
    if (!isWanted || this.#isLeaving || this.isOver || this.#lastHost === undefined) return;
    this.#reconnecting = setTimeout(() => {
      this.#cancelReconnect();
      this.reconnect().catch(() => undefined);
    }, RECONNECT_MILLISECONDS);
  }

  #cancelReconnect(): void {
    clearTimeout(this.#reconnecting);
    this.#reconnecting = undefined;
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
          // keep the screen if no host was reached
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

/** The rules follow changes of the settings. */
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

function inCapitals(picture: ScreenSnapshot): ScreenSnapshot {
  return { ...picture, characters: picture.characters.map(capitalOf) };
}
