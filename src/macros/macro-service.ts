import { createHash } from 'node:crypto';
import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditKind } from '../access/audit/audit-kinds.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import type { UserStore } from '../access/users/user-store.js';
import { ServiceError } from '../lib/errors.js';
import { type Metrics, noMetrics } from '../lib/metrics.js';
import { withoutByteOrderMark } from '../lib/text/characters.js';
import type { DirectoryKeys } from './directory-key.js';
import { type MacroDirectory, type MacroLevel, noDirectory } from './macro-directory.js';
import type { MacroChange, MacroStore, RecordMacroChange, StoredMacros } from './macro-store.js';

interface MacroServiceOptions {
  readonly store: MacroStore | undefined;
  readonly keys: DirectoryKeys;
  readonly database: UserStore;
  readonly audit: AuditTrail;
  readonly metrics?: Pick<Metrics, 'macrosUploaded'>;
}

/** Content of a directory without a file (reference 5.1). */
export const EMPTY_MACRO_SET = '{"macros":[],"fmt":2}';

/** Operations on centralized macros. A change that cannot be written to the audit trail is rejected. */
export class MacroService {
  readonly #options: MacroServiceOptions;

  constructor(options: MacroServiceOptions) {
    this.#options = options;
  }

  get isConfigured(): boolean {
    return this.#options.store !== undefined;
  }

  /**
   * Read access. Changes must use the methods of this class, which write audit entries.
   * @throws ServiceError SVC_ERR_MACRO_UNCONFIGURED
   */
  get store(): Pick<MacroStore, 'read' | 'versions' | 'readVersion' | 'list'> {
    return this.#store;
  }

  get #store(): MacroStore {
    const { store } = this.#options;
    if (store === undefined) throw new ServiceError('SVC_ERR_MACRO_UNCONFIGURED');
    return store;
  }

  /** @throws ServiceError SVC_ERR_MACRO_DIRECTORY if the security database has no group or user of that name */
  async directory(level: MacroLevel, name: string): Promise<MacroDirectory> {
    if (level === 'global') return { level };
    const { database } = this.#options;
    const found = level === 'group' ? await database.findGroup(name) : (await database.findUser(name))?.name;
    if (found === undefined) throw noDirectory({ level, name });
    return { level, name: found };
  }

  groups(): Promise<readonly string[]> {
    return this.#options.database.groups();
  }

  /** @returns a key for the directory that is valid only for the holder */
  async issueKey(directory: MacroDirectory, holder: string): Promise<string> {
    void this.store;
    return this.#options.keys.issue(directory, holder);
  }

  /** @throws ServiceError SVC_ERR_MACRO_KEY, and SVC_ERR_MACRO_DIRECTORY if the group or user no longer exists */
  async directoryOfKey(key: string, holder: string): Promise<MacroDirectory> {
    const directory = await this.#options.keys.find(key, holder);
    if (directory === undefined) throw new ServiceError('SVC_ERR_MACRO_KEY');
    return directory;
  }

  /** Reads the file without a byte order mark; a missing file is an empty set without etag. */
  async read(directory: MacroDirectory): Promise<StoredMacros | { readonly bytes: Buffer; readonly etag: undefined }> {
    const stored = await this.store.read(directory);
    if (stored === undefined) return { bytes: Buffer.from(EMPTY_MACRO_SET), etag: undefined };
    return { ...stored, bytes: withoutByteOrderMark(stored.bytes) };
  }

  /**
   * @param expected etag of the file known to the caller, null for no file; undefined: any
   * @throws ServiceError SVC_ERR_MACRO_DIRECTORY, SVC_ERR_MACRO_CONTENT, SVC_ERR_MACRO_SIZE, SVC_ERR_MACRO_CHANGED,
   * SVC_ERR_AUDIT_UNAVAILABLE
   */
  async write(
    directory: MacroDirectory,
    bytes: Buffer,
    actor: Actor,
    expected?: string | null,
  ): Promise<MacroChange & { readonly after: StoredMacros }> {
    const { metrics = noMetrics } = this.#options;
    const record = this.#recorder('macros.uploaded', directory, actor);
    try {
      await this.#checkRecord(directory);
      const change = await this.#store.write(directory, bytes, { record, expected });
      metrics.macrosUploaded(directory.level, 'done');
      return change;
    } catch (error) {
      metrics.macrosUploaded(directory.level, error instanceof ServiceError ? error.code : 'failed');
      throw error;
    }
  }

  /**
   * @param expected as in `write`
   * @throws ServiceError SVC_ERR_MACRO_DIRECTORY, and the errors of `write`
   */
  async restore(directory: MacroDirectory, version: number, actor: Actor, expected?: string | null): Promise<void> {
    const record = this.#recorder('macros.restored', directory, actor);
    await this.#checkRecord(directory);
    await this.#store.restore(directory, version, { record, expected });
  }

  /**
   * @param expected as in `write`
   * @throws ServiceError SVC_ERR_MACRO_CHANGED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  async remove(directory: MacroDirectory, actor: Actor, expected?: string | null): Promise<void> {
    const record = this.#recorder('macros.removed', directory, actor);
    await this.#store.remove(directory, { record, expected });
  }

  /**
   * Files are stored only for existing groups and users: the record may have been removed after the request was made.
   */
  async #checkRecord(directory: MacroDirectory): Promise<void> {
    if (directory.level !== 'global') await this.directory(directory.level, directory.name);
  }

  #recorder(what: AuditKind, directory: MacroDirectory, actor: Actor): RecordMacroChange {
    const { audit } = this.#options;
    return async ({ before, after }, make) => {
      const [old, now] = [factsOf(before), factsOf(after)];
      const entry: AuditEntry = { ...actor, what, subject: subjectOf(directory), before: old, after: now };
      if (before === undefined || before.etag !== after?.etag) return audit.record(entry, make);
      // a single entry is enough, because nothing changes
      await audit.note(entry);
      return make();
    };
  }
}

/** `global`, `group OPS`, `user ANNA`. */
function subjectOf(directory: MacroDirectory): string {
  return directory.level === 'global' ? directory.level : `${directory.level} ${directory.name}`;
}

function factsOf(stored: Pick<StoredMacros, 'bytes'> | undefined): object | undefined {
  if (stored === undefined) return undefined;
  const { bytes } = stored;
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
