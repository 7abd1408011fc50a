import type { CodePage } from '../codepage/code-page.js';
import { Conversation } from '../conversation/conversation.js';
import type { WaitEnd } from '../conversation/waiters.js';
import type { HostConnection, HostConnectionHandler } from '../host/host-connection.js';
import { allFunctions } from '../host/host-session-options.js';
import type { HostTrace } from '../host/host-trace.js';
import type { Screen } from '../screen/screen.js';
import type { TerminalModel } from '../screen/screen-size.js';
import { ActionError } from './action-error.js';
import { connectionFault } from './connection-fault.js';
import type { NamedHost } from './host-name.js';
import { type ScreenPicture, takePicture } from './screen-picture.js';
import { statusFields } from './status-line.js';
import type { Toggles } from './toggles.js';

/** What a terminal is before it has a host. */
export interface ScriptedTerminalOptions {
  readonly model: TerminalModel;
  /** 2 to 5. */
  readonly modelNumber: number;
  readonly codePage: CodePage;
  /** As it was asked for: `bracket`, `cp037`. */
  readonly codePageName: string;
  readonly toggles: Toggles;
  /** Of hosts that name none. */
  readonly port: number;
  /** Told to hosts that ask for USER (NEW-ENVIRON). */
  readonly user: string;
  readonly trace: HostTrace | undefined;
  readonly connect: (host: NamedHost, handler: HostConnectionHandler, signal: AbortSignal) => Promise<HostConnection>;
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
  #conversation: Conversation;
  #host: ConnectedHost | undefined;
  /** For Reconnect. */
  #lastHost: NamedHost | undefined;
  /** Of the screen when a script read it last. */
  #readAt = -1;
  /** The screen when the script ended the connection. */
  #leftBehind: ScreenPicture | undefined;
  /** What `Snap` keeps. */
  saved: ScreenPicture | undefined;
  /** Quit was asked for: nothing more is read. */
  isOver = false;

  constructor(options: ScriptedTerminalOptions) {
    this.options = options;
    this.#conversation = this.#conversationWith(undefined);
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

  get isConnected(): boolean {
    return this.#host !== undefined && this.#conversation.end === undefined;
  }

  /** 3270 or the host's services; a line terminal is none. */
  get isIn3270Mode(): boolean {
    const { partner } = this.screen;
    return this.isConnected && (partner === 'application' || partner === 'services');
  }

  get isInLineMode(): boolean {
    return this.isConnected && this.screen.partner === 'line';
  }

  get #hasWritten(): boolean {
    return this.screen.records > 0;
  }

  /** The host has written since a script read the screen last, or it never did. */
  get hasOutputSinceRead(): boolean {
    return this.#hasWritten && this.screen.state.revision !== this.#readAt;
  }

  /** A picture for a script; without a host, of the screen that Disconnect has left. */
  read(): ScreenPicture {
    this.#readAt = this.screen.state.revision;
    return (this.isConnected ? undefined : this.#leftBehind) ?? takePicture(this.screen, this.status);
  }

  /** The first eleven fields of the status line. */
  get status(): string {
    return (this.isConnected ? undefined : this.#leftBehind?.status) ?? this.#statusOf(this.host);
  }

  /**
   * Resolves when the host has given the terminal something to act on.
   * @throws ActionError where there is a connection already, or none comes about
   */
  async connect(host: NamedHost): Promise<void> {
    if (this.isConnected) throw new ActionError('Already connected');
    this.#lastHost = host;
    this.#host = { ...host, since: Date.now() };
    this.#readAt = -1;
    this.#leftBehind = undefined;
    this.#conversation = this.#conversationWith(host);
    this.#conversation.connect();
    const isThere = () =>
      this.isInLineMode || this.#conversation.isReady || this.#conversation.programCheck !== undefined;
    const end = await this.waitUntil(() => isThere() || this.#hasWritten);
    if (end !== 'holds') throw new ActionError(`Connection failed:\n${connectionFault(this.#conversation.end)}`);
    // a host asks first what the terminal can do, as a rule; a screen without anything on it is a screen, too
    await this.waitUntil(isThere, FIRST_SCREEN_MILLISECONDS);
  }

  async reconnect(): Promise<void> {
    if (this.#lastHost === undefined) throw new ActionError('No previous host to connect to');
    await this.connect(this.#lastHost);
  }

  async disconnect(): Promise<void> {
    if (!this.isConnected) return;
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
    return statusFields({ screen: this.screen, modelNumber: this.options.modelNumber, host });
  }

  #conversationWith(host: NamedHost | undefined): Conversation {
    const { model, codePage, toggles, user, trace, connect, startTls } = this.options;
    const conversation: Conversation = new Conversation({
      model,
      codePage,
      // looked at with each key
      entryRules: {
        get numericLock() {
          return toggles.isOn('numericLock');
        },
        get blankFill() {
          return toggles.isOn('blankFill');
        },
      },
      deviceNames: host?.deviceNames ?? [],
      tn3270e: host?.tn3270e ?? true,
      functions: allFunctions,
      environment: new Map(user === '' ? [] : [['USER', user]]),
      connect: (handler, signal) =>
        host === undefined ? Promise.reject(new Error('no host')) : connect(host, handler, signal),
      startTls:
        host === undefined || !toggles.isOn('startTls')
          ? undefined
          : (connection, signal) => startTls(host, connection, signal),
      negotiationMilliseconds: undefined,
      keepAlive: undefined,
      trace,
    });
    if (host === undefined) conversation.screen.state.space.resize(conversation.screen.state.space.defaultSize);
    return conversation;
  }
}
