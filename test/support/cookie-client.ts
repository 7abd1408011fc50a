import { type IncomingHttpHeaders, request as requestInClear } from 'node:http';
import { request as requestOverTls } from 'node:https';

export interface CookieReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly set: readonly string[];
  readonly text: string;
}

/** An HTTP client that handles only cookies, with or without TLS, with any certificate. */
export class CookieClient {
  /** In order of creation, as browsers send them (RFC 6265, section 5.4). */
  readonly cookies = new Map<string, string>();

  constructor(
    readonly url: string,
    readonly accept = 'application/json',
  ) {}

  get(path: string): Promise<CookieReply> {
    return this.#send('GET', path);
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<CookieReply> {
    return this.#send('POST', path, new URLSearchParams(fields).toString());
  }

  async open(path: string): Promise<string> {
    const { status, text } = await this.get(path);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return (JSON.parse(text) as { action: string }).action;
  }

  #send(method: string, path: string, body?: string): Promise<CookieReply> {
    const request = this.url.startsWith('https:') ? requestOverTls : requestInClear;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      Accept: this.accept,
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(this.url + path, { method, headers, rejectUnauthorized: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.once('error', reject).once('end', () => {
          const set = response.headers['set-cookie'] ?? [];
          for (const line of set) this.#keep(line);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, set, text });
        });
      });
      outgoing.once('error', reject).end(body);
    });
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
