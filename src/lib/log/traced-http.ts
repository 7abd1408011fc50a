import { isSecretName, MASK, withoutSecrets } from '../secrets/secret-text.js';
import { printable } from '../text/characters.js';

export const httpTraceBounds = {
  /** Body bytes kept. Form data and JSON are shown only if complete. */
  bodyBytes: 16_384,
  rowCharacters: 500,
  headers: 200,
} as const;

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'www-authenticate',
  'proxy-authenticate',
  'cookie',
  'set-cookie',
  'x-svc-user-directory',
]);

/**
 * One row per header, with secrets masked.
 * @param headers alternating names and values
 * @param shownValue for values without a secret name
 */
export function headerRows(headers: readonly string[], shownValue: (value: string) => string): readonly string[] {
  const most = Math.min(headers.length, 2 * httpTraceBounds.headers);
  const rows: string[] = [];
  for (let at = 0; at + 1 < most; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    const isSecret = SECRET_HEADERS.has(name.toLowerCase()) || isSecretName(name);
    rows.push(`${printable(name)}: ${isSecret ? MASK : cutRow(printable(shownValue(value)))}`);
  }
  if (headers.length > most) rows.push(`(and ${(headers.length - most) / 2} more headers)`);
  return rows;
}

/**
 * Masks values with secret names.
 * @param meet gets each masked value
 */
export function shownQuery(
  query: string,
  isSecret: (name: string) => boolean,
  meet: (secret: string) => void = () => {},
): string {
  const shown = query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return withoutSecrets(pair);
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    if (!isSecret(decoded(name))) return `${withoutSecrets(name)}=${withoutSecrets(value)}`;
    meet(decoded(value.replaceAll('+', ' ')));
    return `${withoutSecrets(name)}=${MASK}`;
  });
  return shown.join('&');
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function headerOf(headers: readonly string[], wanted: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) if (headers[at]?.toLowerCase() === wanted) return headers[at + 1];
  return undefined;
}

export function cutRow(text: string): string {
  const most = httpTraceBounds.rowCharacters;
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}
