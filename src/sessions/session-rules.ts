/** The bound of files that the user of a session transfers. */
export interface TransferRule {
  /** Of one file. */
  readonly mostBytes: number;
}

/** One file, as the audit trail names it. */
interface TransferredFile {
  readonly direction: 'send' | 'receive';
  readonly hostFile: string;
  /** Of a file that is sent. */
  readonly bytes: number | undefined;
  /** Address of the client that asks for it. */
  readonly from: string;
}

/** The rules of a session's transaction, applied to its user at the moment of each act. */
export interface SessionRules {
  /** Undefined: the transaction transfers no files, or not for this user. */
  transfer(): Promise<TransferRule | undefined>;
  /**
   * Records a transfer in the audit trail before it begins, and its outcome afterwards.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE before `make` is called; the error of `make`
   */
  record<T>(file: TransferredFile, make: () => Promise<T>): Promise<T>;
}
