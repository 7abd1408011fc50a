/** A terminal as IND$FILE sees it. */
export interface TransferTerminal {
  /** Bytes of a record to and from the terminal; 0: files go by screens. */
  readonly transferBytes: number;
  /** Sends 3270 data and waits for the record that answers. */
  exchange(record: Uint8Array): Promise<Uint8Array>;
  /** Told before each buffer: faults meet a transfer there. @returns whether something goes out that makes no sense */
  betweenBuffers(): Promise<boolean>;
}

/** A transfer that ends early; the message is what the host says to the terminal. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}

/** Said where the terminal ends the transfer. */
export const TERMINAL_CANCELED = 'TRANS00   Error in file transfer: file transfer canceled';
