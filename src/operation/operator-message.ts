import { ServiceError } from '../lib/errors.js';

/** What one line of a page shows; it is no place for letters. */
export const LONGEST_MESSAGE_CHARACTERS = 300;

/**
 * A message for the user of a session, as it is shown: in one line.
 * @throws ServiceError SVC_ERR_MESSAGE_CONTENT
 */
export function readMessage(written: string): string {
  const text = written.replace(/\s+/gu, ' ').trim();
  if (text === '') throw unreadable('It is empty.');
  if ([...text].length > LONGEST_MESSAGE_CHARACTERS) {
    throw unreadable(`It has more than ${LONGEST_MESSAGE_CHARACTERS} characters.`);
  }
  // neither control characters nor what turns the direction of the text around it
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(text)) throw unreadable('It holds a character that cannot be shown.');
  return text;
}

function unreadable(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_MESSAGE_CONTENT', { detail });
}
