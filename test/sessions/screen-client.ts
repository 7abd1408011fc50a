import WebSocket, { type ClientOptions } from 'ws';
import { eventually } from '../support/eventually.js';

export type ScreenMessage = Readonly<Record<string, unknown>> & { readonly k: string };

/** A page of a session that speaks docs/write/screen-protocol.md and keeps the rows it would show. */
export class ScreenClient {
  readonly messages: ScreenMessage[] = [];
  readonly sizes: number[] = [];
  page = 0;
  lastNumber = 0;
  revision: number | undefined;
  cells: string[] = [];
  columns = 80;
  lock: unknown;
  closed: { readonly code: number; readonly reason: string } | undefined;
  #socket: WebSocket | undefined;
  /** Keys that wait for the first screen. */
  #early: Array<() => void> = [];

  /** @param begun the revision of the screen with which the session began */
  constructor(
    readonly url: string,
    readonly action: string,
    readonly cookie: string,
    readonly options: ClientOptions = {},
    readonly begun?: number,
  ) {}

  /** Resolves when the server has let us in; rejects with the status of its refusal. */
  async connect(headers: Readonly<Record<string, string>> = {}, hello: object = {}): Promise<void> {
    this.closed = undefined;
    const socket = new WebSocket(this.url.replace('http', 'ws') + this.action, {
      ...this.options,
      headers: { Cookie: this.cookie, ...headers },
    });
    this.#socket = socket;
    socket.on('message', (data) => this.#take(data.toString()));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
      socket.once('error', reject);
    });
    const known = this.page === 0 ? {} : { p: this.page, r: this.revision };
    this.send({ k: 'h', ...known, ...hello });
  }

  send(message: object | string): void {
    this.#socket?.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** For the screen that is shown; before there is one, the key waits for it. */
  key(number: number, key: string, fields: Readonly<Record<string, string>> = {}, further: object = {}): void {
    const send = () => this.send({ k: 'k', i: number, a: key, r: this.revision ?? this.begun, f: fields, ...further });
    if (this.revision === undefined && this.begun === undefined) this.#early.push(send);
    else send();
  }

  /** Takes nothing from the connection any more. */
  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Cuts the connection, as a network that goes away does. */
  cut(): void {
    this.#socket?.terminate();
  }

  rows(): string[] {
    const rows: string[] = [];
    for (let at = 0; at < this.cells.length; at += this.columns) {
      rows.push(
        this.cells
          .slice(at, at + this.columns)
          .join('')
          .trimEnd(),
      );
    }
    return rows;
  }

  async shows(text: string): Promise<void> {
    await eventually(() => (this.rows().some((row) => row.includes(text)) ? true : undefined));
  }

  /** Waits for a message. */
  async message(fits: (message: ScreenMessage) => boolean): Promise<ScreenMessage> {
    return eventually(() => this.messages.find(fits));
  }

  #take(text: string): void {
    const message = JSON.parse(text) as ScreenMessage;
    this.messages.push(message);
    if (message.k === 'w') {
      this.page = Number(message.p);
      this.lastNumber = Number(message.i);
    }
    if (message.k !== 's' && message.k !== 'd') return;
    this.sizes.push(Buffer.byteLength(text));
    if (message.k === 's') {
      this.columns = Number(message.c);
      this.cells = new Array<string>(Number(message.n) * this.columns).fill(' ');
    } else if (message.b !== this.revision) {
      throw new Error(`a change of revision ${message.b}, where ${this.revision} is shown`);
    }
    this.revision = Number(message.r);
    this.lock = message.l;
    for (const send of this.#early.splice(0)) send();
    for (const [address, piece] of message.t as [number, string | [string]][]) {
      const characters = Array.isArray(piece) ? piece : [...piece];
      for (const [at, character] of characters.entries()) {
        this.cells[address + at] = character === '\u007f' ? '' : character;
      }
    }
  }
}

/** Begins a session and gives the page that shows it. */
export async function openScreen(url: string, path: string): Promise<ScreenClient> {
  const response = await fetch(url + path, { headers: { Accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { action, revision } = (await response.json()) as { action: string; revision: number };
  return new ScreenClient(url, action, cookie, {}, revision);
}
