import { dirname } from 'node:path';
import { ServiceError } from '../../lib/errors.js';
import { withFileLock } from '../../lib/files/file-lock.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { halfWrittenOf, removeHalfWrittenOf } from '../../lib/files/replace-file.js';
import type { Log } from '../../lib/log/log.js';
import { messageOf } from '../../lib/text/messages.js';
import { DocumentUserStore, type SecurityDatabaseOptions } from './document-user-store.js';
import { fileUserBounds, type UsersDocument, type UsersDocumentStore } from './users-document.js';
import { readUsersFile, stampOf, type UsersFileState, writeUsersFile } from './users-file.js';

/** Users and groups in a YAML file. Other processes may change it. */
export class FileUserStore extends DocumentUserStore {
  readonly #documents: FileSecurityDocuments;

  constructor({ file, ...options }: SecurityDatabaseOptions & { readonly file: string }) {
    const documents = new FileSecurityDocuments(file, options.log);
    super(documents, options);
    this.#documents = documents;
  }

  open(): Promise<void> {
    return this.#documents.open();
  }
}

class FileSecurityDocuments implements UsersDocumentStore {
  readonly bounds = fileUserBounds;
  readonly #file: string;
  readonly #log: Log;
  #state: UsersFileState | undefined;
  #reading: Promise<UsersDocument> | undefined;
  #faulty: string | undefined;

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  async open(): Promise<void> {
    const file = this.#file;
    this.#take(await readUsersFile(file));
    if ((await halfWrittenOf(file)).length === 0) return;
    await withFileLock(file, () => removeHalfWrittenOf(file)).catch((error: unknown) =>
      this.#log.warn(
        { err: error, file },
        'a partly written file of users cannot be removed; it contains password hashes',
      ),
    );
  }

  async read(): Promise<UsersDocument> {
    const stamp = await stampOf(this.#file);
    const known = this.#state;
    if (known !== undefined && (known.stamp === stamp || this.#faulty === stamp)) return known.document;
    this.#reading ??= this.#reload(stamp).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async change<T>(
    work: (document: UsersDocument, write: (after: UsersDocument) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const file = this.#file;
    await makePrivateFolder(dirname(file));
    return withFileLock(file, async () => {
      const { document } = await readUsersFile(file);
      return work(document, async (after) => {
        await removeHalfWrittenOf(file);
        this.#take(await writeUsersFile(file, after));
      });
    });
  }

  async #reload(stamp: string | undefined): Promise<UsersDocument> {
    try {
      const state = await readUsersFile(this.#file);
      this.#take(state);
      return state.document;
    } catch (error) {
      if (this.#state === undefined) throw new ServiceError('SVC_ERR_SECURITY_UNAVAILABLE', { cause: error });
      this.#faulty = stamp;
      const reason = messageOf(error);
      this.#log.error({ reason }, 'the changed file of users is invalid; the previous users stay in effect');
      return this.#state.document;
    }
  }

  #take(state: UsersFileState): void {
    this.#state = state;
    this.#faulty = undefined;
  }
}
