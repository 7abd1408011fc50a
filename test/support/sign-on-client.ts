import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';

export interface SignOnReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts and rendering: it keeps cookies, and encrypts with Node's OpenSSL. */
export class SignOnClient {
  readonly #url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async request(path: string, init: RequestInit = {}): Promise<SignOnReply> {
    const headers = { ...(this.cookies.size === 0 ? {} : { Cookie: this.cookie }), ...(init.headers as object) };
    const response = await fetch(`${this.#url}${path}`, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<SignOnReply> {
    return this.request(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async signOn(
    path: string,
    user: string,
    password: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<SignOnReply> {
    const { text } = await this.request(path);
    return this.post(path, this.fieldsFor(text, user, password), headers);
  }

  fieldsFor(page: string, user: string, password: string): Record<string, string> {
    const shown = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(page)?.[1] ?? '';
    const fields = { USERID: user, PASSWORD: password, 'SIGNON-CODE': shown('name="SIGNON-CODE" value') };
    const modulus = shown('data-modulus');
    if (modulus === '') return fields;
    const [key, iv] = [randomBytes(24), randomBytes(8)];
    const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
    const jwk = { kty: 'RSA', n: base64url(modulus), e: base64url(shown('data-exponent')) };
    const wrapped = publicEncrypt(
      { key: createPublicKey({ key: jwk, format: 'jwk' }), padding: constants.RSA_PKCS1_PADDING },
      Buffer.concat([key, iv]),
    );
    const encrypt = (text: string) => {
      const cipher = createCipheriv('des-ede3-cbc', key, iv);
      return cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
    };
    return { ...fields, USERID: encrypt(user), PASSWORD: encrypt(password), SESSKEY: wrapped.toString('hex') };
  }
}

export function basic(user: string, password: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
