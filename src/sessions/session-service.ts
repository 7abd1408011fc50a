import type { CryptDefinition } from '../crypto/crypt-definition.js';
import type { KeyPair } from '../crypto/key-pair.js';
import { KeyPool } from '../crypto/key-pool.js';
import { SessionCrypto } from '../crypto/session-crypto.js';
import { ServiceError } from '../lib/errors.js';
import type { Log } from '../lib/log/log.js';
import { type Measures, noMeasures, secondsSince } from '../lib/measures.js';
import { addressGroupOf } from '../lib/network/addresses.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import { BrowserSession } from './browser-session.js';
import { readConnectionScript, repeatedPart, type ScriptStep } from './connection-script.js';
import { ServiceSession, ServiceSessions } from './service-session.js';
import type { SessionFacts, SessionRules, SessionScenarios, SessionTimes } from './session-facts.js';
import type { SessionHost, TerminalWishes } from './session-host.js';
import { type LineSessionLimits, type SessionLimits, SessionRegistry } from './session-registry.js';
import { SessionTransfers } from './session-transfers.js';
import { SignOnChallenge } from './sign-on-challenge.js';

/** What part of those that may wait for a key pair may be of one address. */
const SHARE_OF_ADDRESS = 1 / 4;

interface KeyPoolSizes {
  /** Key pairs kept ready. */
  readonly ready: number;
  /** Sessions that may wait for one. */
  readonly waiting: number;
}

interface SessionServiceOptions {
  readonly crypts: readonly CryptDefinition[];
  readonly keyPool: KeyPoolSizes;
  readonly limits: SessionLimits;
  /** Of this server, in the codes of its sessions; not given: there is only one. */
  readonly node?: string | undefined;
  readonly log: Log;
  /** Not given: nobody counts. */
  readonly measures?: Pick<Measures, 'keyWaited'>;
  /** Called before the first session of a browser begins. */
  readonly prepare?: () => void;
}

/** Whom the transaction of a session is open to; users have signed on to Sallyport. */
interface SessionAccess {
  readonly openTo: 'anybody' | 'users' | 'nobody';
}

/** What begins a session. */
interface SessionRequest extends SessionAccess {
  readonly facts: SessionFacts;
  /** The application of the facts; undefined: there is no such host. */
  readonly host: SessionHost | undefined;
  readonly limits: LineSessionLimits;
  readonly times: SessionTimes;
  /** Crypt name of the transaction. */
  readonly crypt: string | undefined;
  readonly wishes: TerminalWishes;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
  readonly scenarios: SessionScenarios;
  readonly rules: SessionRules;
  readonly parameter: (name: string) => string | undefined;
}

/** What begins a host session that scenarios walk. */
interface ServiceSessionRequest extends SessionAccess {
  readonly facts: SessionFacts;
  /** The application of the facts; undefined: there is no such host. */
  readonly host: SessionHost | undefined;
  readonly limits: LineSessionLimits;
  readonly wishes: TerminalWishes;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
  /** Undefined: that of all sessions. */
  readonly log?: Log;
}

/** Begins sessions, finds them, and has the keys for them. */
export class SessionService {
  readonly registry: SessionRegistry;
  readonly services = new ServiceSessions();
  readonly hostStates = new HostStates();
  readonly transfers = new SessionTransfers();
  readonly #options: SessionServiceOptions;
  readonly #crypts: ReadonlyMap<string, CryptDefinition>;
  readonly #pools = new Map<number, KeyPool>();
  #isPrepared = false;

  constructor(options: SessionServiceOptions) {
    this.#options = options;
    this.registry = new SessionRegistry(options.limits, options.node);
    this.#crypts = new Map(options.crypts.map((definition) => [definition.name, definition]));
    for (const definition of options.crypts) {
      if (definition.kind === 'null') continue;
      const { bits } = definition.keyAlgorithm;
      const { ready: size, waiting: mostWaiting } = options.keyPool;
      if (this.#pools.has(bits)) continue;
      const mostWaitingOfAddress = Math.ceil(mostWaiting * SHARE_OF_ADDRESS);
      this.#pools.set(bits, new KeyPool({ bits, size, mostWaiting, mostWaitingOfAddress, log: options.log }));
    }
  }

  /** Of this server; undefined: there is only one. */
  get node(): string | undefined {
    return this.#options.node;
  }

  /** Begins to make keys. */
  open(): void {
    for (const pool of this.#pools.values()) pool.open();
  }

  /**
   * Begins a session; its host may not be connected yet.
   * @returns the session and the value of its cookie
   * @throws ServiceError SVC_ERR_TRANSACTION_SECURED, SVC_ERR_LINE_DRAINED, SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING, SVC_ERR_TRANSACTION_UNAVAILABLE,
   *   SVC_ERR_REQUEST_PARAMETERS
   */
  begin(request: SessionRequest): { readonly session: BrowserSession; readonly cookie: string } {
    const { facts, host, wishes } = request;
    requireAccess(request);
    const options = hostOptions(host, wishes);
    const steps = {
      logon: scriptSteps(request.tioaAtLogon, options, facts.transaction),
      logoff: scriptSteps(request.tioaAtLogoff, options, facts.transaction),
    };
    this.registry.admit(facts.line, facts.address, request.limits);
    if (!this.#isPrepared) this.#options.prepare?.();
    this.#isPrepared = true;
    const session = new BrowserSession({
      node: this.node,
      facts,
      times: request.times,
      host: options,
      crypt: request.crypt === undefined ? undefined : this.#crypts.get(request.crypt),
      takeKeyPair: (bits) => this.#takeKeyPair(bits, facts.address),
      logonScript: steps.logon,
      logoffScript: steps.logoff,
      scenarios: request.scenarios,
      rules: request.rules,
      transfers: this.transfers,
      parameter: request.parameter,
      log: this.#options.log,
    });
    const cookie = this.registry.add(session, request.limits);
    session.start();
    this.hostStates.watch(session);
    return { session, cookie };
  }

  /**
   * Begins a host session that scenarios walk; it is not connected yet.
   * @throws ServiceError SVC_ERR_TRANSACTION_SECURED, SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING,
   *   SVC_ERR_TRANSACTION_UNAVAILABLE, SVC_ERR_REQUEST_PARAMETERS
   */
  beginService({
    facts,
    openTo,
    host,
    limits,
    wishes,
    log = this.#options.log,
    ...scripts
  }: ServiceSessionRequest): ServiceSession {
    requireAccess({ facts, openTo });
    const options = hostOptions(host, wishes);
    const logon = repeatedPart(scriptSteps(scripts.tioaAtLogon, options, facts.transaction));
    const logoff = scriptSteps(scripts.tioaAtLogoff, options, facts.transaction);
    const makeRoom = this.registry.occupy(facts, limits);
    const session = new ServiceSession({
      facts,
      host: options,
      log,
      script: { ...logon, logoff },
      ended: () => {
        makeRoom();
        this.services.remove(session);
      },
    });
    this.services.add(session);
    return session;
  }

  /**
   * Sees to it that a session has what a page asks for: an encryption of that name, and the key pair.
   * @param encryptionNames crypt names the page names at all
   * @param keyNames those it wants the public key of
   */
  async prepareCrypto(
    session: BrowserSession,
    encryptionNames: readonly string[],
    keyNames: readonly string[],
  ): Promise<void> {
    for (const name of [...keyNames, ...encryptionNames]) {
      const definition = this.#crypts.get(name);
      if (definition !== undefined) session.useCrypt(definition);
    }
    const { crypto } = session;
    if (crypto !== undefined && keyNames.includes(crypto.name)) await session.keyed();
  }

  /**
   * A key pair for a sign-on form.
   * @param address of the browser
   * @param cryptName undefined: the first that is configured; where there is none at all, the password travels in clear
   */
  async challenge(address: string, cryptName: string | undefined): Promise<SignOnChallenge> {
    const definition = cryptName === undefined ? this.#options.crypts[0] : this.#crypts.get(cryptName);
    if (definition === undefined) return new SignOnChallenge(undefined, this.node);
    const crypto = new SessionCrypto(definition);
    const algorithm = crypto.missingKeyAlgorithm;
    if (algorithm !== undefined) crypto.adopt(await this.#takeKeyPair(algorithm.bits, address));
    return new SignOnChallenge(crypto, this.node);
  }

  async stop(): Promise<void> {
    await Promise.all([this.services.stop(), this.registry.stop()]);
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  /** Key pairs that nobody has yet. */
  get keysReady(): number {
    return [...this.#pools.values()].reduce((sum, { ready }) => sum + ready, 0);
  }

  async #takeKeyPair(bits: number, address: string): Promise<KeyPair> {
    const pool = this.#pools.get(bits);
    if (pool === undefined) throw new Error(`no pool of ${bits} bits`);
    const { measures = noMeasures } = this.#options;
    const since = performance.now();
    try {
      return await pool.take(addressGroupOf(address));
    } finally {
      measures.keyWaited(secondsSince(since));
    }
  }
}

/** Every way to begin a session ends here. @throws ServiceError SVC_ERR_TRANSACTION_SECURED */
function requireAccess({ facts, openTo }: SessionAccess & Pick<SessionRequest, 'facts'>): void {
  const isAllowed = openTo === 'anybody' || (openTo === 'users' && facts.user !== '');
  if (!isAllowed) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
}

function scriptSteps(text: string, { codePage }: HostSessionOptions, transaction: string): readonly ScriptStep[] {
  const steps = readConnectionScript(text, (codes) => codePage.decode(codes));
  if (steps.kind === 'fault') throw new Error(`connection script of ${transaction}: ${steps.fault}`);
  return steps.value;
}

function hostOptions(host: SessionHost | undefined, wishes: TerminalWishes): HostSessionOptions {
  if (host === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_UNAVAILABLE');
  const read = host.optionsFor(wishes);
  if (read.kind === 'fault') throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: read.fault });
  return read.value;
}

/** For how long it is believed that a host is as it was: it may be back by now. */
const BELIEVED_MILLISECONDS = 15 * 60_000;

/** What the last sessions tell of a host: nobody connects only to find out. */
export type HostState = 'reached' | 'notReached' | 'unknown';

/** How sessions have found their hosts, by the names of the hosts: those of the configuration, so that there are not too many. */
class HostStates {
  readonly #found = new Map<string, { readonly isReached: boolean; readonly at: number }>();

  /** Notes whether a session that has just begun gets to its host. */
  watch(session: BrowserSession): void {
    const { conversation, facts } = session;
    void session
      .waitUntil(() => conversation.isConnected)
      .then(() => {
        const { end } = session;
        const hasFailed = end?.kind === 'hostEnded' && (end.cause === 'failed' || end.cause === 'otherProtocol');
        if (conversation.isConnected || hasFailed) {
          this.#found.set(facts.application, { isReached: !hasFailed, at: performance.now() });
        }
      });
  }

  of(application: string): HostState {
    const found = this.#found.get(application);
    if (found === undefined || performance.now() - found.at > BELIEVED_MILLISECONDS) return 'unknown';
    return found.isReached ? 'reached' : 'notReached';
  }
}
