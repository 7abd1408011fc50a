import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** RFC 9110, section 7.6.1, and headers that only the next node reads. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  // each hop frames a body itself: `Framing`
  'content-length',
  'transfer-encoding',
  // the node that reads the body has answered it
  'expect',
]);
/** Servers send headers with such names to each other. */
const INTERNAL = 'sallyport-';

/**
 * The headers of a request or an answer for the next hop, as a flat list of names and values. Whatever the message says of the framing of
 * its body, the list says this one; a length is where the message had its own.
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

/** How the end of a body is found: by a number of bytes, by chunks, or there is no body. */
export type Framing = number | 'chunked' | 'none';

/** Methods whose requests have no body unless a header frames one. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** As Node's parser has read it: it takes no other coding for the last one, and no length with a coding or of other than digits. */
export function framingOf({ 'transfer-encoding': coding, 'content-length': length }: IncomingHttpHeaders): Framing {
  if (coding !== undefined) return 'chunked';
  return length === undefined ? 'none' : Number(length);
}

/** The framing of a request on the internal line. Node frames a body that has no framing in chunks, except for some methods. */
export function requestFraming(method: string, framing: Framing): Framing {
  return framing === 'none' && !BODILESS.has(method) ? 0 : framing;
}

/** The header that frames a body; a flat list of one name and one value, or empty. */
function framingHeader(framing: Framing): readonly string[] {
  if (framing === 'none') return [];
  return framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(framing)];
}
