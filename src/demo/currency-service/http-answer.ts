import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request, its path already found. */
export interface DemoExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the question mark. */
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
