import { constants, createCipheriv, createPublicKey, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import WebSocket from 'ws';

export interface BegunSession {
  readonly code: string;
  readonly cookie: string;
  readonly text: string;
}

export interface SessionKey {
  readonly key: Buffer;
  readonly wrapped: string;
}

/** A client of the measured site. It handles cookies, codes and keys itself to save processor time. */
export class SiteClient {
  readonly #pool: Pool;

  constructor(
    readonly url: string,
    connections: number,
  ) {
    this.#pool = new Pool(url, { connections, pipelining: 1, keepAliveTimeout: 4_000 });
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { text } = await this.#request({ path, method: 'GET', headers });
    return text;
  }

  async begin(path: string): Promise<BegunSession> {
    const { text, cookie } = await this.#request({ path, method: 'GET', headers: { accept: 'text/html' } });
    const code = /SvcSession=([A-Za-z0-9_.-]+)/.exec(text)?.[1];
    if (code === undefined) throw new Error(`${path} has no session`);
    return { code, cookie, text };
  }

  async submit(
    page: BegunSession,
    name: string,
    number: number,
    fields: Readonly<Record<string, string>>,
    accept = 'application/json',
  ): Promise<string> {
    const { text } = await this.#request({
      path: `/w2h/${name}++SvcSession=${page.code}`,
      method: 'POST',
      headers: {
        accept,
        cookie: page.cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'x-svc-request-id': `${number} ${fields.pf ?? 'ENTER'} 11:10:01`,
      },
      body: new URLSearchParams(fields).toString(),
    });
    return text;
  }

  async signOn(): Promise<void> {
    const page = await this.begin('/SIGNON.HTML+SIGNON');
    const { key, wrapped } = wrapKey(page, 24, constants.RSA_PKCS1_PADDING);
    const text = await this.submit(page, 'SIGNON.HTML', 1, {
      pf: 'ENTER',
      SESSKEY: wrapped,
      USERID: encryptTriple(key, 'DEMO'),
      PASSWORD: encryptTriple(key, 'demo'),
    });
    if (!text.includes('Option ===>')) throw new Error(`the sign-on was not taken: ${text.slice(0, 300)}`);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #request(options: Dispatcher.RequestOptions): Promise<{ text: string; cookie: string }> {
    const { statusCode, headers, body } = await this.#pool.request(options);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${options.method} ${options.path}: ${statusCode} ${text.slice(0, 300)}`);
    const cookie = String(headers['set-cookie'] ?? '').split(';')[0] ?? '';
    return { text, cookie };
  }
}

export function wrapKey({ text }: BegunSession, keyBytes: number, padding: number): SessionKey {
  const part = (name: string) =>
    Buffer.from(new RegExp(`data-${name}="([0-9a-fA-F]+)"`).exec(text)?.[1] ?? '', 'hex').toString('base64url');
  const publicKey: KeyObject = createPublicKey({
    key: { kty: 'RSA', n: part('modulus'), e: part('exponent') },
    format: 'jwk',
  });
  const key = randomBytes(keyBytes);
  const oaep = padding === constants.RSA_PKCS1_OAEP_PADDING ? { oaepHash: 'sha256' } : {};
  return { key, wrapped: publicEncrypt({ key: publicKey, padding, ...oaep }, key).toString('hex') };
}

export function encryptTriple(key: Buffer, text: string): string {
  const cipher = createCipheriv('des-ede3-cbc', key, Buffer.alloc(8));
  return cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
}

export function sealGcm(key: Buffer, text: string, additional: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(additional));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('hex');
}

export function openSocket(
  url: string,
  { code, cookie }: BegunSession,
  take: (text: string) => void,
  hello = '{"k":"h"}',
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/w2h/TERMINAL.HTML++SvcSession=${code}`, {
    headers: { Cookie: cookie },
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => socket.send(hello));
    socket.once('error', reject);
    socket.on('message', (data) => {
      const text = data.toString();
      take(text);
      if (text.startsWith('{"k":"s"')) resolve(socket);
    });
  });
}
