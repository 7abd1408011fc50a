import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** Where a portal line listens, unless told otherwise (specification 4.3). */
export const DEFAULT_PORTAL = '127.0.0.1:41001';

const DEFAULT_PORT = '41001';
const HIGHEST_PORT = 65535;

/**
 * Reads `host`, `host:port` or `http(s)://host:port`.
 *
 * @returns the root of the portal line, or what is wrong with the text
 */
export function readPortalAddress(text: string): ReadOutcome<URL> {
  const expected = `the server is malformed: expected HOST, HOST:PORT or http(s)://HOST:PORT, found "${text}"`;
  const parts = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\s/:@?#[\]\\%"]+)(?::(\d{1,5}))?\/?$/i.exec(text);
  if (!parts) return readFault(expected);
  const [, scheme = 'http', host = '', port = DEFAULT_PORT] = parts;
  const root = `${scheme.toLowerCase()}://${host}:${port}/`;
  if (!URL.canParse(root) || Number(port) === 0 || Number(port) > HIGHEST_PORT) return readFault(expected);
  return readAs(new URL(root));
}
