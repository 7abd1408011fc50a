import { dirname } from 'node:path';
import { ServiceError } from '../../lib/errors.js';
import { withFileLock } from '../../lib/files/file-lock.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { halfWrittenOf, removeHalfWrittenOf } from '../../lib/files/replace-file.js';
import type { Log } from '../../lib/log/log.js';
import { messageOf } from '../../lib/text/messages.js';
import { DocumentSecurityDatabase, type SecurityDatabaseOptions } from './document-security-database.js';
import { fileUserBounds, type SecurityDocument, type SecurityDocumentStore } from './security-document.js';
import { readSecurityFile, type SecurityFileState, stampOf, writeSecurityFile } from './security-file.js';

/** Users and groups in a YAML file. Other processes may change it. */
export class FileSecurityDatabase extends DocumentSecurityDatabase {
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

class FileSecurityDocuments implements SecurityDocumentStore {
  readonly bounds = fileUserBounds;
  readonly #file: string;
  readonly #log: Log;
  #state: SecurityFileState | undefined;
  #reading: Promise<SecurityDocument> | undefined;
  #faulty: string | undefined;

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  async open(): Promise<void> {
    const file = this.#file;
    this.#take(await readSecurityFile(file));
    if ((await halfWrittenOf(file)).length === 0) return;
    await withFileLock(file, () => removeHalfWrittenOf(file)).catch((error: unknown) =>
      this.#log.warn(
        { err: error, file },
        'a partly written file of users cannot be removed; it contains password hashes',
      ),
    );
  }

  async read(): Promise<SecurityDocument> {
    const stamp = await stampOf(this.#file);
    const known = this.#state;
    if (known !== undefined && (known.stamp === stamp || this.#faulty === stamp)) return known.document;
    this.#reading ??= this.#reload(stamp).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async change<T>(
    work: (document: SecurityDocument, write: (after: SecurityDocument) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const file = this.#file;
    await makePrivateFolder(dirname(file));
    return withFileLock(file, async () => {
      const { document } = await readSecurityFile(file);
      return work(document, async (after) => {
        await removeHalfWrittenOf(file);
        this.#take(await writeSecurityFile(file, after));
      });
    });
  }

  async #reload(stamp: string | undefined): Promise<SecurityDocument> {
    try {
      const state = await readSecurityFile(this.#file);
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

  #take(state: SecurityFileState): void {
    this.#state = state;
    this.#faulty = undefined;
  }
}
