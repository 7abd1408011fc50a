import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ATTACKER } from './flood-connection.js';

export interface FloodKind {
  readonly words: string;
  readonly connections: number;
  /**
   * `pipelined`: repeatedly on each connection; `reconnecting`: once on each connection, which is then opened again.
   */
  readonly manner: 'pipelined' | 'reconnecting' | 'frames';
  readonly line?: 'tls';
  readonly processes?: number;
  readonly bytes: (server: { readonly port: number }) => Promise<string | Buffer> | string | Buffer;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

function post(path: string, type: string, body: string, more = ''): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n${more}`;
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function chunked(path: string, type: string, body: string): string {
  const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('');
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
}

/** A text frame of a client (RFC 6455), for texts below 126 bytes. */
function frame(text: string): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const bytes = Buffer.from(text);
  return Buffer.concat([
    Buffer.from([0x81, 0x80 | bytes.length]),
    mask,
    bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
  ]);
}

const FIELDS = Array.from({ length: 800 }, (_, at) => `FIELD${at}=${'v'.repeat(20)}`).join('&');
const FILE = [
  '--b\r\nContent-Disposition: form-data; name="F"; filename="f"\r\n\r\n',
  `${'0123456789'.repeat(60_000)}\r\n--b--\r\n`,
].join('');
const SCENARIO = '/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD';

export const floodKinds: Readonly<Record<string, FloodKind>> = {
  messages4: {
    words: 'WebSocket messages, 4 sockets',
    connections: 4,
    manner: 'frames',
    bytes: () => frame('{"k":"q"}'),
  },
  messages200: {
    words: 'WebSocket messages, 200 sockets',
    connections: 200,
    manner: 'frames',
    bytes: () => frame('{"k":"q"}'),
  },
  keys: {
    words: 'WebSocket keys, 100 sockets',
    connections: 100,
    manner: 'frames',
    bytes: () =>
      Buffer.concat(Array.from({ length: 30 }, (_, at) => frame(`{"k":"k","i":${at + 1},"a":"PF12","y":1}`))),
  },
  pages: { words: 'pipelined pages', connections: 200, manner: 'pipelined', bytes: () => get('/CLIWHOST.HTML') },
  scenarios: { words: 'pipelined scenarios', connections: 200, manner: 'pipelined', bytes: () => get(SCENARIO) },
  unknown: {
    words: 'pipelined requests answered with 404',
    connections: 200,
    manner: 'pipelined',
    bytes: () => get('/NO.HTML'),
  },
  malformed: {
    words: 'malformed requests (400), reconnecting',
    connections: 200,
    manner: 'reconnecting',
    bytes: () => 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nbad header\r\n\r\n',
  },
  files: {
    words: 'pipelined static files',
    connections: 200,
    manner: 'pipelined',
    bytes: () => get('/w2h/favicon.svg'),
  },
  macros: {
    words: 'pipelined macros',
    connections: 200,
    manner: 'pipelined',
    bytes: () => get('/w2h/global/macros.json'),
  },
  uploads: {
    words: 'uploads of 600 KB (multipart)',
    connections: 200,
    manner: 'pipelined',
    bytes: () => post('/WS1.HTML+WS4', 'multipart/form-data; boundary=b', FILE),
  },
  forms: {
    words: 'forms of 800 fields',
    connections: 200,
    manner: 'pipelined',
    bytes: () => post('/WS1.HTML+WS4', 'application/x-www-form-urlencoded', FIELDS),
  },
  chunks: {
    words: 'JSON bodies in chunks of 1 byte',
    connections: 200,
    manner: 'pipelined',
    bytes: () => chunked('/WS1.HTML+WS4', 'application/json', JSON.stringify({ text: 'x'.repeat(4_000) })),
  },
  starts: { words: 'session starts', connections: 200, manner: 'pipelined', bytes: () => get('/TERMINAL.HTML+TSO') },
  submits: {
    words: 'submits of a session',
    connections: 200,
    manner: 'pipelined',
    bytes: async ({ port }) => {
      const { code, cookie } = await beginSession(port, ATTACKER);
      return post(
        `/w2h/TERMINAL.HTML++SvcSession=${code}`,
        'application/x-www-form-urlencoded',
        'pf=ENTER',
        `Cookie: ${cookie}\r\n`,
      );
    },
  },
  upgrades: {
    words: 'upgrades, reconnecting',
    connections: 200,
    manner: 'reconnecting',
    bytes: async ({ port }) => upgradeRequest(await beginSession(port, ATTACKER)),
  },
  handshakes: {
    words: 'TLS handshakes, the same ClientHello again and again',
    connections: 200,
    manner: 'reconnecting',
    line: 'tls',
    bytes: () => clientHello(),
  },
  internal: {
    words: 'session pages that workers pass on (2 processes)',
    connections: 200,
    manner: 'pipelined',
    processes: 2,
    bytes: async ({ port }) => {
      const { code, cookie } = await beginSession(port, ATTACKER);
      return `GET /w2h/TERMINAL.HTML++SvcSession=${code} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`;
    },
  },
};

export interface BegunSession {
  readonly code: string;
  readonly cookie: string;
}

export async function beginSession(port: number, localAddress: string): Promise<BegunSession> {
  const text = await new Promise<{ body: string; cookie: string }>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, localAddress, path: '/TERMINAL.HTML+TSO', headers: { accept: 'text/html' } },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        response.once('end', () => resolve({ body, cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '' }));
      },
    )
      .once('error', reject)
      .end();
  });
  const code = /SvcSession=([A-Za-z0-9_.-]+)/.exec(text.body)?.[1];
  if (code === undefined) throw new Error(`no session began: ${text.body.slice(0, 200)}`);
  return { code, cookie: text.cookie };
}

export function upgradeRequest({ code, cookie }: BegunSession): string {
  return [
    `GET /w2h/TERMINAL.HTML++SvcSession=${code} HTTP/1.1`,
    ...['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Cookie: ${cookie}`, '', ''],
  ].join('\r\n');
}

export function helloFrame(): Buffer {
  return frame('{"k":"h"}');
}

async function clientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const client = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
  client.on('error', () => {});
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return bytes as Buffer;
}
