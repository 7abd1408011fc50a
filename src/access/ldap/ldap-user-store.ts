import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Entry, Filter, FilterParser } from 'ldapts';
import type { ServiceError } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import { compareNames, foldedName, isSecurityName } from '../users/security-name.js';
import type { Role, SecurityUser, SignOnOutcome, UserStore } from '../users/user-store.js';
import { directoryUnavailable, type LdapConnection, LdapConnections } from './ldap-connection.js';
import { isRefusal, ldapResultCodes, resultText } from './ldap-messages.js';
import { type LdapDefinition, type LdapServer, ldapServerOf } from './ldap-server.js';

const MOST_CACHED_USERS = 1000;
const CACHE_MILLISECONDS = 30_000;

/** Recent facts about users, by the requested name. The oldest are evicted. */
export class LdapUserCache<Fact> {
  readonly #facts = new Map<string, { readonly fact: Fact; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  find(name: string): Fact | undefined {
    const found = this.#facts.get(foldedName(name));
    return found && found.until > this.#now() ? found.fact : undefined;
  }

  keep(name: string, fact: Fact): void {
    const key = foldedName(name);
    this.#facts.delete(key);
    const [oldest] = this.#facts.keys();
    if (oldest !== undefined && this.#facts.size >= MOST_CACHED_USERS) this.#facts.delete(oldest);
    this.#facts.set(key, { fact, until: this.#now() + CACHE_MILLISECONDS });
  }
}

const MOST_PASSWORD_BYTES = 1024;
const LIST_MILLISECONDS = 60_000;
const USERS_AT_A_TIME = 16;

const identityAttributes = ['entryUUID', 'createTimestamp'] as const;

interface UserEntry {
  readonly dn: string;
  readonly name: string;
  readonly defaultGroup: string | undefined;
}

/**
 * Users and groups of a directory server. A group is an entry that the group filter finds by its members, so a group
 * without members may not exist.
 *
 * A sign-on searches for the entry, then binds with its DN and the password on a separate connection. For an unknown
 * name, the decoy is bound with a random password, so that the server compares a password in this case, too. Without a
 * decoy, a nonexistent DN is used with the same number of requests, and a delay makes up for the time that the server
 * saves.
 */
export class LdapUserStore implements UserStore {
  readonly #definition: LdapDefinition;
  readonly #log: Log;
  readonly #server: LdapServer;
  readonly #connections: LdapConnections;
  readonly #userFilter: LdapFilter;
  readonly #groupFilter: LdapFilter;
  readonly #cache = new LdapUserCache<SecurityUser>();
  readonly #identities = new LdapUserCache<string>();
  readonly #pace = new BindPace();
  #hasToldOfNames = false;

  /** @throws Error with the key if the definition is not usable */
  constructor(definition: LdapDefinition, log: Log) {
    this.#definition = definition;
    this.#log = log;
    this.#server = ldapServerOf(definition);
    this.#connections = new LdapConnections(this.#server, definition.mostConnections);
    this.#userFilter = new LdapFilter('userFilter', definition.userFilter, ['user']);
    this.#groupFilter = new LdapFilter('groupFilter', definition.groupFilter, ['dn', 'user']);
    const { bindDn, bindPassword, decoyDn } = definition;
    if ((bindDn === undefined) !== (bindPassword === undefined))
      throw new Error('bindDn: expected together with bindPassword');
    if (bindDn !== undefined && !bindDn.includes('=')) throw new Error('bindDn: not a DN');
    if (decoyDn !== undefined && !decoyDn.includes('=')) throw new Error('decoyDn: not a DN');
    // RFC 4513, 5.1.2: the server would treat the bind as anonymous.
    if (bindPassword === '') throw new Error('bindPassword: is empty');
  }

  /** Logs warnings about the definition. Does not connect. */
  open(): void {
    const directory = this.#server.place;
    if (this.#server.security === 'none')
      this.#log.warn(
        { directory },
        'passwords are sent in clear text: the connection to the directory server has no TLS',
      );
    else if (!this.#definition.verify)
      this.#log.warn(
        { directory },
        'the certificate of the directory server is not verified: an attacker could impersonate it',
      );
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async signOn(name: string, password: string): Promise<SignOnOutcome> {
    // Servers may accept a bind without a password as anonymous (RFC 4513, 5.1.2).
    const isPossible = password !== '' && Buffer.byteLength(password) <= MOST_PASSWORD_BYTES && isSecurityName(name);
    if (!isPossible) return this.#refuse('not a name, or the password is missing or too long');
    const entry = await this.#search((connection) => this.#findEntry(connection, name));
    const code = await (entry === undefined
      ? this.#pace.ofNobody(() => this.#bind(this.#decoy(), madeUp(password)))
      : this.#pace.ofEntry(() => this.#bind(entry.dn, password)));
    if (code !== ldapResultCodes.success && !isRefusal(code)) throw this.#unavailable(`sign-on: ${resultText(code)}`);
    if (entry === undefined) return this.#refuse('not exactly one entry');
    if (code !== ldapResultCodes.success) return this.#refuse(resultText(code), entry.name);
    const user = await this.#search((connection) => this.#userOf(connection, entry));
    this.#cache.keep(name, user);
    return { kind: 'signedOn', user };
  }

  async findUser(name: string): Promise<SecurityUser | undefined> {
    if (!isSecurityName(name)) return undefined;
    const known = this.#cache.find(name);
    if (known) return known;
    const user = await this.#search(async (connection) => {
      const entry = await this.#findEntry(connection, name);
      return entry && this.#userOf(connection, entry);
    });
    if (user) this.#cache.keep(name, user);
    return user;
  }

  async findGroup(name: string): Promise<string | undefined> {
    if (!isSecurityName(name)) return undefined;
    const { groupBase, groupNameAttribute } = this.#definition;
    const filter = withValue(groupNameAttribute, name, this.#groupFilter.forAnybody);
    const entries = await this.#search((connection) => connection.searchAll(groupBase, filter, [groupNameAttribute]));
    return this.#groupNames(entries).find((found) => foldedName(found) === foldedName(name));
  }

  /** Reads the attributes that the server sets when it creates an entry (RFC 4530; RFC 4512, section 3.4). */
  async identityOf(kind: 'group' | 'user', name: string): Promise<string | undefined> {
    if (!isSecurityName(name)) return undefined;
    const known = kind === 'user' ? this.#identities.find(name) : undefined;
    if (known !== undefined) return known;
    const { userBase, groupBase, groupNameAttribute } = this.#definition;
    const [base, filter] =
      kind === 'user'
        ? [userBase, this.#userFilter.fill({ user: name, dn: '' })]
        : [groupBase, withValue(groupNameAttribute, name, this.#groupFilter.forAnybody)];
    const entries = await this.#search((connection) => connection.searchAll(base, filter, [...identityAttributes]));
    if (entries.length === 0 || (kind === 'user' && entries.length > 1)) return undefined;
    const identity = JSON.stringify(
      entries.map((entry) => [entry.dn, ...identityAttributes.map((attribute) => valuesOf(entry, attribute))]).sort(),
    );
    if (kind === 'user') this.#identities.keep(name, identity);
    return identity;
  }

  /** Omits names that two entries share, as a sign-on does. */
  async users(): Promise<readonly SecurityUser[]> {
    const { userBase } = this.#definition;
    const { forAnybody } = this.#userFilter;
    const deadline = performance.now() + LIST_MILLISECONDS;
    return this.#search(async (connection) => {
      const found = await connection.searchAll(userBase, forAnybody, this.#userAttributes());
      const entries = soleEntries(found.map((entry) => this.#entryOf(entry, undefined)));
      const users: SecurityUser[] = [];
      for (let next = 0; next < entries.length; next += USERS_AT_A_TIME) {
        if (performance.now() > deadline) throw this.#unavailable('the list of users took too long');
        const some = entries.slice(next, next + USERS_AT_A_TIME);
        users.push(...(await Promise.all(some.map((entry) => this.#userOf(connection, entry)))));
      }
      return users.sort((one, other) => compareNames(one.name, other.name));
    });
  }

  async groups(): Promise<readonly string[]> {
    const { groupBase, groupNameAttribute } = this.#definition;
    const { forAnybody } = this.#groupFilter;
    return this.#groupNames(
      await this.#search((connection) => connection.searchAll(groupBase, forAnybody, [groupNameAttribute])),
    );
  }

  #search<Result>(work: (connection: LdapConnection) => Promise<Result>): Promise<Result> {
    const { bindDn, bindPassword } = this.#definition;
    return this.#connections.use(async (connection) => {
      if (bindDn !== undefined && bindPassword !== undefined) {
        const code = await connection.bind(bindDn, bindPassword);
        if (code !== ldapResultCodes.success) throw this.#unavailable(`search account: ${resultText(code)}`);
      }
      return work(connection);
    });
  }

  async #findEntry(connection: LdapConnection, name: string): Promise<UserEntry | undefined> {
    const filter = this.#userFilter.fill({ user: name, dn: '' });
    const entries = await connection.searchFirst(this.#definition.userBase, filter, this.#userAttributes(), 2);
    const [entry] = entries;
    return entry && entries.length === 1 ? this.#entryOf(entry, name) : undefined;
  }

  #userAttributes(): string[] {
    const { userNameAttribute, defaultGroupAttribute } = this.#definition;
    return defaultGroupAttribute === undefined ? [userNameAttribute] : [userNameAttribute, defaultGroupAttribute];
  }

  /** If the entry has several names, uses the requested one, or else the first in sort order. */
  #entryOf(entry: Entry, asked: string | undefined): UserEntry | undefined {
    const { userNameAttribute, defaultGroupAttribute } = this.#definition;
    const names = valuesOf(entry, userNameAttribute);
    const possible = this.#possibleNames(names).sort(compareNames);
    const name = possible.find((one) => asked !== undefined && foldedName(one) === foldedName(asked)) ?? possible[0];
    const dn = dnOf(entry);
    if (name === undefined || dn === undefined) return undefined;
    const defaultGroup = defaultGroupAttribute === undefined ? undefined : valuesOf(entry, defaultGroupAttribute)[0];
    return { dn, name, defaultGroup };
  }

  async #userOf(connection: LdapConnection, { dn, name, defaultGroup }: UserEntry): Promise<SecurityUser> {
    const { groupBase, groupNameAttribute } = this.#definition;
    const filter = this.#groupFilter.fill({ user: name, dn });
    const entries = await connection.searchAll(groupBase, filter, [groupNameAttribute]);
    const named = entries.find((entry) => foldedName(entry.dn) === foldedName(defaultGroup ?? ''));
    const first = foldedName((named && this.#groupNames([named])[0]) ?? defaultGroup ?? '');
    const groups = this.#groupNames(entries);
    const isFirst = (group: string) => foldedName(group) === first;
    return {
      name,
      role: this.#roleOf(entries),
      groups: [...groups.filter(isFirst), ...groups.filter((group) => !isFirst(group))],
    };
  }

  /** Uses all group names, including those that are not valid names of groups here. */
  #roleOf(groups: readonly Entry[]): Role {
    const { groupNameAttribute, administratorGroup, operatorGroup } = this.#definition;
    const names = new Set(groups.flatMap((entry) => valuesOf(entry, groupNameAttribute)).map(foldedName));
    const isMember = (group: string | undefined) => group !== undefined && names.has(foldedName(group));
    if (isMember(administratorGroup)) return 'administrator';
    return isMember(operatorGroup) ? 'operator' : 'user';
  }

  #groupNames(entries: readonly Entry[]): string[] {
    const names = entries.flatMap((entry) => valuesOf(entry, this.#definition.groupNameAttribute));
    const byName = new Map(this.#possibleNames(names).map((name) => [foldedName(name), name]));
    return [...byName.values()].sort(compareNames);
  }

  #possibleNames(names: readonly string[]): string[] {
    const possible = names.filter(isSecurityName);
    if (possible.length < names.length && !this.#hasToldOfNames) {
      this.#hasToldOfNames = true;
      const name = names.find((one) => !isSecurityName(one));
      this.#log.debug(
        { directory: this.#server.place, name },
        'names in the directory that are not valid here are omitted',
      );
    }
    return possible;
  }

  #bind(dn: string, password: string): Promise<number> {
    return this.#connections.use((connection) => connection.bind(dn, password));
  }

  #decoy(): string {
    const { decoyDn, userNameAttribute, userBase } = this.#definition;
    if (decoyDn !== undefined) return decoyDn;
    const name = `${userNameAttribute}=${randomBytes(16).toString('hex')}`;
    return userBase === '' ? name : `${name},${userBase}`;
  }

  #refuse(reason: string, name?: string): SignOnOutcome {
    this.#log.debug({ directory: this.#server.place, reason }, 'sign-on refused');
    return name === undefined ? { kind: 'refused' } : { kind: 'refused', user: { name, reason: 'password' } };
  }

  #unavailable(fault: string): ServiceError {
    return directoryUnavailable(this.#server.place, fault);
  }
}

function soleEntries(entries: readonly (UserEntry | undefined)[]): UserEntry[] {
  const byName = new Map<string, UserEntry | undefined>();
  for (const entry of entries) {
    if (entry === undefined) continue;
    const key = foldedName(entry.name);
    byName.set(key, byName.has(key) ? undefined : entry);
  }
  return [...byName.values()].filter((entry) => entry !== undefined);
}

function madeUp(password: string): string {
  const { length } = Buffer.from(password);
  return randomBytes(length).toString('hex').slice(0, length);
}

/** Text values of an attribute. The server may return its name in another letter case. */
function valuesOf(entry: Entry, attribute: string): string[] {
  const wanted = attribute.toLowerCase();
  return Object.entries(entry)
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

/** Undefined if the text is not a DN: the server might accept the bind as anonymous. */
function dnOf({ dn }: Entry): string | undefined {
  return typeof dn === 'string' && dn.includes('=') ? dn : undefined;
}

/** Search filter (RFC 4515) from the configuration, with placeholders for the user. */
export class LdapFilter {
  readonly #template: string;
  /** The filter for all users: every assertion with a placeholder becomes a presence test. */
  readonly forAnybody: string;

  /** @throws Error with the key if the text is not a filter or has none of the placeholders */
  constructor(key: string, template: string, places: readonly string[]) {
    this.#template = template.startsWith('(') ? template : `(${template})`;
    if (!places.some((place) => template.includes(`{${place}}`)))
      throw new Error(`${key}: needs ${places.map((place) => `{${place}}`).join(' or ')}`);
    this.forAnybody = this.#template
      // A matching rule (`member:1.2.840.113556.1.4.1941:={dn}`) accepts no asterisk.
      .replace(/(?::[\w.-]+)+:=\{(?:user|dn)\}/g, '=*')
      .replace(/\{(?:user|dn)\}/g, '*');
    for (const text of [this.fill({ user: 'user', dn: 'cn=user' }), this.forAnybody]) checkFilter(key, text);
  }

  /** Replaces all placeholders in one pass, so that values are not searched for placeholders. */
  fill(values: { readonly user: string; readonly dn: string }): string {
    return this.#template.replace(/\{(user|dn)\}/g, (_place, name: 'user' | 'dn') => Filter.escape(values[name]));
  }
}

export function withValue(attribute: string, value: string, filter: string): string {
  return `(&(${attribute}=${Filter.escape(value)})${filter})`;
}

function checkFilter(key: string, text: string): void {
  try {
    FilterParser.parseString(text);
    // The parser accepts unclosed parentheses.
    if (text.split('(').length !== text.split(')').length) throw new Error('a parenthesis is missing');
  } catch (cause) {
    throw new Error(`${key}: not a filter as in RFC 4515`, { cause });
  }
}

const MOST_REMEMBERED = 32;

/**
 * Measures how long the directory server takes to compare a password. The refusal of an unknown name takes as long as
 * one of the last binds of known names, so that the time does not reveal which names exist.
 */
class BindPace {
  readonly #now: () => number;
  readonly #durations: number[] = [];
  #oldest = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async ofEntry<Result>(bind: () => Promise<Result>): Promise<Result> {
    const start = this.#now();
    const result = await bind();
    this.#durations[this.#oldest] = this.#now() - start;
    this.#oldest = (this.#oldest + 1) % MOST_REMEMBERED;
    return result;
  }

  /** Binds a nonexistent DN and waits as long as a measured bind took. */
  async ofNobody<Result>(bind: () => Promise<Result>): Promise<Result> {
    const start = this.#now();
    const result = await bind();
    const { length } = this.#durations;
    const usual = length === 0 ? 0 : (this.#durations[randomInt(length)] ?? 0);
    const left = usual - (this.#now() - start);
    if (left > 0) await wait(left);
    return result;
  }
}
