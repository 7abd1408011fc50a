import type { OutboundRequest } from './outbound.js';
import { OutboundError } from './outbound-error.js';

/** A request that was checked and can be put on the wire as it is. */
export interface OutboundMessage {
  readonly method: string;
  readonly path: string;
  /** Name, value, name, value … */
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** The reference knows GET and POST; the rest is plain HTTP. CONNECT and TRACE are not for scenarios. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/** Headers that belong to the connection (RFC 9110, section 7.6.1; RFC 9112): the line writes them itself. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

export const outboundRequestLimits = { pathCharacters: 16_384, headers: 64, headerCharacters: 16_384 } as const;

/** Visible ASCII: no blank, no control character, nothing that must be percent-encoded first; no fragment. */
const PATH = /^\/[\x21\x22\x24-\x7e]*$/;
/** RFC 9110, section 5.6.2: token. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: visible characters and Latin-1, blanks and tabs between. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Checks the data that a scenario sends, so that it cannot inject a line, a header or another request.
 *
 * @param siteName names line and site in messages
 * @throws OutboundError with the reason `request`
 */
export function checkOutboundRequest(request: OutboundRequest, siteName: string): OutboundMessage {
  const refuse = (what: string): never => {
    throw new OutboundError('request', `${siteName}: ${what}`);
  };
  const { method, path, body } = request;
  if (!methods.has(method)) refuse('the method is not one of GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS');
  if (path.length > outboundRequestLimits.pathCharacters) refuse('the path is too long');
  if (!PATH.test(path)) refuse('the path does not begin with a slash, or holds a character that must be encoded');
  return {
    method,
    path,
    headers: checkHeaders(request.headers, refuse),
    body: body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  };
}

function checkHeaders(headers: OutboundRequest['headers'], refuse: (what: string) => never): string[] {
  if (headers.length > outboundRequestLimits.headers) refuse('too many headers');
  const flat: string[] = [];
  let characters = 0;
  for (const [name, value] of headers) {
    characters += name.length + value.length;
    if (characters > outboundRequestLimits.headerCharacters) refuse('the headers are too long');
    if (!HEADER_NAME.test(name)) refuse('a header name holds a character that is not allowed');
    if (connectionHeaders.has(name.toLowerCase())) refuse(`the header ${name} is written by the line itself`);
    if (!HEADER_VALUE.test(value)) refuse(`the value of the header ${name} holds a character that is not allowed`);
    flat.push(name, value);
  }
  return flat;
}
