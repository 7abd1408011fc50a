import { createHmac, randomBytes } from 'node:crypto';
import { ServiceError } from '../../lib/errors.js';
import { type Measures, noMeasures } from '../../lib/measures.js';
import type { RefusedUser, SecurityDatabase, SecurityUser } from '../users/security-database.js';
import { foldedName, isSecurityName } from '../users/security-name.js';
import { deviceKeyOf, newDeviceCode, readDeviceCode } from './device-cookie.js';
import type { FailureLimit } from './failure-limit.js';
import type { SignOnAudit, SignOnMethod } from './sign-on-audit.js';

/** How long a password that was right need not be hashed again: programs send it with every request. */
const REMEMBERED_MILLISECONDS = 300_000;
const MOST_REMEMBERED = 1_000;

/** Longer ones are nobody's. */
const LONGEST_WIRE_PASSWORD = 1_024;

interface SignOnServiceOptions {
  /** Of a clock that nobody sets, for what is remembered. */
  readonly now?: () => number;
  /** Of the wall: users expire by the calendar. */
  readonly today?: () => number;
  /** Not given: nobody counts. */
  readonly measures?: Pick<Measures, 'signOnEnded'>;
  /** Not given: nothing is put on record. */
  readonly audit?: Pick<SignOnAudit, 'signedOn' | 'refused'>;
}

/** Who signs on, and how. */
interface Credentials {
  readonly address: string;
  /** Of a browser with which the user has signed on before. */
  readonly device?: string | undefined;
  readonly name: string;
  readonly password: string;
  readonly method: SignOnMethod;
}

/** The database has said no. */
class RefusedSignOnError extends ServiceError {
  readonly user: RefusedUser | undefined;

  constructor(user: RefusedUser | undefined) {
    super('SVC_ERR_SIGNON_REFUSED');
    this.user = user;
  }
}

/** Why a sign-on was refused, as the audit trail says it. */
const reasons: Readonly<Partial<Record<string, string>>> = {
  SVC_ERR_SIGNON_REFUSED: 'unknown',
  SVC_ERR_SIGNON_LIMIT: 'limit of the address',
  SVC_ERR_SECURITY_UNAVAILABLE: 'users cannot be asked',
  SVC_ERR_SERVICE_BUSY: 'busy',
};

interface Remembered {
  readonly user: SecurityUser;
  readonly until: number;
}

/**
 * Signs users on, within the bounds of their address. Passwords are kept nowhere: what was right is remembered for some
 * minutes as a keyed digest that ends with this process, and is asked of the database again when the user changes.
 */
export class SignOnService {
  readonly #database: SecurityDatabase;
  readonly #limit: FailureLimit;
  readonly #now: () => number;
  readonly #today: () => number;
  readonly #measures: Pick<Measures, 'signOnEnded'>;
  readonly #audit: SignOnServiceOptions['audit'];
  readonly #key = randomBytes(32);
  readonly #remembered = new Map<string, Remembered>();
  readonly #underWay = new Map<string, Promise<SecurityUser>>();

  constructor(
    database: SecurityDatabase,
    limit: FailureLimit,
    { now = () => performance.now(), today = Date.now, measures = noMeasures, audit }: SignOnServiceOptions = {},
  ) {
    this.#audit = audit;
    this.#measures = measures;
    this.#database = database;
    this.#limit = limit;
    this.#now = now;
    this.#today = today;
  }

  /**
   * @param address what counts as one client, where no code is one that a browser was given for this user
   * @param deviceCodes as the browser has sent them
   * @throws ServiceError SVC_ERR_SIGNON_REFUSED, SVC_ERR_SIGNON_LIMIT, SVC_ERR_SECURITY_UNAVAILABLE, SVC_ERR_SERVICE_BUSY
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
    // the same credentials many times at once are one try
    const shared = remembered ?? this.#underWay.get(digest);
    if (shared !== undefined) {
      const user = await shared;
      // a browser in which somebody signs on has a sign-on of its own
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
   * The same with a try of the database in any case: before something is changed that a lock is to keep from being changed.
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
   * For the browser with which a user has just signed on.
   * @returns undefined: it keeps what it has, or there are none for this user
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

  /**
   * A user who has signed on before, as the database has it now; undefined: must sign on again.
   */
  async current(user: Pick<SecurityUser, 'name' | 'passwordSet'>): Promise<SecurityUser | undefined> {
    const now = await this.#database.findUser(user.name);
    if (now === undefined || now.passwordSet !== user.passwordSet) return undefined;
    return now.endsAt !== undefined && now.endsAt <= this.#today() ? undefined : now;
  }

  /** Counts a try, not what is remembered of an earlier one. */
  async #measured(credentials: Credentials, work: () => Promise<SecurityUser>): Promise<SecurityUser> {
    try {
      const user = await work();
      this.#measures.signOnEnded(credentials.method, 'signedOn');
      return user;
    } catch (error) {
      return this.#refused(credentials, error);
    }
  }

  #refused({ address, name, method }: Credentials, error: unknown): never {
    const code = error instanceof ServiceError ? error.code : 'failed';
    this.#measures.signOnEnded(method, code);
    const user = error instanceof RefusedSignOnError ? error.user : undefined;
    // where nothing can be put on record, that cannot be either
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
 * A name of its own. What was cut out of a longer text keeps the whole of it in memory (V8 does not copy), and that has the
 * password in it; databases remember names.
 */
function copyOf(name: string): string {
  return Buffer.from(name, 'latin1').toString('latin1');
}
