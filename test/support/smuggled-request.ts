import { RawConnection } from '../lines/listener/raw-connection.js';

/** An address reserved for documentation (RFC 5737). If it is in a log, the server accepted a forged identity. */
export const FORGED_ADDRESS = '192.0.2.66';
export const SMUGGLED_PAGE = '/SMUGGLED.HTML';

const METHODS = ['GET', 'HEAD', 'DELETE', 'OPTIONS'] as const;
/** Header lines that make a hop drop the framing headers of a body if it obeys them. */
const NAMED = [
  'Connection: content-length',
  'Connection: keep-alive, Content-Length',
  'Connection: keep-alive\r\nConnection: content-length',
  'Connection: transfer-encoding',
] as const;

export interface SmuggledRequest {
  readonly name: string;
  readonly bytes: (path: string, cookie: string) => string;
}

/** The attack of the audit of 2026-11-27: 16 forms. */
export const smuggledRequests: readonly SmuggledRequest[] = METHODS.flatMap((method) =>
  NAMED.map((named) => ({
    name: `${method} with ${JSON.stringify(named)}`,
    bytes: (path, cookie) => {
      const body = forgedRequest();
      const isChunked = named.includes('transfer-encoding');
      const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
      const sent = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
      return `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n${named}\r\n${framing}\r\n\r\n${sent}`;
    },
  })),
);

export const plainRequests = METHODS.map((method) => ({
  name: `${method} with a body`,
  plain: (path: string, cookie: string) => {
    const body = forgedRequest();
    return `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  },
}));

/** Format of forwarded requests before they were sealed. */
export function forgedRequest(): string {
  const said = { line: 'C-HTTP', client: FORGED_ADDRESS, isOverTls: true, reached: '127.0.0.1' };
  const carried = encodeURIComponent(JSON.stringify(said));
  return `GET ${SMUGGLED_PAGE} HTTP/1.1\r\nHost: x\r\nSallyport-Carried: ${carried}\r\n\r\n`;
}

/** @returns status when the other side closes or the answer is complete; 0 without an answer */
export async function sendSmuggled(port: number, { bytes }: SmuggledRequest, path: string, cookie: string) {
  const connection = await RawConnection.open(port);
  try {
    await connection.send(bytes(path, cookie));
    await connection.until((text) => /^HTTP\/1\.1 [2-5]\d\d /.test(text)).catch(() => '');
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(connection.text)?.[1] ?? 0);
  } finally {
    connection.close();
  }
}
