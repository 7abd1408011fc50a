import { STATUS_CODES } from 'node:http';

/** The usual words for a status, e.g. `Not Found`; empty if there are none. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? '';
}
