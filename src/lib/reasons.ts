import { type Detail, detailText, type Reason, reasonText } from './locale.js';
import type { ReadFault, ReadValue } from './read-outcome.js';
import { messageOf } from './text/messages.js';

/** A fault that users can read in their language. `fault` is the English text, for logs and commands. */
export interface ReasonFault extends ReadFault {
  readonly reason: Reason;
}

export type ReasonedOutcome<Value> = ReadValue<Value> | ReasonFault;

export function reasonFault(code: Reason['code'], values?: Reason['values']): ReasonFault {
  const reason: Reason = { code, values };
  return { kind: 'fault', fault: reasonText(reason, 'en'), reason };
}

/** The message is the English text of the detail. */
export class DetailedError extends Error {
  readonly detail: Detail;

  constructor(detail: Detail, options?: ErrorOptions) {
    super(detailText(detail, 'en'), options);
    this.detail = detail;
  }
}

export function errorDetail(error: unknown): Detail {
  return error instanceof DetailedError ? error.detail : messageOf(error);
}
