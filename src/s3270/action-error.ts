import { hostEndWords } from '../tn3270/conversation/host-end-words.js';

/** Failure of an action, with the wording that scripts expect. Each line becomes a line of data. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

export const HOST_GONE = 'Host disconnected';

/** Reason for a failed connection. If the host disconnected, there are no details. */
export function connectionFailure(end: Parameters<typeof hostEndWords>[0] | undefined): ActionError {
  if (end?.kind === 'hostEnded') return new ActionError(HOST_GONE);
  const words = end?.kind === 'deviceRefused' ? 'Cannot connect to specified LU' : end && hostEndWords(end);
  return new ActionError(`Connection failed:\n${words ?? ''}`);
}
