import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** RFC 9110, section 7.6.1, and headers only for the next node. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  // Set for each hop by `Framing`.
  'content-length',
  'transfer-encoding',
  // The node that reads the body has already answered it.
  'expect',
]);
const INTERNAL = 'sallyport-';

/**
 * Headers for the next hop, as a flat list of names and values. Framing headers are replaced by those of `framing`, at
 * the position of the original length.
 */
export function passedHeaders(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  framing: Framing,
): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const passed: string[] = [];
  let isFramed = false;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const folded = name.toLowerCase();
    if (folded === 'content-length' && typeof framing === 'number' && !isFramed) {
      isFramed = true;
      passed.push(...framingHeader(framing));
    } else if (!hopByHop.has(folded) && !folded.startsWith(INTERNAL) && !named.includes(folded)) {
      passed.push(name, rawHeaders[index + 1] ?? '');
    }
  }
  return isFramed ? passed : [...passed, ...framingHeader(framing)];
}

export type Framing = number | 'chunked' | 'none';

/** Methods whose requests have a body only if a header frames one. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * Relies on the parser of Node.js, which rejects any other final coding, a length together with a coding, and a length
 * with characters other than digits.
 */
export function framingOf({ 'transfer-encoding': coding, 'content-length': length }: IncomingHttpHeaders): Framing {
  if (coding !== undefined) return 'chunked';
  return length === undefined ? 'none' : Number(length);
}

/** Framing on the internal line. Node.js sends unframed bodies in chunks, except for some methods. */
export function requestFraming(method: string, framing: Framing): Framing {
  return framing === 'none' && !BODILESS.has(method) ? 0 : framing;
}

function framingHeader(framing: Framing): readonly string[] {
  if (framing === 'none') return [];
  return framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(framing)];
}
