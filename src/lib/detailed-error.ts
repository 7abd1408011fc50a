import { type Detail, detailText } from './locale.js';
import { messageOf } from './text/messages.js';

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
