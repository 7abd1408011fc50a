import { isSecurityName } from '../../access/users/security-name.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** One call of the reference client: a user, and the group whose macros are uploaded too (specification 4.6). */
export interface UploadPair {
  readonly group: string;
  readonly user: string;
}

const MOST_LINES = 100_000;

export function faultOfPair({ group, user }: UploadPair): string | undefined {
  const expected = 'expected 1 to 64 letters, digits, $ # @ _ . or -';
  if (!isSecurityName(group)) return `"${group}" is not a valid group name: ${expected}`;
  if (!isSecurityName(user)) return `"${user}" is not a valid user ID: ${expected}`;
  return undefined;
}

/** Parses lines `GROUP USER` as `macros generate` prints them. Ignores empty lines. */
export function readPairs(text: string, file: string): ReadOutcome<readonly UploadPair[]> {
  const pairs: UploadPair[] = [];
  const lines = text.replace(/^\ufeff/, '').split('\n');
  if (lines.length > MOST_LINES) return readFault(`${file}: more than ${MOST_LINES} lines`);
  for (const [index, line] of lines.entries()) {
    const words = line.trim().split(/\s+/);
    const [group = '', user = '', ...more] = words;
    if (group === '') continue;
    const fault =
      user === '' || more.length > 0 ? `expected GROUP USER, found "${line.trim()}"` : faultOfPair({ group, user });
    if (fault !== undefined) return readFault(`${file}:${index + 1}: ${fault}`);
    pairs.push({ group, user });
  }
  return pairs.length === 0 ? readFault(`${file}: it names no user`) : readAs(pairs);
}

/** Default portal line (specification 4.3). */
export const DEFAULT_PORTAL = '127.0.0.1:41001';

const DEFAULT_PORT = '41001';
const HIGHEST_PORT = 65535;

/** @returns the root URL of the portal line */
export function readPortalAddress(text: string): ReadOutcome<URL> {
  const expected = `the server is malformed: expected HOST, HOST:PORT or http(s)://HOST:PORT, found "${text}"`;
  const parts = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\s/:@?#[\]\\%"]+)(?::(\d{1,5}))?\/?$/i.exec(text);
  if (!parts) return readFault(expected);
  const [, scheme = 'http', host = '', port = DEFAULT_PORT] = parts;
  const root = `${scheme.toLowerCase()}://${host}:${port}/`;
  if (!URL.canParse(root) || Number(port) === 0 || Number(port) > HIGHEST_PORT) return readFault(expected);
  return readAs(new URL(root));
}
