import type { IncomingMessage } from 'node:http';
import { type Framing, framingHeader } from './framing.js';

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
