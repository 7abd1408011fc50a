import { DocumentSecurityDatabase, type SecurityDatabaseOptions } from './document-security-database.js';
import { FileSecurityDocuments } from './file-security-documents.js';

/** Users and groups in a YAML file, which others may change at the same time. */
export class FileSecurityDatabase extends DocumentSecurityDatabase {
  readonly #documents: FileSecurityDocuments;

  constructor({ file, ...options }: SecurityDatabaseOptions & { readonly file: string }) {
    const documents = new FileSecurityDocuments(file, options.log);
    super(documents, options);
    this.#documents = documents;
  }

  /** @throws Error in words where the file cannot be read or has faults */
  open(): Promise<void> {
    return this.#documents.open();
  }
}
