import type { IncomingMessage } from 'node:http';

interface BasicCredentials {
  readonly userId: string;
  readonly password: string;
}

const LONGEST_CREDENTIALS = 2_048;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * User id and password of HTTP Basic in UTF-8 (RFC 7617); undefined where there are none, or where they are malformed: that is
 * no sign-on that failed.
 */
export function basicCredentials({ headers }: IncomingMessage): BasicCredentials | undefined {
  const written = headers.authorization;
  if (written === undefined || written.length > LONGEST_CREDENTIALS) return undefined;
  const encoded = BASIC.exec(written)?.[1];
  if (encoded === undefined) return undefined;
  let text: string;
  const bytes = Buffer.from(encoded, 'base64');
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  } finally {
    // small buffers lie in memory that is shared and lives long
    bytes.fill(0);
  }
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { userId: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The header of a 401 that asks for them. */
export function basicChallenge(realm: string): Readonly<Record<string, string>> {
  return { 'WWW-Authenticate': `Basic realm="${realm}", charset="UTF-8"` };
}
