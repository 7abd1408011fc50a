import { type Actor, type AnyActorRef, createActor, fromPromise } from 'xstate';
import { type BrowserSessionEnd, browserSessionMachine, FOR_EVER } from '../../machines/browser-session.machine.js';
import { sessionParent } from '../../machines/session-parent.js';
import type { CryptDefinition } from '../crypto/crypt-definition.js';
import { SessionCrypto } from '../crypto/session-crypto.js';
import { detailText } from '../lib/locale.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { Conversation } from '../tn3270/conversation/conversation.js';
import type { SessionLog } from '../tn3270/conversation/session-log.js';
import type { KeyOutcome } from '../tn3270/keyboard/keyboard-terminal.js';
import { type HostScreen, takeFormScreen } from '../tn3270/screen/form-screen.js';
import type { KeyAnswer, PressEnd, ShownConversation, ShownScreen } from './acted-session.js';
import { playConnectionScript, type ScriptStep } from './connection-script.js';
import { causeOf, detailOf } from './host-end.js';
import { type MessageFate, MessageScenarios } from './message-scenarios.js';
import { RequestNumbering } from './request-numbering.js';
import { playScriptOfScenario, type ScriptGround, scriptPort } from './script-port.js';
import { type ScriptEnd, ScriptedScreen } from './scripted-screen.js';
import { newSessionCode } from './session-code.js';
import { SessionDoor } from './session-door.js';
import { type BrowserSessionOptions, type SessionFacts, sessionLog } from './session-facts.js';
import { SessionSupervision } from './session-supervision.js';
import { SessionUse } from './session-use.js';
import type { SessionWatcher } from './session-watcher.js';

const settledState = { life: { open: { conversation: 'awaitingBrowser' } } } as const;

const ports = new WeakMap<AnyActorRef, BrowserSession>();
const portOf = (self: AnyActorRef): BrowserSession | undefined => ports.get(self);

/** One machine for all sessions: what it does, it does through the session that its actor belongs to. */
const machine = browserSessionMachine.provide({
  actors: {
    playLogonScript: fromPromise<void, AnyActorRef>(async ({ input, signal }) => portOf(input)?.playLogon(signal)),
    playLogoffScript: fromPromise<void, AnyActorRef>(async ({ input, signal }) => portOf(input)?.playLogoff(signal)),
    lookAtMessage: fromPromise<void, AnyActorRef>(async ({ input, signal }) => portOf(input)?.lookAtMessage(signal)),
    takeKeyPair: fromPromise<void, AnyActorRef>(({ input, signal }) => takeKeyPair(input, signal)),
  },
  actions: {
    connectHost: ({ self }) => portOf(self)?.connectHost(),
    stopHost: ({ self }) => portOf(self)?.stopHost(),
    release: ({ self }) => portOf(self)?.crypto?.release(),
  },
  delays: {
    idle: ({ self, context }) => left(context.idleMilliseconds, portOf(self)?.use.unusedMilliseconds),
    away: ({ self, context }) => left(context.awayMilliseconds, portOf(self)?.use.closedMilliseconds),
  },
});

const left = (whole: number, gone = 0) => Math.min(whole - gone, FOR_EVER);

/** The pair goes to the session's encryption: neither event nor context ever has it. */
async function takeKeyPair(self: AnyActorRef, signal: AbortSignal): Promise<void> {
  const session = portOf(self);
  const algorithm = session?.crypto?.missingKeyAlgorithm;
  if (session === undefined || algorithm === undefined) return;
  const keyPair = await session.options.takeKeyPair(algorithm.bits);
  // one that is over has dropped its keys
  if (!signal.aborted) session.crypto?.adopt(keyPair);
}

/** One connection of a browser: its actor, its host session, its field encryption, and who watches it. */
export class BrowserSession {
  /** Stays the same for the whole session (AJAX-SESSION-CODE). */
  readonly code: string;
  readonly options: BrowserSessionOptions;
  /** The only way to act on the host session; `conversation` and `screen` show it. */
  readonly door: SessionDoor;
  readonly #conversation: Conversation;
  readonly numbering = new RequestNumbering();
  crypto: SessionCrypto | undefined;
  /** Of the script order `&/T`. */
  notice = '';
  #answer: KeyAnswer = { key: 0, revision: undefined };
  /** The last submit was for another screen, and its user was not shown that yet. */
  isSubmitRefused = false;
  /** The host has said nothing, because its port speaks TLS and we do not. */
  isHostSilent = false;
  readonly messages: MessageScenarios;
  readonly #log: SessionLog;
  readonly #scripted: ScriptedScreen;
  readonly #input = new AbortController();
  end: BrowserSessionEnd | undefined;
  readonly #actor: Actor<typeof machine>;
  readonly #watchers = new Set<SessionWatcher>();
  readonly #endings: Array<() => void> = [];
  readonly use: SessionUse;
  readonly supervision = new SessionSupervision();

  constructor(options: BrowserSessionOptions) {
    this.options = options;
    this.code = newSessionCode(options.node);
    this.use = new SessionUse(options.times.idleMilliseconds);
    this.crypto = options.crypt === undefined ? undefined : new SessionCrypto(options.crypt);
    this.#conversation = new Conversation(options.host, {
      reached: () => this.#log.reached(),
      changed: () => this.#guarded(() => this.#hostChanged()),
      fault: ({ reason }, record) => this.#log.faulty(reason, record),
      ended: (end) => this.#actor.send({ type: 'host.ended', cause: causeOf(end), detail: detailOf(end) }),
      silent: (reason) => this.#guarded(() => this.#hostSilent(reason)),
    });
    const { scenarios } = options;
    this.#log = sessionLog('browser', options, this.#conversation);
    this.door = new SessionDoor(this, {
      conversation: this.#conversation,
      press: (key) => this.#press(key),
      pressAfterScenario: (key, type) => this.#pressAfterScenario(key, type),
      noteSent: () => this.#noteSent(),
      beginTransfer: () => this.#beginTransfer(),
    });
    this.#scripted = new ScriptedScreen(this.#conversation, {
      playScript: (script, signal) => this.#playText(script, signal),
    });
    this.messages = new MessageScenarios(scenarios, this.#scripted);
    const hasLogonScript = options.logonScript.length > 0;
    const hasScreenScenarios = scenarios.has('INPUT') || scenarios.has('OUTPUT');
    const isIdle = () => this.use.remainingMilliseconds === 0;
    const input = { hasLogonScript, hasScreenScenarios, isIdle, ...options.times };
    this.#actor = createActor(machine, { parent: sessionParent(), input });
    ports.set(this.#actor, this);
    this.#actor.subscribe({
      next: ({ status, context }) => {
        if (status === 'done') this.#over(context.end ?? { kind: 'stopped' });
        else this.#tellWatchers();
      },
      error: (error) => {
        options.log.error({ ...this.logged, err: error }, 'a session failed; the others go on');
        this.#conversation.stop();
        this.crypto?.release();
        this.#over({ kind: 'failed', detail: { code: 'end.sessionFailed' } });
      },
    });
  }

  /** Connects to the host. */
  start(): void {
    this.#actor.start();
  }

  get facts(): SessionFacts {
    return this.options.facts;
  }

  /** What the log says of a session; its codes are not in it. */
  get logged(): object {
    return this.#log.subject;
  }

  get conversation(): ShownConversation {
    return this.#conversation;
  }

  get screen(): ShownScreen {
    return this.#conversation.screen;
  }

  /** For the actor of the session. */
  connectHost(): void {
    this.#conversation.connect();
  }

  /** For the actor of the session; others end it by `disconnect` and its relatives. */
  stopHost(): void {
    this.#conversation.stop();
  }

  /** The screen as forms show it. */
  formScreen(): HostScreen {
    return takeFormScreen(this.#conversation.screen);
  }

  /** Whether requests still find the session. */
  get isOpen(): boolean {
    return this.end === undefined && this.#actor.getSnapshot().matches({ life: 'open' });
  }

  /** Whether the next move is the browser's. */
  get isSettled(): boolean {
    return this.end !== undefined || !this.isOpen || this.#actor.getSnapshot().hasTag('settled');
  }

  /** Whether a scenario or the connection script at logon has the screen. */
  get hasScenario(): boolean {
    return this.isOpen && this.#actor.getSnapshot().hasTag('withScenario');
  }

  /** Whether nobody sees the screen or types into it: a scenario has it, or the session is no longer open. */
  get isHidden(): boolean {
    return this.hasScenario || !this.isOpen;
  }

  /** Resolves when the screen may be seen, or the session is over. */
  async visible(): Promise<void> {
    await this.waitUntil(() => !this.isHidden);
  }

  /** Gives the session the encryption that a page asks for, where the transaction named none. */
  useCrypt(definition: CryptDefinition): void {
    this.crypto ??= new SessionCrypto(definition);
  }

  /**
   * Resolves once its encryption has the key pair that it needs, or the session is over.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY where the pool refuses; whoever asks next may be luckier
   */
  async keyed(): Promise<void> {
    if (this.end !== undefined || this.crypto?.missingKeyAlgorithm === undefined) return;
    this.#actor.send({ type: 'key.wanted' });
    await this.waitUntil(() => {
      const snapshot = this.#actor.getSnapshot();
      if (snapshot.matches({ key: 'refused' })) throw snapshot.context.keyRefusal;
      return !snapshot.matches({ key: 'waiting' });
    });
  }

  /** Whether a page is connected. */
  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Of who is there, it is noted only: a timer for each message would be a third of what a transaction leaves behind. */
  seen(): void {
    this.use.note();
    if (!this.#actor.getSnapshot().hasTag('here')) this.#actor.send({ type: 'browser.seen' });
  }

  /** A page asks whether the screen has changed: the client has come again, but its user has sent nothing. */
  followed(): void {
    this.#actor.send({ type: 'browser.followed' });
  }

  /** For how long nobody has been there since the last page was closed; 0: somebody is. */
  get awayMilliseconds(): number {
    const isAway = !this.isWatched && this.#actor.getSnapshot().hasTag('away');
    return isAway ? this.use.closedMilliseconds : 0;
  }

  pageClosed(): void {
    this.use.noteClosed();
    this.#actor.send({ type: 'browser.pageClosed' });
  }

  disconnect(): void {
    this.#actor.send({ type: 'browser.disconnected' });
  }

  /** Ends it for another session's sake. */
  displace(): void {
    this.#actor.send({ type: 'server.sessionsShort' });
  }

  stop(): void {
    this.#actor.send({ type: 'server.stopping' });
  }

  endByOperator(): void {
    this.#actor.send({ type: 'operator.ended' });
  }

  /** The sign-on that it began with was replaced by a newer one. */
  endBySignOn(): void {
    this.#actor.send({ type: 'signOn.replaced' });
  }

  undecipherable(): void {
    this.#actor.send({ type: 'crypto.refused' });
  }

  deciphered(): void {
    if (this.#actor.getSnapshot().context.undecipherable > 0) this.#actor.send({ type: 'crypto.accepted' });
  }

  /** Plays the connection script at logon; the first page shows what the host has answered to it. */
  playLogon(signal: AbortSignal): Promise<void> {
    return this.#playScript(this.options.logonScript, 'INITIAL', signal);
  }

  playLogoff(signal: AbortSignal): Promise<void> {
    return this.#playScript(this.options.logoffScript, 'FINAL', signal);
  }

  async #playScript(steps: readonly ScriptStep[], kind: 'INITIAL' | 'FINAL', signal: AbortSignal): Promise<void> {
    if (steps.length === 0) return;
    try {
      await playConnectionScript(steps, scriptPort(this.#scriptGround(kind), signal));
      if (kind === 'INITIAL') await this.waitUntil(() => !this.screen.state.operator.waitingForHost, signal);
    } catch (error) {
      if (!signal.aborted) this.options.log.warn({ ...this.logged, err: error }, 'a connection script failed');
    }
  }

  /** The conversation with all that a connection script works with. */
  #scriptGround(kind: 'INITIAL' | 'FINAL'): ScriptGround {
    const { facts, options, logged } = this;
    return {
      facts,
      conversation: this.#conversation,
      codePage: options.host.codePage.name,
      log: options.log,
      logged,
      isOver: () => this.end !== undefined,
      variable: (name) => options.scenarios.valuesOf(name)?.[0] ?? options.parameter(name),
      show: (text) => {
        this.notice = text;
      },
      runScenario: async (signal) => {
        const end = await options.scenarios.run(kind, this.#scripted, signal);
        this.#scripted.noteLook();
        this.messages.take(end);
        if (end?.ending === 'fail') throw new Error(`the ${kind} scenario ended with FAIL`);
      },
    };
  }

  /** Has the scenarios look at a message of the host. */
  async lookAtMessage(signal: AbortSignal): Promise<void> {
    await this.messages.lookAtMessage(signal);
    if (!signal.aborted && this.messages.disconnects === 'now') this.disconnect();
  }

  /**
   * Has the INPUT scenario inspect the input, and presses the key if the scenario lets it through.
   * @param type types the text of a line terminal, whose host gets each character at once
   * @throws what the scenario refuses
   */
  async #pressAfterScenario(key: string, type: () => void): Promise<PressEnd> {
    this.#actor.send({ type: 'browser.entered' });
    let fate: MessageFate = 'withheld';
    try {
      fate = await this.messages.lookAtInput(this.#input.signal);
    } finally {
      if (fate === 'withheld') this.#actor.send({ type: 'browser.withheld' });
    }
    if (this.end !== undefined) return { fate };
    // variables and declarations stay with a screen that its user is shown again
    if (fate !== 'withheld') this.options.scenarios.userResponded();
    if (this.messages.disconnects === 'now') this.disconnect();
    else if (fate === 'answered') this.#actor.send({ type: 'browser.answered' });
    else if (fate === 'goesOn') {
      type();
      return { fate, outcome: this.#pressNow(key) };
    }
    return { fate };
  }

  #press(key: string): void {
    this.options.scenarios.userResponded();
    this.#pressNow(key);
  }

  get answer(): KeyAnswer {
    return this.#answer;
  }

  #pressNow(key: string): KeyOutcome | undefined {
    this.#keySent();
    const outcome = this.#conversation.press(key);
    // where it went nowhere, no answer will come
    if (outcome !== 'done' && outcome !== 'typedAhead') this.#actor.send({ type: 'host.ready' });
    this.#tellWatchers();
    return outcome;
  }

  /** The answer to a key is still to come. */
  #keySent(): void {
    this.#answer = { key: this.#answer.key + 1, revision: undefined };
    this.#actor.send({ type: 'browser.submitted' });
  }

  #noteSent(): void {
    this.options.scenarios.userResponded();
    this.#keySent();
    this.#tellWatchers();
  }

  /** @returns the function that ends it; undefined: the next move is not the browser's */
  #beginTransfer(): (() => void) | undefined {
    if (!this.isOpen || !this.#actor.getSnapshot().matches(settledState)) return undefined;
    this.#actor.send({ type: 'browser.transferring' });
    return () => this.#actor.send({ type: 'browser.transferred' });
  }

  /** @returns a function that ends it */
  watch(watcher: SessionWatcher): () => void {
    if (this.end !== undefined) {
      watcher.ended(this.end);
      return () => undefined;
    }
    this.#watchers.add(watcher);
    const tell = () => this.#actor.send({ type: 'browser.watchersChanged', watchers: this.#watchers.size });
    tell();
    return () => {
      this.#watchers.delete(watcher);
      tell();
    };
  }

  /** Calls back once, when the session is over. */
  whenEnded(tell: () => void): void {
    if (this.end !== undefined) tell();
    else this.#endings.push(tell);
  }

  /** Resolves when the next move is the browser's, or the session is over. */
  settled(): Promise<void> {
    return this.waitUntil(() => this.isSettled);
  }

  /** Resolves when something is so, or the session is over; looked at after every change. */
  async waitUntil(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    await this.#conversation.waitUntil(() => this.end !== undefined || holds(), { signal });
  }

  #hostChanged(): void {
    const conversation = this.#conversation;
    const snapshot = this.#actor.getSnapshot();
    // the answer to a key may be an empty screen, or one that cannot be shown
    const isAnswered = conversation.takesInput || conversation.programCheck !== undefined;
    const isAnswer = snapshot.matches({ life: { open: { conversation: 'awaitingHost' } } }) && isAnswered;
    const isUnasked = snapshot.context.hasScreenScenarios && snapshot.matches(settledState) && isAnswered;
    if (snapshot.hasTag('withScenario')) this.messages.hostWrote();
    else if (isUnasked || (!snapshot.hasTag('settled') && (isAnswer || conversation.isReady))) {
      this.#actor.send({ type: 'host.ready' });
    }
    this.#tellWatchers();
  }

  /** The page says why its screen stays empty, until the host speaks. */
  #hostSilent(reason: string | undefined): void {
    if (reason !== undefined) this.#log.silent(reason);
    this.isHostSilent = reason !== undefined;
    this.#tellWatchers();
  }

  #playText(script: string, signal: StopSignal): Promise<ScriptEnd> {
    const { codePage } = this.options.host;
    return playScriptOfScenario(script, this.#scriptGround('INITIAL'), (codes) => codePage.decode(codes), signal);
  }

  #tellWatchers(): void {
    const { revision, operator } = this.screen.state;
    if (this.#answer.revision === undefined && this.isSettled && !operator.waitingForHost) {
      this.#answer = { ...this.#answer, revision };
    }
    this.#tell([...this.#watchers].map((watcher) => () => watcher.changed()));
    this.#tell([() => this.supervision.screenChanged()]);
    this.#conversation.lookAgain();
  }

  /** One that fails is no reason to leave the others untold. */
  #tell(calls: readonly (() => void)[]): void {
    for (const call of calls) {
      try {
        call();
      } catch (error) {
        this.options.log.error({ ...this.logged, err: error }, 'a listener of a session failed');
      }
    }
  }

  /** What fails where the host's bytes come in ends this session; thrown there, it would end the process. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.options.log.error({ ...this.logged, err: error }, 'a session failed; the others go on');
      this.#actor.send({ type: 'host.ended', cause: 'failed', detail: { code: 'end.sessionFailed' } });
    }
  }

  #over(end: BrowserSessionEnd): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.#input.abort();
    this.#log.ended(end.kind, 'detail' in end ? detailText(end.detail, 'en') : undefined);
    this.#tell([...this.#watchers].map((watcher) => () => watcher.ended(end)));
    this.#watchers.clear();
    this.#tell(this.#endings.splice(0));
    this.#conversation.lookAgain();
  }
}
