import type { PageMessage } from './page-message.js';
import type { ServerMessage } from './server-message.js';

/** The text of a message, with its members in the order in which they were given. */
export function encodeMessage(message: ServerMessage | PageMessage): string {
  return JSON.stringify(message);
}
