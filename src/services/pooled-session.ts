import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import type { Log } from '../lib/log/log.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { Conversation, type WalkedSession } from '../tn3270/conversation/conversation.js';
import type { FileTransferEnd } from '../tn3270/conversation/file-transfer.js';
import { hostEndDetail } from '../tn3270/conversation/host-end-words.js';
import { isScreen, type ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import { SessionLog } from '../tn3270/conversation/session-log.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import { isSent, maskSecrets, withheld } from './mask-secrets.js';
import type { PoolDefinition } from './pool-state.js';
import type { WorkerSlot } from './pool-users.js';
import { runSteps, type WalkOutcome, wordsOfWalk } from './run-steps.js';
import type { ServiceStep } from './service-definition.js';

const MOST_BYTES = 8_192;

/** Secrets of calls, as bytes. The host may display them later, to callers that must not see them. */
class TypedSecrets {
  readonly #values: Uint8Array[] = [];
  #room = MOST_BYTES;
  #isFull = false;

  remember(secrets: readonly string[]): void {
    for (const secret of secrets) {
      const bytes = Buffer.from(secret);
      if (this.#values.some((known) => bytes.equals(known))) continue;
      if (bytes.length > this.#room) this.#isFull = true;
      else {
        this.#room -= bytes.length;
        this.#values.push(bytes);
      }
    }
  }

  /**
   * Masks a failed walk for a caller. If more secrets were sent than can be kept, the screen is withheld.
   * @param further secrets besides those that are remembered
   */
  hide(outcome: FailedWalk, further: readonly string[]): FailedWalk {
    const known = this.#values.map((bytes) => new TextDecoder().decode(bytes));
    const masked = maskSecrets(outcome, [...further, ...known]);
    return this.#isFull ? { ...masked, withholdsScreen: true } : masked;
  }
}

export interface PoolContext {
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly signOn: readonly ServiceStep[];
  readonly signOff: readonly ServiceStep[] | undefined;
  readonly home: ScreenDefinition;
  readonly returnHome: readonly string[];
}

type FailedWalk = Extract<WalkOutcome, { kind: 'failed' }>;

interface PooledSessionOptions {
  readonly definition: Pick<PoolDefinition, 'name' | 'host' | 'signOn' | 'signOff'>;
  readonly context: PoolContext;
  readonly host: HostSessionOptions;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly log: Log;
}

interface PooledSessionListener {
  /** The host left the home screen and did not return to it in time. */
  strayed(): void;
  ended(): void;
}

type SignOnEnd =
  | { readonly kind: 'signedOn' }
  | { readonly kind: 'refused'; readonly words: string }
  /** The host is disconnected, does not answer, or displays another screen; the user is not to blame. */
  | { readonly kind: 'trouble'; readonly words: string };

/** Parameters of a sign-on that are always secret, even if its file does not declare it. */
const passwordAlone: ReadonlySet<string> = new Set(['password']);
const DRAWING_MILLISECONDS = 1_000;
const HOME_MILLISECONDS = 5_000;

export class PooledSession {
  readonly begun = performance.now();
  readonly life: WorkerSlot;
  readonly #conversation: Conversation;
  readonly #audit: Pick<AuditTrail, 'record'>;
  readonly #definition: PooledSessionOptions['definition'];
  readonly #context: PoolContext;
  readonly #secrets = new TypedSecrets();
  #straying: NodeJS.Timeout | undefined;
  /** Time of the last return (`performance.now()`). */
  lastUsed = performance.now();
  wasLent = false;

  constructor(
    life: WorkerSlot,
    { host, log, context, definition, audit }: PooledSessionOptions,
    listener: PooledSessionListener,
  ) {
    this.life = life;
    this.#audit = audit;
    this.#definition = definition;
    this.#context = context;
    this.#conversation = new Conversation(host, {
      reached: () => sessionLog.reached(),
      changed: () => this.#watchHome(listener),
      fault: ({ reason }, record) => sessionLog.faulty(reason, record),
      silent: (reason) => reason !== undefined && sessionLog.silent(reason),
      ended: (end) => {
        clearTimeout(this.#straying);
        sessionLog.ended(end.kind, hostEndDetail(end));
        listener.ended();
      },
    });
    const { user } = life.definition;
    const facts = { kind: 'pool', user, pool: definition.name, host: definition.host } as const;
    const sessionLog = new SessionLog(log, this.#conversation, facts);
  }

  /** Also fires during walks; the listener checks if the session is lent. */
  #watchHome(listener: PooledSessionListener): void {
    if (this.#straying !== undefined || this.isAtHome) return;
    this.#straying = setTimeout(() => {
      this.#straying = undefined;
      if (!this.isAtHome) listener.strayed();
    }, DRAWING_MILLISECONDS).unref();
  }

  get conversation(): Pick<Conversation, 'id' | 'isConnected' | 'deviceName'> {
    return this.#conversation;
  }

  get hasEnded(): boolean {
    return this.#conversation.end !== undefined;
  }

  /** True if the session may be lent: the host waits for input on the home screen. */
  get isAtHome(): boolean {
    const conversation = this.#conversation;
    const { end, isSettled, programCheck } = conversation;
    // evaluated last: `image` copies the screen
    return (
      end === undefined && isSettled && programCheck === undefined && isScreen(this.#context.home, conversation.image)
    );
  }

  async signOn(signal: StopSignal): Promise<SignOnEnd> {
    const { user } = this.life.definition;
    const secret = this.#password;
    const { screens, signOn: steps } = this.#context;
    const conversation = this.#conversation;
    conversation.connect();
    const values = new Map([
      ['user', user],
      ['password', secret],
    ]);
    const told = (end: WalkOutcome) => withheld(maskSecrets(end, [secret]), steps, passwordAlone);
    const outcome = told(await runSteps({ session: this.#recorded(this.#pool), screens, steps, values, signal }));
    if (outcome.kind !== 'done') {
      return { kind: isRefusal(outcome, steps) ? 'refused' : 'trouble', words: wordsOfWalk(outcome) };
    }
    const arrived = await conversation.expect([this.#context.home], { withinMilliseconds: HOME_MILLISECONDS, signal });
    if (arrived.kind === 'done') return { kind: 'signedOn' };
    const words = wordsOfWalk(told({ kind: 'failed', step: steps.length, pressed: true, failure: arrived }));
    if (arrived.kind !== 'guardFailed') return { kind: 'trouble', words };
    // the steps may have missed a refusal: if the home screen is unreachable, count a refusal so that the host does not
    // lock the user
    return (await this.comeHome(signal)) ? { kind: 'signedOn' } : { kind: 'refused', words };
  }

  /**
   * Starts in the current turn of the event loop. The outcome contains neither the password of the session's user nor
   * secrets of this call and of earlier ones.
   * @throws the abort reason of `signal`
   */
  async walk(
    { service, by, steps, screens, values, secrets }: Omit<PoolWalk, 'caller' | 'signal'>,
    signal: StopSignal,
  ): Promise<WalkOutcome> {
    this.wasLent = true;
    this.#secrets.remember(secrets);
    const session = this.#recorded(by, service);
    const outcome = await runSteps({ session, screens, steps, values, signal });
    if (outcome.kind !== 'failed') return maskSecrets(outcome, secrets);
    return this.#secrets.hide(outcome, [this.#password, ...secrets]);
  }

  #recorded(by: Actor, service = this.#definition.signOn): WalkedSession {
    const { host } = this.#definition;
    return withRecordedTransfers(this.#conversation, this.#audit, { by, host, service });
  }

  get #pool(): Actor {
    return { who: `pool ${this.#definition.name}`, from: 'pool' };
  }

  get #password(): string {
    return new TextDecoder().decode(this.life.definition.password);
  }

  /** @throws the abort reason of `signal` */
  async comeHome(signal: StopSignal): Promise<boolean> {
    const conversation = this.#conversation;
    const { home, returnHome } = this.#context;
    const wait = { withinMilliseconds: HOME_MILLISECONDS, signal };
    for (const press of returnHome) {
      const settled = await conversation.waitUntilSettled(() => true, wait);
      if (settled === 'aborted') throw signal.reason;
      if (settled !== 'holds' || conversation.programCheck !== undefined) return false;
      if (this.isAtHome) return true;
      if (conversation.act({ press }) !== undefined) return false;
    }
    return (await conversation.expect([home], wait)).kind === 'done' && this.isAtHome;
  }

  async signOff(signal: StopSignal): Promise<void> {
    const { signOff: steps, screens } = this.#context;
    try {
      if (steps !== undefined && this.isAtHome) {
        const service = this.#definition.signOff ?? '';
        await this.walk({ service, by: this.#pool, steps, screens, values: new Map(), secrets: [] }, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.end();
    }
  }

  end(): void {
    this.#conversation.stop();
  }
}

/** True if the host rejected a sign-on after it received the password. */
function isRefusal(outcome: WalkOutcome, steps: readonly ServiceStep[]): boolean {
  if (outcome.kind === 'answered') return true;
  if (outcome.kind !== 'failed') return false;
  const { failure } = outcome;
  if (failure.kind !== 'guardFailed' && failure.kind !== 'operatorError') return false;
  return isSent(outcome, steps, passwordAlone);
}

interface TransferCircumstances {
  readonly by: Actor;
  readonly host: string;
  readonly service: string;
}

class UntransferredError extends Error {
  constructor(readonly end: FileTransferEnd) {
    super('the file was not transferred');
  }
}

/**
 * Wraps a session so that its file transfers are in the audit trail: the intent before the host receives the command,
 * the outcome afterwards. `transferFile` throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE before anything is typed.
 */
function withRecordedTransfers(
  session: WalkedSession,
  audit: Pick<AuditTrail, 'record'>,
  { by, host, service }: TransferCircumstances,
): WalkedSession {
  return {
    get image() {
      return session.image;
    },
    get isSettled() {
      return session.isSettled;
    },
    settled: (wait) => session.settled(wait),
    expect: (definitions, expectation) => session.expect(definitions, expectation),
    step: (step) => session.step(step),
    readTable: (reading) => session.readTable(reading),
    transferFile: async (wanted) => {
      const { direction, hostFile, file } = wanted;
      const entry: AuditEntry = {
        who: by.who,
        from: by.from,
        what: direction === 'send' ? 'file.sent' : 'file.received',
        subject: `host ${host}`,
        after: { service, file: hostFile, bytes: file?.length },
      };
      const transfer = async () => {
        const end = await session.transferFile(wanted);
        if (end.kind === 'failed') throw new UntransferredError(end);
        return end;
      };
      return audit.record(entry, transfer).catch((error: unknown) => {
        if (error instanceof UntransferredError) return error.end;
        throw error;
      });
    },
  };
}

export interface PoolWalk {
  readonly service: string;
  readonly by: Actor;
  readonly steps: readonly ServiceStep[];
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  /** Texts to type by parameter name. */
  readonly values: ReadonlyMap<string, string>;
  /** Values of secret parameters; they are masked for later callers of the session. */
  readonly secrets: readonly string[];
  readonly caller: string;
  readonly signal: AbortSignal;
}
