import { type Actor, type AnyActorRef, createActor, fromPromise } from 'xstate';
import { type BrowserSessionEnd, browserSessionMachine, FOR_EVER } from '../../machines/browser-session.machine.js';
import { sessionParent } from '../../machines/session-parent.js';
import type { CryptDefinition } from '../crypto/crypt-definition.js';
import { SessionCrypto } from '../crypto/session-crypto.js';
import { type Detail, detailText } from '../lib/locale.js';
import { Conversation } from '../tn3270/conversation/conversation.js';
import type { SessionLog } from '../tn3270/conversation/session-log.js';
import type { KeyOutcome } from '../tn3270/keyboard/keyboard-terminal.js';
import { type HostScreen, takeFormScreen } from '../tn3270/screen/form-screen.js';
import type { KeyAnswer, PressEnd, ShownConversation, ShownScreen } from './acted-session.js';
import { playConnectionScript, type ScriptStep } from './connection-script.js';
import { GuardedSession } from './guarded-session.js';
import { causeOf, detailOf } from './host-end.js';
import { type MessageFate, MessageScenarios } from './message-scenarios.js';
import { RequestNumbering } from './request-numbering.js';
import { playScriptOfScenario, type ScriptContext, scriptPort } from './script-port.js';
import { ScriptedScreen } from './scripted-screen.js';
import { newSessionCode } from './session-code.js';
import { type BrowserSessionOptions, type SessionFacts, sessionLog } from './session-facts.js';
import { SessionSupervision } from './session-supervision.js';
import { SessionUse } from './session-use.js';

const settledState = { life: { open: { conversation: 'awaitingBrowser' } } } as const;

const ports = new WeakMap<AnyActorRef, BrowserSession>();
const portOf = (self: AnyActorRef): BrowserSession | undefined => ports.get(self);

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

/** Passes the key pair directly to the session's encryption, never through an event or the context. */
async function takeKeyPair(self: AnyActorRef, signal: AbortSignal): Promise<void> {
  const session = portOf(self);
  const algorithm = session?.crypto?.missingKeyAlgorithm;
  if (session === undefined || algorithm === undefined) return;
  const keyPair = await session.options.takeKeyPair(algorithm.bits);
  // a session that has ended has deleted its keys
  if (!signal.aborted) session.crypto?.adopt(keyPair);
}

export interface SessionWatcher {
  changed(): void;
  ended(end: BrowserSessionEnd): void;
}

export class BrowserSession {
  /** Constant for the whole session (AJAX-SESSION-CODE). */
  readonly code: string;
  readonly options: BrowserSessionOptions;
  readonly guarded: GuardedSession;
  readonly #conversation: Conversation;
  readonly numbering = new RequestNumbering();
  crypto: SessionCrypto | undefined;
  notice = '';
  #answer: KeyAnswer = { key: 0, revision: undefined };
  /** True if the last submit was for another screen, until the user is notified. */
  isSubmitRefused = false;
  /** True if the host sends nothing, because its port expects TLS and the connection has none. */
  isHostSilent = false;
  readonly messages: MessageScenarios;
  readonly #log: SessionLog;
  readonly #scripted: ScriptedScreen;
  readonly #input = new AbortController();
  end: BrowserSessionEnd | undefined;
  readonly #actor: Actor<typeof machine>;
  readonly #watchers = new Set<SessionWatcher>();
  /** Changes of several steps that are notified once, after the last step. */
  #unfinishedChanges = 0;
  readonly #endings: Array<() => void> = [];
  readonly use: SessionUse;
  readonly supervision = new SessionSupervision();
  #view: object | undefined;

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
    this.guarded = new GuardedSession(this, {
      conversation: this.#conversation,
      press: (key) => this.#press(key),
      pressAfterScenario: (key, type) => this.#pressAfterScenario(key, type),
      noteSent: () => this.#noteSent(),
      beginTransfer: () => this.#beginTransfer(),
    });
    this.#scripted = new ScriptedScreen(this.#conversation, (script, signal) =>
      playScriptOfScenario(script, this.#scriptContext('INITIAL'), signal),
    );
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
        else if (this.#unfinishedChanges === 0) this.#notify();
      },
      error: (error) => {
        options.log.error({ ...this.logged, err: error }, 'a session failed; the others continue');
        this.#conversation.stop();
        this.crypto?.release();
        this.#over({ kind: 'failed', detail: { code: 'end.sessionFailed' } });
      },
    });
  }

  start(): void {
    this.#actor.start();
  }

  get facts(): SessionFacts {
    return this.options.facts;
  }

  /** Session fields for log entries, without session codes. */
  get logged(): object {
    return this.#log.subject;
  }

  /** State of the pages that show this session, created when first used. The room `web` defines the class. */
  view<View extends object>(View: new (session: BrowserSession) => View): View {
    if (this.#view instanceof View) return this.#view;
    const view = new View(this);
    this.#view = view;
    return view;
  }

  get conversation(): ShownConversation {
    return this.#conversation;
  }

  get screen(): ShownScreen {
    return this.#conversation.screen;
  }

  connectHost(): void {
    this.#conversation.connect();
  }

  /** Only for the actor; other callers use `disconnect`. */
  stopHost(): void {
    this.#conversation.stop();
  }

  formScreen(): HostScreen {
    return takeFormScreen(this.#conversation.screen);
  }

  get isOpen(): boolean {
    return this.end === undefined && this.#actor.getSnapshot().matches({ life: 'open' });
  }

  get isSettled(): boolean {
    return this.end !== undefined || !this.isOpen || this.#actor.getSnapshot().hasTag('settled');
  }

  get hasScenario(): boolean {
    return this.isOpen && this.#actor.getSnapshot().hasTag('withScenario');
  }

  get isHidden(): boolean {
    return this.hasScenario || !this.isOpen;
  }

  async visible(): Promise<void> {
    await this.waitUntil(() => !this.isHidden);
  }

  /** Sets the encryption that a page requests, unless the transaction has already set one. */
  useCrypt(definition: CryptDefinition): void {
    this.crypto ??= new SessionCrypto(definition);
  }

  /**
   * Resolves when the encryption has its key pair or the session has ended.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY if the key pool rejects the request; a retry may succeed
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

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** While the browser is present, only the time is noted: a timer per message would need too much memory. */
  seen(): void {
    this.use.note();
    if (!this.#actor.getSnapshot().hasTag('here')) this.#actor.send({ type: 'browser.seen' });
  }

  /** Call when a page polls for changes: the client is present, but its user has sent nothing. */
  followed(): void {
    this.#actor.send({ type: 'browser.followed' });
  }

  /** Time since the last page was closed; 0 if a browser is present. */
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

  displace(): void {
    this.#actor.send({ type: 'server.sessionsShort' });
  }

  stop(): void {
    this.#actor.send({ type: 'server.stopping' });
  }

  endByOperator(): void {
    this.#actor.send({ type: 'operator.ended' });
  }

  endBySignOn(): void {
    this.#actor.send({ type: 'signOn.replaced' });
  }

  undecipherable(): void {
    this.#actor.send({ type: 'crypto.refused' });
  }

  deciphered(): void {
    if (this.#actor.getSnapshot().context.undecipherable > 0) this.#actor.send({ type: 'crypto.accepted' });
  }

  playLogon(signal: AbortSignal): Promise<void> {
    return this.#playScript(this.options.logonScript, 'INITIAL', signal);
  }

  playLogoff(signal: AbortSignal): Promise<void> {
    return this.#playScript(this.options.logoffScript, 'FINAL', signal);
  }

  async #playScript(steps: readonly ScriptStep[], kind: 'INITIAL' | 'FINAL', signal: AbortSignal): Promise<void> {
    if (steps.length === 0) return;
    try {
      await playConnectionScript(steps, scriptPort(this.#scriptContext(kind), signal));
      if (kind === 'INITIAL') await this.waitUntil(() => !this.screen.state.operator.waitingForHost, signal);
    } catch (error) {
      if (!signal.aborted) this.options.log.warn({ ...this.logged, err: error }, 'a connection script failed');
    }
  }

  #scriptContext(kind: 'INITIAL' | 'FINAL'): ScriptContext {
    const { facts, options, logged } = this;
    return {
      facts,
      conversation: this.#conversation,
      codePage: options.host.codePage,
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

  async lookAtMessage(signal: AbortSignal): Promise<void> {
    await this.messages.lookAtMessage(signal);
    if (!signal.aborted && this.messages.disconnects === 'now') this.disconnect();
  }

  /**
   * Runs the INPUT scenario, and presses the key if the scenario lets the input pass.
   * @param type types the text of a line terminal, whose host receives each character immediately
   * @throws the error of the scenario (ERROR$)
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
    // if the screen is displayed again, variables and declarations must stay
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
    const outcome = this.#asOneChange(() => {
      this.#keySent();
      const pressed = this.#conversation.press(key);
      // without a key there will be no answer
      if (pressed !== 'done' && pressed !== 'typedAhead') this.#actor.send({ type: 'host.ready' });
      return pressed;
    });
    this.#notify();
    return outcome;
  }

  #keySent(): void {
    this.#answer = { key: this.#answer.key + 1, revision: undefined };
    this.#actor.send({ type: 'browser.submitted' });
  }

  #noteSent(): void {
    this.options.scenarios.userResponded();
    this.#asOneChange(() => this.#keySent());
    this.#notify();
  }

  #beginTransfer(): (() => void) | undefined {
    if (!this.isOpen || !this.#actor.getSnapshot().matches(settledState)) return undefined;
    this.#actor.send({ type: 'browser.transferring' });
    return () => this.#actor.send({ type: 'browser.transferred' });
  }

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

  whenEnded(tell: () => void): void {
    if (this.end !== undefined) tell();
    else this.#endings.push(tell);
  }

  settled(): Promise<void> {
    return this.waitUntil(() => this.isSettled);
  }

  /** Resolves when `holds()` is true or the session has ended. Checked after every change. */
  async waitUntil(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    await this.#conversation.waitUntil(() => this.end !== undefined || holds(), { signal });
  }

  /** The conversation checks its waits afterwards. */
  #hostChanged(): void {
    this.#asOneChange(() => this.#hostWrote());
    this.#tellWatchers();
  }

  #hostWrote(): void {
    const conversation = this.#conversation;
    const snapshot = this.#actor.getSnapshot();
    // the answer may be an empty screen, or a record with an error
    const isAnswered = conversation.takesInput || conversation.programCheck !== undefined;
    const isAnswer = snapshot.matches({ life: { open: { conversation: 'awaitingHost' } } }) && isAnswered;
    const isUnasked = snapshot.context.hasScreenScenarios && snapshot.matches(settledState) && isAnswered;
    if (snapshot.hasTag('withScenario')) this.messages.hostWrote();
    else if (isUnasked || (!snapshot.hasTag('settled') && (isAnswer || conversation.isReady))) {
      this.#actor.send({ type: 'host.ready' });
    }
  }

  /** Events of the chart in `change` are not notified: the caller notifies once, afterwards. */
  #asOneChange<Result>(change: () => Result): Result {
    this.#unfinishedChanges++;
    try {
      return change();
    } finally {
      this.#unfinishedChanges--;
    }
  }

  /** Makes the page explain why its screen is empty. Called without reason when the host sends data. */
  #hostSilent(reason: Detail | undefined): void {
    if (reason !== undefined) this.#log.silent(reason);
    this.isHostSilent = reason !== undefined;
    this.#notify();
  }

  /** Notifies watchers and checks all waits. */
  #notify(): void {
    this.#tellWatchers();
    this.#conversation.lookAgain();
  }

  #tellWatchers(): void {
    const { revision, operator } = this.screen.state;
    if (this.#answer.revision === undefined && this.isSettled && !operator.waitingForHost) {
      this.#answer = { ...this.#answer, revision };
    }
    for (const watcher of this.#watchers) this.#tell(() => watcher.changed());
    this.#tell(() => this.supervision.screenChanged());
  }

  /** A failing listener must not keep the others from being called. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.options.log.error({ ...this.logged, err: error }, 'a listener of a session failed');
    }
  }

  /** An error while processing host data ends only this session; uncaught it would end the process. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.options.log.error({ ...this.logged, err: error }, 'a session failed; the others continue');
      this.#actor.send({ type: 'host.ended', cause: 'failed', detail: { code: 'end.sessionFailed' } });
    }
  }

  #over(end: BrowserSessionEnd): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.#input.abort();
    this.#log.ended(end.kind, 'detail' in end ? detailText(end.detail, 'en') : undefined);
    for (const watcher of [...this.#watchers]) this.#tell(() => watcher.ended(end));
    this.#watchers.clear();
    for (const ending of this.#endings.splice(0)) this.#tell(ending);
    this.#conversation.lookAgain();
  }
}
