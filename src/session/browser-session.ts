import { type Actor, type AnyActorRef, createActor, fromPromise } from 'xstate';
import {
  type BrowserSessionEnd,
  browserSessionMachine,
  type HostEndCause,
} from '../../machines/browser-session.machine.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import { Conversation } from '../conversation/conversation.js';
import type { CryptDefinition } from '../crypto/crypt-definition.js';
import { SessionCrypto } from '../crypto/session-crypto.js';
import { takeFormScreen } from '../screen/form-screen.js';
import type { HostScreen } from '../screen/host-screen.js';
import type { Screen } from '../screen/screen.js';
import { playConnectionScript, type ScriptStep } from './connection-script.js';
import { RequestNumbering } from './request-numbering.js';
import { scriptPort } from './script-port.js';
import { newSessionCode } from './session-code.js';
import type { BrowserSessionOptions, SessionFacts, SessionVariables } from './session-facts.js';

const LONGEST_RECORD_LOGGED = 2_048;

/** Somebody who wants to know what becomes of a session: a WebSocket, a request that waits. */
export interface SessionWatcher {
  changed(): void;
  ended(end: BrowserSessionEnd): void;
}

const ports = new WeakMap<AnyActorRef, BrowserSession>();
const portOf = (self: AnyActorRef): BrowserSession | undefined => ports.get(self);

/** One machine for all sessions: what it does, it does through the session that its actor belongs to. */
const machine = browserSessionMachine.provide({
  actors: {
    playLogonScript: fromPromise<void, AnyActorRef>(({ input, signal }) => playScript(input, 'logonScript', signal)),
    playLogoffScript: fromPromise<void, AnyActorRef>(({ input, signal }) => playScript(input, 'logoffScript', signal)),
    takeKeyPair: fromPromise<void, AnyActorRef>(({ input, signal }) => takeKeyPair(input, signal)),
  },
  actions: {
    connectHost: ({ self }) => portOf(self)?.conversation.connect(),
    stopHost: ({ self }) => portOf(self)?.conversation.stop(),
    release: ({ self }) => portOf(self)?.crypto?.release(),
  },
});

async function playScript(
  self: AnyActorRef,
  which: 'logonScript' | 'logoffScript',
  signal: AbortSignal,
): Promise<void> {
  const session = portOf(self);
  const steps: readonly ScriptStep[] = session?.options[which] ?? [];
  if (session === undefined || steps.length === 0) return;
  try {
    await playConnectionScript(steps, scriptPort(session, which === 'logonScript' ? 'initial' : 'final', signal));
    // the first page shows what the host has made of it
    if (which === 'logonScript') await session.waitUntil(() => !session.screen.state.operator.waitingForHost, signal);
  } catch (error) {
    if (!signal.aborted) session.options.log.warn({ ...session.logged, err: error }, 'a connection script failed');
  }
}

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
  readonly code = newSessionCode();
  readonly conversation: Conversation;
  readonly options: BrowserSessionOptions;
  readonly numbering = new RequestNumbering();
  crypto: SessionCrypto | undefined;
  /** Of the script order `&/T`. */
  notice = '';
  variables: SessionVariables | undefined;
  end: BrowserSessionEnd | undefined;
  readonly #actor: Actor<typeof machine>;
  readonly #watchers = new Set<SessionWatcher>();
  readonly #endings: Array<() => void> = [];
  #lastUse = performance.now();

  constructor(options: BrowserSessionOptions) {
    this.options = options;
    this.crypto = options.crypt === undefined ? undefined : new SessionCrypto(options.crypt);
    this.conversation = new Conversation(options.host, {
      changed: () => this.#guarded(() => this.#hostChanged()),
      fault: (fault, record) => {
        options.log.warn(
          { ...this.logged, reason: fault.reason, bytes: record.length },
          'the host sent a faulty record',
        );
        // what the host sends may be what it hides from the screen: only who traces is shown it
        const hex = Buffer.from(record.subarray(0, LONGEST_RECORD_LOGGED)).toString('hex');
        options.log.trace({ ...this.logged, record: hex }, 'the faulty record');
      },
      ended: (end) => this.#actor.send({ type: 'host.ended', cause: causeOf(end), detail: wordsFor(end) }),
    });
    this.#actor = createActor(machine, { input: { hasLogonScript: options.logonScript.length > 0, ...options.times } });
    ports.set(this.#actor, this);
    this.#actor.subscribe({
      next: ({ status, context }) => {
        if (status === 'done') this.#over(context.end ?? { kind: 'stopped' });
        else this.#tellWatchers();
      },
      error: (error) => {
        options.log.error({ ...this.logged, err: error }, 'a session failed; the others go on');
        this.conversation.stop();
        this.crypto?.release();
        this.#over({ kind: 'failed', detail: 'The session failed.' });
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
    const { line, transaction, address } = this.facts;
    return { line, transaction, remoteAddress: address };
  }

  get screen(): Screen {
    return this.conversation.screen;
  }

  /** The screen as forms show it. */
  formScreen(): HostScreen {
    return takeFormScreen(this.screen);
  }

  /** Whether requests still find the session. */
  get isOpen(): boolean {
    return this.end === undefined && this.#actor.getSnapshot().matches({ life: 'open' });
  }

  /** Whether the next move is the browser's. */
  get isSettled(): boolean {
    return this.end !== undefined || !this.isOpen || this.#actor.getSnapshot().hasTag('settled');
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

  /** When its user sent the last message (`performance.now()`). */
  get lastUse(): number {
    return this.#lastUse;
  }

  /** Whether a page is connected. */
  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  seen(): void {
    this.#lastUse = performance.now();
    this.#actor.send({ type: 'browser.seen' });
  }

  pageClosed(): void {
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

  undecipherable(): void {
    this.#actor.send({ type: 'crypto.refused' });
  }

  deciphered(): void {
    if (this.#actor.getSnapshot().context.undecipherable > 0) this.#actor.send({ type: 'crypto.accepted' });
  }

  /** Presses a key that the form before it was made ready for. */
  press(key: string): void {
    this.#actor.send({ type: 'browser.submitted' });
    const outcome = this.conversation.press(key);
    // where it went nowhere, no answer will come
    if (outcome !== 'done' && outcome !== 'typedAhead') this.#actor.send({ type: 'host.ready' });
    this.#tellWatchers();
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
  async settled(): Promise<void> {
    await this.waitUntil(() => this.isSettled);
  }

  /** Resolves when something is so, or the session is over; looked at after every change. */
  async waitUntil(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    await this.conversation.waitUntil(() => this.end !== undefined || holds(), { signal });
  }

  #hostChanged(): void {
    const { conversation } = this;
    const snapshot = this.#actor.getSnapshot();
    // the answer to a key may be an empty screen, or one that cannot be shown
    const isAnswered = conversation.takesInput || conversation.programCheck !== undefined;
    const isAnswer = snapshot.matches({ life: { open: { conversation: 'awaitingHost' } } }) && isAnswered;
    if (!snapshot.hasTag('settled') && (isAnswer || conversation.isReady)) this.#actor.send({ type: 'host.ready' });
    this.#tellWatchers();
  }

  #tellWatchers(): void {
    this.#tell([...this.#watchers].map((watcher) => () => watcher.changed()));
    this.conversation.lookAgain();
  }

  /** One that fails is no reason to leave the others untold. */
  #tell(calls: readonly (() => void)[]): void {
    for (const call of calls) {
      try {
        call();
      } catch (error) {
        this.options.log.error({ ...this.logged, err: error }, 'who watches a session failed');
      }
    }
  }

  /** What fails where the host's bytes come in ends this session; thrown there, it would end the process. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.options.log.error({ ...this.logged, err: error }, 'a session failed; the others go on');
      this.#actor.send({ type: 'host.ended', cause: 'failed', detail: 'the session failed' });
    }
  }

  #over(end: BrowserSessionEnd): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.options.log.info(
      { ...this.logged, end: end.kind, ...('detail' in end ? { detail: end.detail } : {}) },
      'session ended',
    );
    this.#tell([...this.#watchers].map((watcher) => () => watcher.ended(end)));
    this.#watchers.clear();
    this.#tell(this.#endings.splice(0));
    this.conversation.lookAgain();
  }
}

function causeOf({ kind }: HostSessionEnd): HostEndCause {
  if (kind === 'deviceRefused') return kind;
  return kind === 'failed' || kind === 'silent' ? 'failed' : 'ended';
}

/** Why a host refuses a logical unit (RFC 2355, section 7.1.6), in words for the user. */
const deviceRefusals: Readonly<Record<string, string>> = {
  deviceInUse: 'It is in use.',
  invalidName: 'The host does not know its name.',
  invalidDeviceType: 'The host does not take this type of terminal.',
};

function wordsFor(end: HostSessionEnd): string {
  switch (end.kind) {
    case 'deviceRefused':
      return deviceRefusals[end.detail] ?? 'The host refuses it.';
    case 'failed':
      return end.detail;
    case 'silent':
      return 'the host does not answer';
    default:
      return 'the host ended the session';
  }
}
