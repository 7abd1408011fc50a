import type { IncomingHttpHeaders } from 'node:http';

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
export function framingHeader(framing: Framing): readonly string[] {
  if (framing === 'none') return [];
  return framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(framing)];
}
