import { connect, type Socket } from 'node:net';

export interface PreparedRequest {
  readonly bytes: Buffer;
  readonly body: string;
}

export interface LoadConnectionOptions {
  readonly port: number;
  readonly next: () => PreparedRequest | undefined;
  readonly onAnswer: (milliseconds: number) => void;
  readonly onFailure: (words: string) => void;
}

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;

/**
 * A keep-alive connection that sends the next request after it has received and compared the whole answer. It supports
 * only the HTTP that the contenders use: 200 and Content-Length.
 */
export class LoadConnection {
  readonly #options: LoadConnectionOptions;
  readonly #socket: Socket;
  #request: PreparedRequest | undefined;
  #sentAt = 0;
  #received = '';

  constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('connect', () => this.#sendNext());
    this.#socket.on('data', (text: string) => this.#receive(text));
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', () => this.#fail('the connection was closed'));
  }

  #sendNext(): void {
    this.#request = this.#options.next();
    if (this.#request === undefined) {
      this.#socket.destroy();
      return;
    }
    this.#sentAt = performance.now();
    this.#socket.write(this.#request.bytes);
  }

  #receive(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const bodyStart = headEnd + HEAD_END.length;
    const length = Number(CONTENT_LENGTH.exec(this.#received)?.[1]);
    if (this.#received.length < bodyStart + length) return;
    const answer = this.#received;
    this.#received = '';
    if (answer.startsWith('HTTP/1.1 200 ') && answer.slice(bodyStart) === this.#request?.body) {
      this.#options.onAnswer(performance.now() - this.#sentAt);
      this.#sendNext();
    } else {
      this.#fail(`expected ${this.#request?.body}, received ${answer.slice(0, 600)}`);
    }
  }

  #fail(words: string): void {
    if (this.#request === undefined) return;
    this.#request = undefined;
    this.#socket.destroy();
    this.#options.onFailure(words);
  }
}
