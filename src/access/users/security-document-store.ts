import type { SecurityDocument, UserBounds } from './security-document.js';

/** Users and groups as one document, which several processes may change. */
export interface SecurityDocumentStore {
  readonly bounds: UserBounds;
  /**
   * As it is now; where it can be read no more, as it was. The same object as long as nothing has changed.
   * @throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE
   */
  read(): Promise<SecurityDocument>;
  /** One change at a time, of this process and of others, each on what the last one wrote; `write` puts all in its place at once. */
  change<T>(
    work: (document: SecurityDocument, write: (after: SecurityDocument) => Promise<void>) => Promise<T>,
  ): Promise<T>;
}
