import { hostEndWords } from '../tn3270/conversation/host-end-words.js';

/** What an action cannot do, in the words that scripts know. Each line of it becomes a line of data. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/** What is told where a host hangs up. */
export const HOST_GONE = 'Host disconnected';

/** Why there is no connection. Who was connected is told that the host is gone, and nothing besides. */
export function connectionFailure(end: Parameters<typeof hostEndWords>[0] | undefined): ActionError {
  if (end?.kind === 'hostEnded') return new ActionError(HOST_GONE);
  const words = end?.kind === 'deviceRefused' ? 'Cannot connect to specified LU' : end && hostEndWords(end);
  return new ActionError(`Connection failed:\n${words ?? ''}`);
}
