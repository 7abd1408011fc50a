import type { IncomingMessage, ServerResponse } from 'node:http';

export interface DemoExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: string;
}

export function sendBody(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  sendBody(response, status, 'text/plain; charset=utf-8', text);
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.setHeader('Cache-Control', 'no-store');
  sendBody(response, status, 'application/json', `${JSON.stringify(value)}\n`);
}

const LONGEST_REQUEST_BODY = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/**
 * Calls back with the complete body. Responds 413 if it is too long. Does not call back if the client disconnects. Uses
 * a callback instead of a promise, because this is the hot path of benchmarks.
 */
export function readRequestBody({ request, response }: DemoExchange, use: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  let length = 0;
  request.on('data', (piece: Buffer) => {
    if (length > LONGEST_REQUEST_BODY) return;
    length += piece.length;
    if (length <= LONGEST_REQUEST_BODY) {
      pieces.push(piece);
      return;
    }
    response.setHeader('Connection', 'close');
    sendText(response, 413, 'The request is too long.\n');
  });
  request.on('end', () => {
    if (length <= LONGEST_REQUEST_BODY) use(Buffer.concat(pieces, length));
  });
}

/** Calls back with the fields of a form, which are empty without body. Responds 415 if the body is not a form. */
export function readRequestForm(exchange: DemoExchange, use: (form: URLSearchParams) => void): void {
  readRequestBody(exchange, (body) => {
    const isForm = exchange.request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false;
    if (isForm || body.length === 0) use(new URLSearchParams(body.toString('utf8')));
    else sendText(exchange.response, 415, `${FORM} is expected.\n`);
  });
}
