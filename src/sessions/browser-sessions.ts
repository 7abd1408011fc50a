import type { CryptDefinition } from '../crypto/crypt-definition.js';
import type { KeyPair } from '../crypto/key-pair.js';
import { KeyPool } from '../crypto/key-pool.js';
import { SessionCrypto } from '../crypto/session-crypto.js';
import { ServiceError } from '../lib/errors.js';
import type { Log } from '../lib/log/log.js';
import { type Metrics, noMetrics, secondsSince } from '../lib/metrics.js';
import { addressGroupOf } from '../lib/network/addresses.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import { BrowserSession } from './browser-session.js';
import { readConnectionScript, repeatedPart, type ScriptStep } from './connection-script.js';
import { ScenarioSession, ScenarioSessions } from './scenario-sessions.js';
import type { SessionFacts, SessionRules, SessionScenarios, SessionTimes } from './session-facts.js';
import type { SessionHost, TerminalWishes } from './session-host.js';
import { type LineSessionLimits, type SessionLimits, SessionRegistry } from './session-registry.js';
import { SessionTransfers } from './session-transfers.js';
import { SignOnChallenge } from './sign-on-challenge.js';

/** Part of the places for waiting sessions that one address may use. */
const SHARE_OF_ADDRESS = 1 / 4;

interface KeyPoolSizes {
  readonly ready: number;
  readonly waiting: number;
}

interface SessionServiceOptions {
  readonly crypts: readonly CryptDefinition[];
  readonly keyPool: KeyPoolSizes;
  readonly limits: SessionLimits;
  /** Node name for session codes; undefined if there is only one node. */
  readonly node?: string | undefined;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, 'keyWaited'>;
  readonly prepare?: () => void;
}

/** Access to the transaction; `users` have signed on to Sallyport. */
interface SessionAccess {
  readonly openTo: 'anybody' | 'users' | 'nobody';
}

interface SessionRequest extends SessionAccess {
  readonly facts: SessionFacts;
  /** Host of `facts.application`; undefined if it does not exist. */
  readonly host: SessionHost | undefined;
  readonly limits: LineSessionLimits;
  readonly times: SessionTimes;
  readonly crypt: string | undefined;
  readonly wishes: TerminalWishes;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
  readonly scenarios: SessionScenarios;
  readonly rules: SessionRules;
  readonly parameter: (name: string) => string | undefined;
}

interface ServiceSessionRequest
  extends Pick<SessionRequest, 'openTo' | 'facts' | 'host' | 'limits' | 'wishes' | 'tioaAtLogon' | 'tioaAtLogoff'> {
  readonly log?: Log;
}

export class BrowserSessions {
  readonly registry: SessionRegistry;
  readonly services = new ScenarioSessions();
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

  get node(): string | undefined {
    return this.#options.node;
  }

  open(): void {
    for (const pool of this.#pools.values()) pool.open();
  }

  /**
   * Its host may not be connected yet.
   * @returns the session and the value of its cookie
   * @throws ServiceError SVC_ERR_TRANSACTION_SECURED, SVC_ERR_LINE_DRAINED, SVC_ERR_SESSION_LIMIT,
   * SVC_ERR_SERVICE_STOPPING, SVC_ERR_TRANSACTION_UNAVAILABLE, SVC_ERR_REQUEST_PARAMETERS
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
   * Creates a host session for scenarios, not yet connected.
   * @throws ServiceError SVC_ERR_TRANSACTION_SECURED, SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING,
   * SVC_ERR_TRANSACTION_UNAVAILABLE, SVC_ERR_REQUEST_PARAMETERS
   */
  beginService({
    facts,
    openTo,
    host,
    limits,
    wishes,
    log = this.#options.log,
    ...scripts
  }: ServiceSessionRequest): ScenarioSession {
    requireAccess({ facts, openTo });
    const options = hostOptions(host, wishes);
    const logon = repeatedPart(scriptSteps(scripts.tioaAtLogon, options, facts.transaction));
    const logoff = scriptSteps(scripts.tioaAtLogoff, options, facts.transaction);
    const makeRoom = this.registry.occupy(facts, limits);
    const session = new ScenarioSession({
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
   * Prepares the encryption and key pair that a page needs.
   * @param encryptionNames all crypt names in the page
   * @param keyNames crypt names whose public key the page needs
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
   * Creates the challenge for a sign-on form.
   * @param address of the browser
   * @param cryptName defaults to the first configured one; if none is configured, the password is sent unencrypted
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

  get keysReady(): number {
    return [...this.#pools.values()].reduce((sum, { ready }) => sum + ready, 0);
  }

  async #takeKeyPair(bits: number, address: string): Promise<KeyPair> {
    const pool = this.#pools.get(bits);
    if (pool === undefined) throw new Error(`no pool of ${bits} bits`);
    const { metrics = noMetrics } = this.#options;
    const since = performance.now();
    try {
      return await pool.take(addressGroupOf(address));
    } finally {
      metrics.keyWaited(secondsSince(since));
    }
  }
}

/** All session starts pass this check. @throws ServiceError SVC_ERR_TRANSACTION_SECURED */
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
  if (read.kind === 'fault') throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: read.reason });
  return read.value;
}

const BELIEVED_MILLISECONDS = 15 * 60_000;

/** Result of recent sessions with a host; no connection is made to find out. */
export type HostState = 'reached' | 'notReached' | 'unknown';

/** By name of the host. Names come from the configuration, so the map is bounded. */
class HostStates {
  readonly #found = new Map<string, { readonly isReached: boolean; readonly at: number }>();

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
