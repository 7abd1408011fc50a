import { createHmac, randomBytes } from 'node:crypto';
import type { Log } from '../../lib/log/log.js';
import { steadyNow } from '../../lib/steady-clock.js';
import { DEVICE_DAYS } from '../sign-on/device-cookie.js';
import { LockClock } from '../sign-on/lock-clock.js';
import { MemoryTryStore } from '../sign-on/memory-try-store.js';
import type { TryStore } from '../sign-on/try-store.js';
import type { LockedUsers, UserPage, UserQuery, UserRecord } from './editable-user-store.js';
import { hashPassword, passwordMatches } from './password-hash.js';
import type { RecordSecurityChange, SecurityChange } from './security-change.js';
import { compareNames, foldedName } from './security-name.js';
import {
  addedGroup,
  addedUser,
  changedUser,
  type NewUser,
  nameOf,
  removedGroup,
  removedUser,
  type UserChange,
  withPassword,
} from './user-changes.js';
import type { SecurityUser, SignOnOutcome, UserStore } from './user-store.js';
import type { UserEntry, UsersDocument, UsersDocumentStore } from './users-document.js';

interface LockRules {
  readonly lockAfter: number;
  /** Duration of a lock. 0: an administrator must unlock the user. */
  readonly lockMinutes: number;
}

export interface SecurityDatabaseOptions extends LockRules {
  readonly log: Log;
  /** System clock. */
  readonly now?: () => number;
  /** Monotonic clock. */
  readonly elapsed?: () => number;
  /** Failed attempts per user. Default: a store in this process. */
  readonly tries?: TryStore;
  /** Records a lock. If it rejects, the lock is not stored, and only the count of wrong passwords refuses the user. */
  readonly recordLock?: RecordSecurityChange;
  /** scrypt N for new passwords. Default: the N of password-hash.ts. */
  readonly passwordCost?: number;
}

const unrecorded: RecordSecurityChange = (_change, make) => make();

const DAY_MILLISECONDS = 86_400_000;
const MOST_COUNTED_USERS = 10_000;
/** How long an attempt counts if its process does not end it. */
const LONGEST_TRY_MILLISECONDS = 600_000;

class DocumentNames {
  readonly of: UsersDocument;
  readonly folded: ReadonlyMap<string, string>;
  #inOrder: readonly string[] | undefined;

  constructor(document: UsersDocument) {
    this.of = document;
    this.folded = new Map(Object.keys(document.users).map((name) => [foldedName(name), name]));
  }

  get inOrder(): readonly string[] {
    this.#inOrder ??= [...this.folded.keys()].sort().map((folded) => this.folded.get(folded) ?? folded);
    return this.#inOrder;
  }
}

/** Users and groups of a document in any storage. Other processes may change it. */
export class DocumentUserStore implements UserStore {
  readonly #options: SecurityDatabaseOptions;
  readonly #documents: UsersDocumentStore;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #tries: TryStore;
  readonly #lockClock: LockClock;
  readonly #locking = new Set<string>();
  /** Failed attempts that are stored after the response was sent. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #nobodysKey = randomBytes(32);
  #names: DocumentNames | undefined;

  constructor(documents: UsersDocumentStore, options: SecurityDatabaseOptions) {
    this.#documents = documents;
    this.#options = options;
    const { now = Date.now, elapsed = steadyNow, tries, lockMinutes } = options;
    this.#now = now;
    this.#elapsed = elapsed;
    this.#lockClock = new LockClock(lockMinutes * 60_000, now, elapsed);
    this.#tries = tries ?? new MemoryTryStore(MOST_COUNTED_USERS);
  }

  /** Resolves when all locks in progress are stored and recorded. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async signOn(name: string, password: string, address?: string, device?: string): Promise<SignOnOutcome> {
    const ofDevice = device === undefined ? undefined : await this.#signOnFrom(device, name, password, address);
    return ofDevice ?? this.#signOnFromAnywhere(name, password, address);
  }

  async deviceKey(name: string): Promise<Buffer> {
    const document = await this.#documents.read();
    const stored = document.users[this.#nameOf(document, name) ?? '']?.password;
    // The salt of the hash makes it usable as a key. It is the same on every server.
    const key = createHmac('sha256', stored ?? this.#nobodysKey).update(`device of ${foldedName(name)}`);
    return key.digest();
  }

  /** Undefined if the device has reached the limit of failures. */
  async #signOnFrom(
    device: string,
    name: string,
    password: string,
    address: string | undefined,
  ): Promise<SignOnOutcome | undefined> {
    const { lockAfter, lockMinutes, passwordCost, log } = this.#options;
    const now = this.#elapsed();
    const begun = await this.#tries.begin(device, { most: lockAfter, now, until: now + LONGEST_TRY_MILLISECONDS });
    if (begun.kind !== 'begun') return undefined;
    let isRight: boolean | undefined;
    try {
      const document = await this.#documents.read();
      const found = this.#nameOf(document, name);
      const entry = found === undefined ? undefined : document.users[found];
      const stored = password === '' ? undefined : entry?.password;
      isRight = await passwordMatches(password, stored, address, passwordCost, `device of ${foldedName(name)}`);
      return this.#outcome(found, entry, isRight, 'password');
    } finally {
      // Without automatic unlocking, failures count until all current device codes have expired.
      const until = this.#elapsed() + (lockMinutes === 0 ? DEVICE_DAYS * DAY_MILLISECONDS : lockMinutes * 60_000);
      const ended =
        isRight === false
          ? this.#tries.fail(device, begun.id, { now: this.#elapsed(), until })
          : Promise.all([this.#tries.release(device, begun.id), isRight && this.#tries.clear(device)]);
      await ended.catch((error: unknown) => log.error({ err: error }, 'wrong passwords cannot be counted'));
    }
  }

  async #signOnFromAnywhere(name: string, password: string, address: string | undefined): Promise<SignOnOutcome> {
    const key = foldedName(name);
    const now = this.#elapsed();
    const isCounted = await this.#isCounted(name);
    // Query the store for every name: the response time would reveal which names exist.
    const { lockAfter } = this.#options;
    const rule = { most: isCounted ? lockAfter : 0, now, until: now + LONGEST_TRY_MILLISECONDS };
    const begun = await this.#tries.begin(key, rule);
    // Attempts in progress count as failed, so that parallel attempts cannot exceed the limit.
    const id = begun.kind === 'begun' ? begun.id : undefined;
    // Read only now: if a lock cleared the failures before the attempt started, the document contains the lock.
    const document = await this.#documents.read();
    const found = this.#nameOf(document, name);
    const entry = found === undefined ? undefined : document.users[found];
    const isLocked = found !== undefined && entry !== undefined && this.#isLocked(found, entry);
    const isTried = id !== undefined && entry !== undefined && !isLocked;
    let isRight: boolean | undefined;
    try {
      const stored = isTried && password !== '' ? entry.password : undefined;
      isRight = await passwordMatches(password, stored, address, this.#options.passwordCost);
    } finally {
      // An attempt refused without a check is not a wrong password.
      const counted = isTried && isRight !== undefined ? found : undefined;
      if (id !== undefined) await this.#endTry(key, id, isRight === true, counted);
    }
    return this.#outcome(found, entry, isRight, isTried ? 'password' : 'locked');
  }

  #outcome(
    found: string | undefined,
    entry: UserEntry | undefined,
    isRight: boolean,
    reason: 'password' | 'locked',
  ): SignOnOutcome {
    if (found === undefined || entry === undefined) return { kind: 'refused' };
    if (!isRight) {
      this.#options.log.info({ user: found, locked: reason === 'locked' }, 'sign-on refused');
      return { kind: 'refused', user: { name: found, reason } };
    }
    const user = this.#userOf(found, entry);
    if (user.endsAt !== undefined && user.endsAt <= this.#now()) {
      this.#options.log.info({ user: found }, 'sign-on refused: the user has expired');
      return { kind: 'refused', user: { name: found, reason: 'expired' } };
    }
    return { kind: 'signedOn', user };
  }

  async findUser(name: string): Promise<SecurityUser | undefined> {
    return this.findRecord(name);
  }

  async findRecord(name: string): Promise<UserRecord | undefined> {
    const document = await this.#documents.read();
    const found = this.#nameOf(document, name);
    const entry = found === undefined ? undefined : document.users[found];
    return found === undefined || entry === undefined ? undefined : this.#recordOf(found, entry);
  }

  async findGroup(name: string): Promise<string | undefined> {
    return nameOf((await this.#documents.read()).groups, name);
  }

  async identityOf(kind: 'group' | 'user', name: string): Promise<string | undefined> {
    const document = await this.#documents.read();
    if (kind === 'group') {
      const group = nameOf(document.groups, name);
      return group === undefined ? undefined : JSON.stringify([group, document.groupIds?.[group]]);
    }
    const found = this.#nameOf(document, name);
    const entry = found === undefined ? undefined : document.users[found];
    return entry === undefined ? undefined : JSON.stringify([found, entry.id]);
  }

  users(): Promise<readonly UserRecord[]> {
    return this.records();
  }

  async records(): Promise<readonly UserRecord[]> {
    const document = await this.#documents.read();
    return this.#recordsOf(document, this.#namesOf(document).inOrder);
  }

  async recordPage({ search, group, from, most }: UserQuery): Promise<UserPage> {
    const document = await this.#documents.read();
    const { inOrder } = this.#namesOf(document);
    const text = foldedName(search);
    const ofGroup = foldedName(group);
    const isFound = (name: string) =>
      (group === '' || document.users[name]?.groups.some((its) => foldedName(its) === ofGroup)) === true &&
      foldedName(name).includes(text);
    const found = text === '' && group === '' ? inOrder : inOrder.filter(isFound);
    return { count: found.length, records: this.#recordsOf(document, found.slice(from, from + most)) };
  }

  async userNames(): Promise<readonly string[]> {
    return this.#namesOf(await this.#documents.read()).inOrder;
  }

  async lockedUsers(most: number): Promise<LockedUsers> {
    const document = await this.#documents.read();
    const locked = Object.entries(document.users).filter(([name, entry]) => this.#isLocked(name, entry));
    const names = locked.map(([name]) => name).sort(compareNames);
    return { count: locked.length, records: this.#recordsOf(document, names.slice(0, most)) };
  }

  async memberCounts(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const { users } = await this.#documents.read();
    for (const { groups } of Object.values(users)) {
      for (const name of groups) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  async hasAdministrator(): Promise<boolean> {
    const { users } = await this.#documents.read();
    return Object.entries(users).some(([name, entry]) => {
      if (entry.role !== 'administrator') return false;
      const { hasPassword, isExpired } = this.#recordOf(name, entry);
      return hasPassword && !isExpired;
    });
  }

  async groups(): Promise<readonly string[]> {
    return [...(await this.#documents.read()).groups].sort(compareNames);
  }

  async addUser(user: NewUser, password: string | undefined, record = unrecorded): Promise<SecurityChange> {
    const { bounds } = this.#documents;
    const hash = password === undefined ? undefined : await hashPassword(password, this.#options.passwordCost);
    return this.#change(
      (document) => addedUser(document, user, hash, { instant: this.#instant(), bounds }),
      userFacts(user.name),
      record,
    );
  }

  changeUser(name: string, change: UserChange, record = unrecorded): Promise<SecurityChange> {
    const { bounds } = this.#documents;
    return this.#change(
      (document) => changedUser(document, name, change, { today: this.#today(), bounds }),
      userFacts(name),
      record,
    );
  }

  async setPassword(name: string, password: string, record = unrecorded): Promise<SecurityChange> {
    const hash = await hashPassword(password, this.#options.passwordCost);
    const change = await this.#change(
      (document) => withPassword(document, name, hash, this.#instant()),
      userFacts(name),
      record,
    );
    await this.#clearFailures(foldedName(name));
    return change;
  }

  async unlock(name: string, record = unrecorded): Promise<SecurityChange> {
    const change = await this.changeUser(name, { locked: undefined }, record);
    await this.#clearFailures(foldedName(name));
    return change;
  }

  removeUser(name: string, record = unrecorded): Promise<SecurityChange> {
    return this.#change((document) => removedUser(document, name, this.#today()), userFacts(name), record);
  }

  addGroup(name: string, record = unrecorded): Promise<SecurityChange> {
    const itself: RecordSecurityChange = (change, make) => record({ ...change, newGroups: [] }, make);
    return this.#change((document) => addedGroup(document, name, this.#documents.bounds), groupFacts(name), itself);
  }

  removeGroup(name: string, record = unrecorded): Promise<SecurityChange> {
    return this.#change((document) => removedGroup(document, name), groupFacts(name), record);
  }

  /** True unless the user does not exist or is locked. */
  async #isCounted(name: string): Promise<boolean> {
    const document = await this.#documents.read();
    const found = this.#nameOf(document, name);
    const entry = found === undefined ? undefined : document.users[found];
    return found !== undefined && entry !== undefined && !this.#isLocked(found, entry);
  }

  /**
   * Locks the user after too many failures. Counting and locking run in the background, because the response time would
   * reveal which names exist.
   * @param found undefined if the attempt does not count
   */
  async #endTry(key: string, id: string, isRight: boolean, found: string | undefined): Promise<void> {
    const { log, lockAfter } = this.#options;
    const failed = (error: unknown) => log.error({ err: error, user: found }, 'wrong passwords cannot be counted');
    if (isRight) {
      await Promise.all([this.#tries.release(key, id), this.#tries.clear(key)]).catch(failed);
      return;
    }
    if (found === undefined) {
      void this.#tries.release(key, id).catch(failed);
      return;
    }
    const counted = this.#tries.fail(key, id, { now: this.#elapsed(), until: undefined });
    const stored = counted.then(async (failures) => {
      if (failures < lockAfter || this.#locking.has(key)) return;
      await this.#lock(found).catch((error: unknown) =>
        log.error({ err: error, user: found }, 'the lock of a user cannot be stored'),
      );
    }, failed);
    this.#underWay.add(stored);
    void stored.finally(() => this.#underWay.delete(stored));
  }

  async #clearFailures(key: string): Promise<void> {
    await this.#tries
      .clear(key)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'the count of wrong passwords cannot be reset'),
      );
  }

  async #lock(name: string): Promise<void> {
    const key = foldedName(name);
    this.#locking.add(key);
    try {
      await this.changeUser(name, { locked: this.#instant() }, this.#options.recordLock);
      await this.#clearFailures(key);
    } finally {
      this.#locking.delete(key);
    }
    this.#options.log.warn({ user: name, after: this.#options.lockAfter }, 'user locked after wrong passwords');
  }

  async #change(
    change: (document: UsersDocument) => UsersDocument,
    factsOf: (document: UsersDocument) => SecurityChange['before'],
    record: RecordSecurityChange,
  ): Promise<SecurityChange> {
    return this.#documents.change(async (document, write) => {
      const after = change(document);
      const made = { before: factsOf(document), after: factsOf(after) };
      const newGroups = after.groups.filter((group) => !document.groups.includes(group)).sort(compareNames);
      await record({ ...made, newGroups }, () => write(after));
      return made;
    });
  }

  #nameOf(document: UsersDocument, name: string): string | undefined {
    return this.#namesOf(document).folded.get(foldedName(name));
  }

  #namesOf(document: UsersDocument): DocumentNames {
    if (this.#names?.of !== document) this.#names = new DocumentNames(document);
    return this.#names;
  }

  #recordsOf({ users }: UsersDocument, names: readonly string[]): readonly UserRecord[] {
    return names.flatMap((name) => {
      const entry = users[name];
      return entry === undefined ? [] : [this.#recordOf(name, entry)];
    });
  }

  #isLocked(name: string, { locked }: UserEntry): boolean {
    if (locked === undefined) return false;
    return this.#options.lockMinutes === 0 || !this.#lockClock.isOver(name, locked);
  }

  #userOf(name: string, { role, groups, passwordSet, expires }: UserEntry): SecurityUser {
    const endsAt = expires === undefined ? undefined : Date.parse(`${expires}T00:00:00Z`) + DAY_MILLISECONDS;
    return { name, role, groups, passwordSet, endsAt };
  }

  #recordOf(name: string, entry: UserEntry): UserRecord {
    const user = this.#userOf(name, entry);
    return {
      ...user,
      locked: this.#isLocked(name, entry) ? entry.locked : undefined,
      expires: entry.expires,
      isExpired: user.endsAt !== undefined && user.endsAt <= this.#now(),
      hasPassword: entry.password !== undefined,
    };
  }

  #instant(): string {
    return new Date(this.#now()).toISOString();
  }

  #today(): string {
    return this.#instant().slice(0, 10);
  }
}

/** Facts for the audit trail. Of the password, only the time it was set. */
function userFacts(name: string): (document: UsersDocument) => SecurityChange['before'] {
  return ({ users }) => {
    const found = nameOf(Object.keys(users), name);
    const entry = found === undefined ? undefined : users[found];
    if (found === undefined || entry === undefined) return undefined;
    const { id: _, password: __, passwordSet: ___, ...facts } = entry;
    return { name: found, ...facts };
  };
}

function groupFacts(name: string): (document: UsersDocument) => SecurityChange['before'] {
  return ({ groups }) => {
    const found = nameOf(groups, name);
    return found === undefined ? undefined : { name: found };
  };
}
