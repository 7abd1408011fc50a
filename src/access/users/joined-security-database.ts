import type { SecurityDatabase, SecurityUser, SignOnOutcome } from './security-database.js';
import { compareNames, foldedName } from './security-name.js';

/**
 * The users and groups of two databases. A name that the local one knows is never asked of the directory, whatever the
 * password; and the directory gives nobody such a name, even where it finds its users by other names too.
 * While the directory cannot be asked, local users are all there are.
 */
export class JoinedSecurityDatabase implements SecurityDatabase {
  readonly #local: SecurityDatabase;
  readonly #directory: SecurityDatabase;

  constructor(local: SecurityDatabase, directory: SecurityDatabase) {
    this.#local = local;
    this.#directory = directory;
  }

  async signOn(name: string, password: string, address?: string, device?: string): Promise<SignOnOutcome> {
    if (await this.#local.findUser(name)) return this.#local.signOn(name, password, address, device);
    const outcome = await this.#directory.signOn(name, password, address);
    const isForeign = outcome.kind === 'signedOn' && (await this.#isLocal(outcome.user));
    return isForeign ? { kind: 'refused' } : outcome;
  }

  /** Of local users: what would change with the password of others is not known. */
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
    // the directory has no user of a local name
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
