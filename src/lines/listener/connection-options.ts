import { printable } from '../../lib/text/characters.js';

const ALLOWED: ReadonlySet<string> = new Set([
  'close',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'http2-settings',
  'proxy-connection',
]);
/** End-to-end headers: an intermediary that removes one of them changes the request. */
const END_TO_END: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'origin',
  'pragma',
  'proxy-authorization',
  'range',
  'referer',
  'transfer-encoding',
  'user-agent',
  'via',
  'x-real-ip',
  'x-request-id',
]);
const END_TO_END_FAMILIES = ['sallyport-', 'sec-', 'x-forwarded-'] as const;
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const LONGEST_SHOWN = 64;

/**
 * First rejected option of the `Connection` headers, safe to log; undefined if there is none. An intermediary removes
 * each header that `Connection` names (RFC 9110, section 7.6.1). If a client names the length header of its body, the
 * next hop parses the body as another request. An unknown option is ignored if the request has no header of that name.
 * @param rawHeaders alternating names and values
 */
export function refusedConnectionOption(rawHeaders: readonly string[]): string | undefined {
  let names: ReadonlySet<string> | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'connection') continue;
    const options = rawHeaders[at + 1] ?? '';
    if (ALLOWED.has(options)) continue;
    for (const option of options.split(',')) {
      const folded = option.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase();
      if (folded === '' || ALLOWED.has(folded)) continue;
      names ??= new Set(rawHeaders.map((name, place) => (place % 2 === 0 ? name.toLowerCase() : '')));
      if (names.has(folded) || isEndToEnd(folded) || !TOKEN.test(folded))
        return printable(folded).slice(0, LONGEST_SHOWN);
    }
  }
  return undefined;
}

function isEndToEnd(name: string): boolean {
  return END_TO_END.has(name) || END_TO_END_FAMILIES.some((family) => name.startsWith(family));
}
