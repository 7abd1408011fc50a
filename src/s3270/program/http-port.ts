import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { type ForeignRequest, foreignRequest } from '../../lib/network/foreign-request.js';
import { failure, HttpAnswers, type ScriptResponse } from '../http-answers.js';
import { isSameSecret, Script } from '../script.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { terminalOnly } from '../terminal-only.js';
import { left, listenAt, MOST_SCRIPTS, type OpenPort, type ScriptAddress } from './script-port.js';

const MOST_BODY_BYTES = 1 << 20;
const REQUEST_MILLISECONDS = 60_000;
/** Time for the client that ended the terminal to read its answer. */
const LAST_ANSWER_MILLISECONDS = 1_000;
const COOKIE = 'x3270-security';

export async function openHttpPort(
  terminal: ScriptedTerminal,
  address: ScriptAddress,
  cookie: string | undefined,
): Promise<OpenPort> {
  // without a cookie, any local client can connect: give it access only to the terminal, not to programs and files
  const tools = cookie === undefined ? terminalOnly(terminal.tools) : terminal.tools;
  const script = new Script(terminal, 'httpd', { tools });
  const answers = new HttpAnswers(terminal, script);
  const answered = new Set<ServerResponse>();
  const server = createServer(
    { requestTimeout: REQUEST_MILLISECONDS, requireHostHeader: false },
    (request, response) => {
      const answer = (answerOfRequest: ScriptResponse) => {
        answered.add(response.on('close', () => answered.delete(response)));
        send(response, answerOfRequest);
      };
      respond(request, answers, { cookie, host: address.host }).then(answer, (error: unknown) =>
        answer(failure(500, error instanceof RangeError ? 'Too much.' : 'Internal error.')),
      );
    },
  );
  server.on('clientError', refuse);
  server.maxConnections = MOST_SCRIPTS;
  const port = await listenAt(server, address);
  const close = async () => {
    server.close();
    // the request that ended the terminal must be answered first
    await setImmediate();
    const sent = (response: ServerResponse) =>
      finished(response, { signal: AbortSignal.timeout(LAST_ANSWER_MILLISECONDS) }).catch(() => undefined);
    await Promise.all([...answered].map(sent));
    server.closeAllConnections();
    script.close();
  };
  return { port, leave: () => left(server), close };
}

interface Guard {
  readonly cookie: string | undefined;
  readonly host: string;
}

function refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const { status, type, body } = isLate
    ? failure(408, 'The request took too long.')
    : failure(400, malformed[code] ?? 'Invalid request syntax.');
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // a client that does not close would count as connected for more than a minute
  socket.setTimeout(LAST_ANSWER_MILLISECONDS, () => socket.destroy());
}

const malformed: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request is too big.',
  HPE_INVALID_METHOD: 'Unknown verb.',
  HPE_INVALID_URL: 'Invalid URI.',
  HPE_INVALID_VERSION: 'Invalid protocol.',
};

async function respond(request: IncomingMessage, answers: HttpAnswers, guard: Guard): Promise<ScriptResponse> {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return { ...failure(400, 'Missing hostname.'), isLast: true };
  }
  const refused = refusalOf(request, guard);
  if (refused !== undefined) return { ...failure(403, refused), isLast: true };
  const body = await bodyOf(request);
  if (body === undefined) return { ...failure(413, `A body has at most ${MOST_BODY_BYTES} bytes.`), isLast: true };
  const { method = 'GET', url = '/', headers } = request;
  return answers.answer({ method, target: url, contentType: headers['content-type'] ?? '', body });
}

const refusals: Readonly<Record<ForeignRequest, string>> = {
  otherName: 'Unknown host name.',
  otherSite: 'Request of another site.',
};

/** Pages of other sites must not use the terminal, even through another name of this machine. */
function refusalOf(request: IncomingMessage, { cookie, host }: Guard): string | undefined {
  const foreign = foreignRequest(request, host);
  if (foreign !== undefined) return refusals[foreign];
  if (cookie === undefined) return undefined;
  const given = cookieOf(request.headers.cookie ?? '');
  if (given === undefined) return `Missing ${COOKIE} cookie.`;
  return isSameSecret(given, cookie) ? undefined : `Invalid ${COOKIE} cookie.`;
}

function cookieOf(header: string): string | undefined {
  const [, value] = new RegExp(`(?:^|;)\\s*${COOKIE}=([^;]*)`).exec(header) ?? [];
  return value?.trim().replace(/^"(.*)"$/, '$1');
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, type, body, location, isLast = false }: ScriptResponse): void {
  const { method, httpVersion, headers } = response.req;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    ...(location === undefined
      ? {}
      : { Location: `${headers.host === undefined ? '' : `http://${headers.host}`}${location}` }),
    ...(isLast || httpVersion === '1.0' ? { Connection: 'close' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
