import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import { listenPrivately } from '../../lib/files/private-path.js';
import { MOST_LINE_CHARACTERS, Script } from '../script.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { systemErrorWords } from './system-error-words.js';

export const MOST_SCRIPTS = 64;
/** Limit of unread answers. Further lines of the script wait until it has read all answers. */
const MOST_QUEUED_BYTES = 1 << 24;
/** Time for the lines of one script before other scripts get their turn. */
const MOST_TURN_MILLISECONDS = 10;

/** Address for scripts to connect to, or to call back: `[ADDRESS:]PORT`. */
export interface ScriptAddress {
  readonly host: string;
  readonly port: number;
}

export function readScriptAddress(text: string): ScriptAddress | undefined {
  const [, bracketed, plain = '', portText] = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(portText);
  if (!(port >= 0 && port <= 65_535)) return undefined;
  const host = bracketed ?? (plain || '127.0.0.1');
  return { host: host === '*' ? '0.0.0.0' : host, port };
}

interface Lines {
  readonly input: Readable;
  readonly output: Writable;
  /** True to discard a last line without a line end, so that no incomplete line is executed. */
  readonly isCutLeftOut?: boolean;
  readonly isRefused?: (line: string, isWhole: boolean) => boolean;
}

/**
 * @returns the reason for the end: an action, the end of the input or a line that is too long, or a rejected first line
 */
export async function answerLines(
  script: Script,
  { input, output, isCutLeftOut = false, isRefused }: Lines,
): Promise<'action' | 'input' | 'refusal'> {
  const lines = new LineInput(input, { mostCharacters: MOST_LINE_CHARACTERS, isCutLeftOut, isRefused });
  script.queue = output;
  output.on('error', () => lines.close());
  let began = performance.now();
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    const answer = await script.answer(line);
    if (answer !== undefined) output.write(answer);
    if (output.writableLength > MOST_QUEUED_BYTES) await drained(output);
    if (performance.now() - began > MOST_TURN_MILLISECONDS) {
      await setImmediate();
      began = performance.now();
    }
    if (script.isClosed || script.isRefused) break;
  }
  const { isClosed } = script;
  const rest = isClosed ? undefined : await script.answerEnd();
  if (rest !== undefined) output.write(rest);
  lines.close();
  script.close();
  if (lines.wasRefused) return 'refusal';
  return isClosed ? 'action' : 'input';
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      output.off('drain', done);
      output.off('close', done);
      resolve();
    };
    output.once('drain', done);
    output.once('close', done);
  });
}

async function serve(terminal: ScriptedTerminal, socket: Socket, cookie: string | undefined): Promise<boolean> {
  socket.on('error', () => socket.destroy());
  const lines = { input: socket, output: socket, isCutLeftOut: true, isRefused: isForeignLine };
  const end = await answerLines(new Script(terminal, 's3sock', { cookie }), lines);
  if (end === 'refusal') {
    socket.destroy();
    return false;
  }
  socket.end();
  socket.destroySoon();
  return true;
}

export interface OpenPort {
  readonly port: number;
  /** Accepts no further clients. Resolves when all connected ones have disconnected. */
  readonly leave: () => Promise<void>;
  readonly close: () => void | Promise<void>;
}

interface PortOptions {
  readonly cookie: string | undefined;
  readonly isOnce?: boolean;
}

interface ScriptPort extends OpenPort {
  readonly once: Promise<void>;
}

/**
 * @returns the port, which the system chooses for port 0; undefined for a Unix socket, which only this user can open
 */
export async function listenAt(server: Server, address: ScriptAddress | { readonly path: string }): Promise<number> {
  if ('path' in address) {
    await listenPrivately(server, address.path);
    return (server.address() as AddressInfo).port;
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

export function left(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

export async function openScriptPort(
  terminal: ScriptedTerminal,
  address: ScriptAddress | { readonly path: string },
  { cookie, isOnce = false }: PortOptions,
): Promise<ScriptPort> {
  let first: () => void = () => undefined;
  const once = new Promise<void>((resolve) => {
    first = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(terminal, socket, cookie).then(
      (isScript) => isScript && first(),
      () => first(),
    );
  });
  server.maxConnections = isOnce ? 1 : MOST_SCRIPTS;
  const port = await listenAt(server, address);
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, leave: () => left(server), close, once };
}

export async function callBack(terminal: ScriptedTerminal, { host, port }: ScriptAddress): Promise<void> {
  // a script that has ended its input still reads answers
  const socket = connect({ host, port, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error) => reject(new Error(`callback connect: ${systemErrorWords(error)}`)));
  });
  await serve(terminal, socket, undefined);
}

/** Characters to read ahead, because pausing the stream after each line takes longer than most lines. */
const MOST_WAITING_CHARACTERS = 65_536;
const MOST_WAITING_LINES = 1_000;

interface LineInputOptions {
  readonly mostCharacters: number;
  readonly isCutLeftOut: boolean;
  /** Checks the first line that is not blank, also while it is incomplete. A rejected line ends the input. */
  readonly isRefused?: ((line: string, isWhole: boolean) => boolean) | undefined;
}

/**
 * Reads lines from a stream and pauses it while many lines wait. Node's readline takes 30 KiB for each waiting session.
 */
export class LineInput {
  readonly #stream: Readable;
  readonly #mostCharacters: number;
  readonly #isCutLeftOut: boolean;
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [];
  #waitingCharacters = 0;
  #begun = '';
  #isOver = false;
  #judge: LineInputOptions['isRefused'];
  #wasRefused = false;
  #changed: () => void = () => undefined;

  constructor(stream: Readable, { mostCharacters, isCutLeftOut, isRefused }: LineInputOptions) {
    this.#stream = stream;
    this.#isCutLeftOut = isCutLeftOut;
    this.#mostCharacters = mostCharacters;
    this.#judge = isRefused;
    stream.on('data', this.#take).once('end', this.#ended).once('close', this.#ended);
  }

  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  async next(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#isOver) {
      if (this.#stream.isPaused()) this.#stream.resume();
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    const line = this.#lines.shift();
    this.#waitingCharacters -= line?.length ?? 0;
    return line;
  }

  close(): void {
    this.#isOver = true;
    this.#stream.off('data', this.#take).off('end', this.#ended).off('close', this.#ended);
    this.#stream.pause();
    this.#changed();
  }

  readonly #take = (chunk: Buffer | string): void => {
    // search each chunk for line ends only once
    const [rest = '', ...further] = (typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)).split('\n');
    const lines = [this.#begun + rest, ...further];
    this.#begun = lines.pop() ?? '';
    if (this.#refusesFirst(lines)) return;
    for (const line of lines) this.#push(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.#begun.length > this.#mostCharacters) {
      this.close();
      return;
    }
    if (lines.length === 0) return;
    if (this.#waitingCharacters >= MOST_WAITING_CHARACTERS || this.#lines.length >= MOST_WAITING_LINES)
      this.#stream.pause();
    this.#changed();
  };

  #refusesFirst(lines: readonly string[]): boolean {
    const judge = this.#judge;
    if (judge === undefined) return false;
    const first = lines.find((line) => line.trim() !== '');
    if (first !== undefined) this.#judge = undefined;
    if (!judge(first ?? this.#begun, first !== undefined)) return false;
    this.#wasRefused = true;
    this.#begun = '';
    this.#lines = [];
    this.close();
    return true;
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#waitingCharacters += line.length;
  }

  readonly #ended = (): void => {
    if (this.#begun !== '' && !this.#isCutLeftOut) this.#push(this.#begun);
    this.#begun = '';
    this.close();
  };
}

/** A request line of any version with any method (RFC 9112, 3; RFC 9110, 9.1 and 5.6.2). */
const requestLine = /^\s*[\w!#$%&'*+.^`|~-]+ +\S+ +HTTP\/\d/i;
/**
 * Control characters that cannot start a text. TLS (RFC 8446, 5.1) and STUN over TCP (RFC 8489, RFC 4571) start with
 * one. A web page can make a browser send STUN to any port with WebRTC.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY_START = /^[\0-\x08\x0e-\x1f]/;

/**
 * True if a connection starts with HTTP or a binary protocol. Browsers send these for any web page, so their content
 * must not be executed as actions.
 * @param isWhole true if the line is complete; only complete lines are executed
 */
function isForeignLine(line: string, isWhole: boolean): boolean {
  return BINARY_START.test(line) || (isWhole && requestLine.test(line));
}
