/**
 * Why a record could not be printed: it is no command, it is wrong, or there is no paper left for it. The names are those of
 * negative responses (RFC 2355, section 10.4.1).
 */
export interface PrintFault {
  readonly sense: 'commandReject' | 'operationCheck' | 'interventionRequired';
  readonly reason: string;
  /** Index in the record. */
  readonly offset: number;
}

export const PAPER_FULL = 'the document has reached the most that one may take';
