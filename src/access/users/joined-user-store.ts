import { compareNames, foldedName } from './security-name.js';
import type { SecurityUser, SignOnOutcome, UserStore } from './user-store.js';

/**
 * Users and groups of a local database and a directory. Local names are never looked up in the directory, and directory
 * users with a local name are ignored, even if the directory finds them by another name.
 * If the directory is not available, only local users can sign on.
 */
export class JoinedUserStore implements UserStore {
  readonly #local: UserStore;
  readonly #directory: UserStore;

  constructor(local: UserStore, directory: UserStore) {
    this.#local = local;
    this.#directory = directory;
  }

  async signOn(name: string, password: string, address?: string, device?: string): Promise<SignOnOutcome> {
    if (await this.#local.findUser(name)) return this.#local.signOn(name, password, address, device);
    const outcome = await this.#directory.signOn(name, password, address);
    const isForeign = outcome.kind === 'signedOn' && (await this.#isLocal(outcome.user));
    return isForeign ? { kind: 'refused' } : outcome;
  }

  /** Only for local users: password changes in the directory are not visible here. */
  async deviceKey(name: string): Promise<Buffer | undefined> {
    return this.#local.deviceKey?.(name);
  }

  async findUser(name: string): Promise<SecurityUser | undefined> {
    const local = await this.#local.findUser(name);
    if (local) return local;
    const user = await this.#directory.findUser(name);
    return user && (await this.#isLocal(user)) ? undefined : user;
  }

  async findGroup(name: string): Promise<string | undefined> {
    return (await this.#local.findGroup(name)) ?? this.#directory.findGroup(name);
  }

  async identityOf(kind: 'group' | 'user', name: string): Promise<string | undefined> {
    if (kind === 'group') {
      return (await this.#local.identityOf(kind, name)) ?? this.#directory.identityOf(kind, name);
    }
    const user = await this.findUser(name);
    if (user === undefined) return undefined;
    return (await this.#local.identityOf(kind, name)) ?? this.#directory.identityOf(kind, name);
  }

  async users(): Promise<readonly SecurityUser[]> {
    const [local, directory] = await Promise.all([this.#local.users(), this.#directory.users()]);
    const names = new Set(local.map(({ name }) => foldedName(name)));
    return [...local, ...directory.filter(({ name }) => !names.has(foldedName(name)))].sort((one, other) =>
      compareNames(one.name, other.name),
    );
  }

  async groups(): Promise<readonly string[]> {
    const [local, directory] = await Promise.all([this.#local.groups(), this.#directory.groups()]);
    const names = new Set(local.map(foldedName));
    return [...local, ...directory.filter((name) => !names.has(foldedName(name)))].sort(compareNames);
  }

  async #isLocal({ name }: SecurityUser): Promise<boolean> {
    return (await this.#local.findUser(name)) !== undefined;
  }
}
