import { appendFileSync } from 'node:fs';
import { printableText } from '../printable-text.js';

const SHORTEST_MASKED_PASSWORD = 8;

export interface Credentials {
  readonly administrator: string;
  readonly password: string;
}

/** What was said over the wire, without Authorization. */
interface RecordedExchange {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  readonly reason: string;
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

/** The verbose output that the reference client appends to output.txt (specification 4.6 rule 4). */
export class UploadRecord {
  readonly #file: string;
  /** What a server might send back, and what is written nowhere. */
  readonly #secrets: string[];

  constructor(file: string, { administrator, password }: Credentials) {
    this.#file = file;
    const pair = `${administrator}:${password}`;
    this.#secrets = [pair, Buffer.from(pair).toString('base64')];
    // masking a word that stands in every reply would tell it
    if (password.length >= SHORTEST_MASKED_PASSWORD) this.#secrets.push(password);
  }

  exchange({ method, url, status, reason, rawHeaders, text }: RecordedExchange): void {
    const headers: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.push(`< ${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
    }
    this.#append([
      `* ${new Date().toISOString()} ${url.origin}`,
      `> ${method} ${url.pathname}${url.search} HTTP/1.1`,
      `< HTTP/1.1 ${status} ${reason}`,
      ...headers,
      '',
      text.replace(/\r\n/g, '\n').trimEnd(),
      '',
    ]);
  }

  failure(method: string, url: URL, words: string): void {
    this.#append([
      `* ${new Date().toISOString()} ${url.origin}`,
      `> ${method} ${url.pathname}${url.search} HTTP/1.1`,
      `* ${words}`,
      '',
    ]);
  }

  /** The text, with what must be written nowhere left out. */
  masked(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, '***');
    return masked;
  }

  #append(lines: readonly string[]): void {
    // readable by its owner only: keys of directories stand in it
    appendFileSync(this.#file, printableText(this.masked(`${lines.join('\n')}\n`)), { mode: 0o600 });
  }
}
