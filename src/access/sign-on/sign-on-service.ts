import { createHmac, randomBytes } from 'node:crypto';
import { ServiceError } from '../../lib/errors.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import { foldedName, isSecurityName } from '../users/security-name.js';
import type { RefusedUser, SecurityUser, UserStore } from '../users/user-store.js';
import { deviceKeyOf, newDeviceCode, readDeviceCode } from './device-cookie.js';
import type { FailureLimit } from './failure-limit.js';
import type { SignOnAudit, SignOnMethod } from './sign-on-audit.js';

/** How long a correct password is remembered. Programs send it with every request, and hashing is slow. */
const REMEMBERED_MILLISECONDS = 300_000;
const MOST_REMEMBERED = 1_000;

/** Longer passwords are never correct. */
const LONGEST_WIRE_PASSWORD = 1_024;

interface SignOnServiceOptions {
  /** Monotonic clock. */
  readonly now?: () => number;
  /** System clock. Users expire by date. */
  readonly today?: () => number;
  readonly metrics?: Pick<Metrics, 'signOnEnded'>;
  readonly audit?: Pick<SignOnAudit, 'signedOn' | 'refused'>;
}

interface Credentials {
  readonly address: string;
  /** Set if the browser has a valid device code of this user. */
  readonly device?: string | undefined;
  readonly name: string;
  readonly password: string;
  readonly method: SignOnMethod;
}

class RefusedSignOnError extends ServiceError {
  readonly user: RefusedUser | undefined;

  constructor(user: RefusedUser | undefined) {
    super('SVC_ERR_SIGNON_REFUSED');
    this.user = user;
  }
}

const reasons: Readonly<Partial<Record<string, string>>> = {
  SVC_ERR_SIGNON_REFUSED: 'unknown',
  SVC_ERR_SIGNON_LIMIT: 'limit of the address',
  SVC_ERR_SECURITY_UNAVAILABLE: 'users cannot be checked',
  SVC_ERR_SERVICE_BUSY: 'busy',
};

interface Remembered {
  readonly user: SecurityUser;
  readonly until: number;
}

/**
 * Signs users on, within the limit of their address. Stores no passwords: a correct password is remembered for 5
 * minutes as a keyed digest in this process, and is checked again if the user changes.
 */
export class SignOnService {
  readonly #database: UserStore;
  readonly #limit: FailureLimit;
  readonly #now: () => number;
  readonly #today: () => number;
  readonly #metrics: Pick<Metrics, 'signOnEnded'>;
  readonly #audit: SignOnServiceOptions['audit'];
  readonly #key = randomBytes(32);
  readonly #remembered = new Map<string, Remembered>();
  readonly #underWay = new Map<string, Promise<SecurityUser>>();

  constructor(
    database: UserStore,
    limit: FailureLimit,
    { now = () => performance.now(), today = Date.now, metrics = noMetrics, audit }: SignOnServiceOptions = {},
  ) {
    this.#audit = audit;
    this.#metrics = metrics;
    this.#database = database;
    this.#limit = limit;
    this.#now = now;
    this.#today = today;
  }

  /**
   * @param address client key, unless a device code of this user is given
   * @param deviceCodes as sent by the browser
   * @throws ServiceError SVC_ERR_SIGNON_REFUSED, SVC_ERR_SIGNON_LIMIT, SVC_ERR_SECURITY_UNAVAILABLE,
   * SVC_ERR_SERVICE_BUSY
   */
  async signOn(
    address: string,
    name: string,
    password: string,
    method: SignOnMethod = 'scenario',
    deviceCodes: readonly string[] = [],
  ): Promise<SecurityUser> {
    const code = (await this.#knownDevice(name, deviceCodes))?.code;
    const device = code === undefined ? undefined : deviceKeyOf(code);
    const credentials = { address, name, password, method, device };
    const client = device ?? address;
    await this.#limit.check(client).catch((error) => this.#refused(credentials, error));
    const digest = this.#digestOf(client, name, password);
    const remembered = await this.#rememberedUser(digest);
    // Concurrent sign-ons with the same credentials share one attempt.
    const shared = remembered ?? this.#underWay.get(digest);
    if (shared !== undefined) {
      const user = await shared;
      // Each sign-on through the form gets its own entry.
      if (method === 'form') await this.#audit?.signedOn(address, user.name, method);
      return user;
    }
    const trying = this.#measured(credentials, () => this.#try(credentials, digest)).finally(() =>
      this.#underWay.delete(digest),
    );
    this.#underWay.set(digest, trying);
    return trying;
  }

  /**
   * Like `signOn`, but always queries the database. For changes that a locked user must not make.
   * @throws what `signOn` throws
   */
  async signOnAnew(
    address: string,
    name: string,
    password: string,
    method: SignOnMethod = 'scenario',
  ): Promise<SecurityUser> {
    const credentials = { address, name, password, method };
    return this.#measured(credentials, async () => {
      await this.#limit.check(address);
      return this.#try(credentials, this.#digestOf(address, name, password));
    });
  }

  /**
   * Call after a sign-on.
   * @returns undefined if the browser keeps its code, or if this user has no codes
   */
  async newDeviceCode(name: string, deviceCodes: readonly string[]): Promise<string | undefined> {
    const known = await this.#knownDevice(name, deviceCodes);
    if (known?.isOld === false) return undefined;
    const key = await this.#database.deviceKey?.(name);
    return key && newDeviceCode(key, this.#today());
  }

  async #knownDevice(
    name: string,
    codes: readonly string[],
  ): Promise<{ readonly code: string; readonly isOld: boolean } | undefined> {
    const key = codes.length > 0 && isSecurityName(name) ? await this.#database.deviceKey?.(name) : undefined;
    if (key === undefined) return undefined;
    for (const code of codes) {
      const read = readDeviceCode(key, code, this.#today());
      if (read !== undefined) return { code, ...read };
    }
    return undefined;
  }

  /** Current state of a signed-on user. Undefined: the user must sign on again. */
  async current(user: Pick<SecurityUser, 'name' | 'passwordSet'>): Promise<SecurityUser | undefined> {
    const now = await this.#database.findUser(user.name);
    if (now === undefined || now.passwordSet !== user.passwordSet) return undefined;
    return now.endsAt !== undefined && now.endsAt <= this.#today() ? undefined : now;
  }

  async #measured(credentials: Credentials, work: () => Promise<SecurityUser>): Promise<SecurityUser> {
    try {
      const user = await work();
      this.#metrics.signOnEnded(credentials.method, 'signedOn');
      return user;
    } catch (error) {
      return this.#refused(credentials, error);
    }
  }

  #refused({ address, name, method }: Credentials, error: unknown): never {
    const code = error instanceof ServiceError ? error.code : 'failed';
    this.#metrics.signOnEnded(method, code);
    const user = error instanceof RefusedSignOnError ? error.user : undefined;
    // Nothing can be recorded, including this refusal.
    if (code !== 'SVC_ERR_AUDIT_UNAVAILABLE') {
      this.#audit?.refused({ address, name, method, user, reason: reasons[code] ?? 'failed' });
    }
    throw error;
  }

  async #try({ address, device, name, password, method }: Credentials, digest: string): Promise<SecurityUser> {
    const client = device ?? address;
    const begun = await this.#limit.begin(client);
    let hasFailed = false;
    try {
      const isPossible = isSecurityName(name) && password.length <= LONGEST_WIRE_PASSWORD;
      const [tried, secret] = isPossible ? [copyOf(name), password] : ['', ''];
      const outcome = await this.#database.signOn(tried, secret, address, device);
      if (outcome.kind === 'signedOn') {
        await this.#audit?.signedOn(address, outcome.user.name, method);
        this.#remember(digest, outcome.user);
        return outcome.user;
      }
      hasFailed = true;
      throw new RefusedSignOnError(outcome.user);
    } finally {
      await this.#limit.end(client, begun, hasFailed);
    }
  }

  #digestOf(client: string, name: string, password: string): string {
    return createHmac('sha256', this.#key)
      .update(`${client}\0${foldedName(name)}\0`)
      .update(password)
      .digest('base64url');
  }

  async #rememberedUser(digest: string): Promise<SecurityUser | undefined> {
    const remembered = this.#remembered.get(digest);
    if (remembered === undefined) return undefined;
    const user = remembered.until <= this.#now() ? undefined : await this.current(remembered.user);
    if (user === undefined) this.#remembered.delete(digest);
    return user;
  }

  #remember(digest: string, user: SecurityUser): void {
    this.#remembered.set(digest, { user, until: this.#now() + REMEMBERED_MILLISECONDS });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= MOST_REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
  }
}

/**
 * Copies the name. In V8, a substring keeps the whole original string in memory, here with the password, and databases
 * cache names.
 */
function copyOf(name: string): string {
  return Buffer.from(name, 'latin1').toString('latin1');
}
