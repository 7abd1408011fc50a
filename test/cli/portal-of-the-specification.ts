import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** What arrived at the portal and was sound, in order. */
export interface Arrival {
  readonly directory: string;
  readonly content: string;
}

type Answer = (request: http.IncomingMessage, response: http.ServerResponse, body: Buffer) => boolean;

export interface PortalOptions {
  readonly administrator: string;
  readonly password: string;
  readonly groups: readonly string[];
  readonly users: readonly string[];
  /** Where keys travel: the specification does not say. */
  readonly keyIn?: 'header' | 'body';
  readonly tls?: https.ServerOptions;
  /** True: it has answered by itself. */
  readonly instead?: Answer;
}

/** A portal line as sections 4.3 and 4.4 of the specification have it, which takes nothing that they do not describe. */
export class PortalOfTheSpecification {
  readonly arrivals: Arrival[] = [];
  /** `METHOD target` of every request. */
  readonly requests: string[] = [];
  /** What was asked for otherwise than the specification says. */
  readonly deviations: string[] = [];
  readonly #options: PortalOptions;
  readonly #server: http.Server;

  constructor(options: PortalOptions) {
    this.#options = options;
    const listener: http.RequestListener = (request, response) => void this.#take(request, response);
    this.#server = options.tls ? https.createServer(options.tls, listener) : http.createServer(listener);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Unlike every name, in letters of both cases. */
  static keyOf(name: string): string {
    return `Key-${Buffer.from(name).toString('base64url')}`;
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    this.requests.push(`${request.method} ${request.url}`);
    if (this.#options.instead?.(request, response, body)) return;
    const { administrator, password } = this.#options;
    const expected = `Basic ${Buffer.from(`${administrator}:${password}`, 'utf8').toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response
        .writeHead(401, { 'WWW-Authenticate': 'Basic realm="portal", charset="UTF-8"' })
        .end('RETURN CODE IS: 08');
    } else if (request.method === 'GET') this.#giveKey(request, response);
    else this.#takeUpload(request, response, body);
  }

  #giveKey(request: http.IncomingMessage, response: http.ServerResponse): void {
    const [, kind = '', encoded = ''] =
      /^\/SECURE\/capabilityCode\.json\+USRCAP\?(GROUP|USER)=([A-Za-z0-9%_.-]+)$/.exec(request.url ?? '') ?? [];
    const names = kind === 'GROUP' ? this.#options.groups : this.#options.users;
    const name = names.find((known) => known.toLowerCase() === decodeURIComponent(encoded).toLowerCase());
    if (kind === '') this.#deviates(response, `look-up ${request.url}`);
    else if (name === undefined) {
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ code: 'UNKNOWN', message: `There is no such ${kind.toLowerCase()}.` }));
    } else {
      const header = `x-Svc-${kind.toLowerCase()}-Directory`;
      const key = PortalOfTheSpecification.keyOf(name);
      if (this.#options.keyIn !== 'body') response.setHeader(header.toUpperCase(), key);
      response.setHeader('Content-Type', 'application/json');
      const member = this.#options.keyIn === 'header' ? [] : [`"${header}": "${key}",`];
      response.end(['{', ...member, '"kind":"key"', '}'].join('\n'));
    }
  }

  #takeUpload(request: http.IncomingMessage, response: http.ServerResponse, body: Buffer): void {
    const directory = this.#directoryOf(request.url ?? '');
    const part = onlyPart(request.headers['content-type'] ?? '', body);
    if (request.method !== 'POST' || directory === undefined) this.#deviates(response, `upload to ${request.url}`);
    else if (part === undefined) this.#deviates(response, `body ${body.toString('latin1')}`);
    else {
      this.arrivals.push({ directory, content: part });
      response.setHeader('Content-Type', 'text/plain');
      response.end(`RETURN CODE IS: 00\r\n120000 MESSAGE RECEIVED\r\n120000 SIZE : ${part.length} BYTES (TEXT)\r\n`);
    }
  }

  #directoryOf(target: string): string | undefined {
    // the reference client appends 1, others need not
    if (/^\/SECURE\/upload\.txt\+uplglb1?$/.test(target)) return 'global';
    const [, level = '', name = '', key = ''] =
      /^\/SECURE\/upload\.txt\+upl(grp|usr)\+x-Svc-(group|user)-Directory:(.+)$/.exec(target) ?? [];
    if (level.slice(0, 1) !== name.slice(0, 1)) return undefined;
    const names = name === 'group' ? this.#options.groups : this.#options.users;
    const found = names.find((known) => [key, key.replace(/1$/, '')].includes(PortalOfTheSpecification.keyOf(known)));
    return found === undefined ? undefined : `${name} ${found}`;
  }

  #deviates(response: http.ServerResponse, words: string): void {
    this.deviations.push(words);
    response.writeHead(400, { 'Content-Type': 'text/plain' }).end('RETURN CODE IS: 12\r\n120000 NOT AS SPECIFIED\r\n');
  }
}

/** The content of a multipart body that has exactly one part: `file`, macros.json, application/json (RFC 7578). */
function onlyPart(contentType: string, body: Buffer): string | undefined {
  const [, boundary] = /^multipart\/form-data; boundary=([A-Za-z0-9'()+_,./:=?-]{1,70})$/.exec(contentType) ?? [];
  const text = body.toString('latin1');
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="macros.json"\r\n` +
    'Content-Type: application/json\r\n\r\n';
  const tail = `\r\n--${boundary}--\r\n`;
  if (boundary === undefined || !text.startsWith(head) || !text.endsWith(tail)) return undefined;
  const content = text.slice(head.length, -tail.length);
  return content.includes(`--${boundary}`) ? undefined : Buffer.from(content, 'latin1').toString('utf8');
}
