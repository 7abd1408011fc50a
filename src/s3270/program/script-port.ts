import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import { listenPrivately } from '../../lib/files/private-path.js';
import { MOST_LINE_CHARACTERS, Script } from '../script.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { systemErrorWords } from './system-error-words.js';

/** Scripts that are connected at the same time. */
export const MOST_SCRIPTS = 64;
/** Answers that wait for a script to read them. Behind them its lines are not carried out until it has read all. */
const MOST_QUEUED_BYTES = 1 << 24;
/** How long lines of one script are carried out before the others have their turn. */
const MOST_TURN_MILLISECONDS = 10;

/** Where scripts are listened to, or called back: `[ADDRESS:]PORT`. */
export interface ScriptAddress {
  readonly host: string;
  readonly port: number;
}

/** Of this machine alone, unless an address is given; undefined where it is none. */
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
  /** Whether the last line must have its end, lest half of one is carried out. */
  readonly isCutLeftOut?: boolean;
  /** Judges the first line: one that is refused ends the input, and nothing is answered. */
  readonly isRefused?: (line: string, isWhole: boolean) => boolean;
}

/**
 * Answers line after line, until the script is over. A line that is too long ends it.
 * @returns whether an action has ended it, its input, or a first line that was refused
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
    // a script that sends many lines at once does not keep the others waiting
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

/** @returns whether it was a script: the requests of web pages are none */
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
  /** Lets nobody in any more. Resolves when those that were connected have gone. */
  readonly leave: () => Promise<void>;
  /** Ends those that are connected, too. */
  readonly close: () => void | Promise<void>;
}

interface PortOptions {
  /** That a script has to say first. */
  readonly cookie: string | undefined;
  /** The first script is the only one. */
  readonly isOnce?: boolean;
}

interface ScriptPort extends OpenPort {
  /** Resolves when the first script is over. */
  readonly once: Promise<void>;
}

/** @returns the port, also where any was asked for; undefined where a socket of the file system is listened on, which is this user's alone */
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

/** Lets nobody in any more, and waits until those that were connected have gone. */
export function left(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Listens to scripts, each on a connection of its own. */
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

/** Connects to a script that waits for the terminal, and answers it. */
export async function callBack(terminal: ScriptedTerminal, { host, port }: ScriptAddress): Promise<void> {
  // a script that says nothing more still reads the answers
  const socket = connect({ host, port, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error) => reject(new Error(`callback connect: ${systemErrorWords(error)}`)));
  });
  await serve(terminal, socket, undefined);
}

/** What may wait to be carried out while the stream is still read: to stop it after each line takes longer than most lines do. */
const MOST_WAITING_CHARACTERS = 65_536;
const MOST_WAITING_LINES = 1_000;

interface LineInputOptions {
  /** A longer line ends the input. */
  readonly mostCharacters: number;
  /** Whether a last line without an end is no line. */
  readonly isCutLeftOut: boolean;
  /** Judges the first line that is not blank; one that is refused ends the input, and so does its beginning. */
  readonly isRefused?: ((line: string, isWhole: boolean) => boolean) | undefined;
}

/** The lines of a stream, which waits while many are carried out. Node's readline takes 30 KiB for as many sessions as wait for a line. */
export class LineInput {
  readonly #stream: Readable;
  readonly #mostCharacters: number;
  readonly #isCutLeftOut: boolean;
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [];
  #waitingCharacters = 0;
  #begun = '';
  #isOver = false;
  /** Undefined once the first line was judged. */
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

  /** Whether the first line was refused: no line was given, and none will be. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** Undefined: no line comes any more. */
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

  /** Reads nothing more. */
  close(): void {
    this.#isOver = true;
    this.#stream.off('data', this.#take).off('end', this.#ended).off('close', this.#ended);
    this.#stream.pause();
    this.#changed();
  }

  readonly #take = (chunk: Buffer | string): void => {
    // what was searched for an end before is not searched again
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

  /** @param lines that have their ends */
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
 * A control character that begins no text: TLS (RFC 8446, 5.1) and STUN over TCP (RFC 8489, RFC 4571), which WebRTC sends to any
 * port that a page names, begin with one.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY_START = /^[\0-\x08\x0e-\x1f]/;

/**
 * Whether a connection begins with HTTP or a binary protocol: a browser sends it for any web page, whose text must not be taken for actions.
 * @param isWhole whether the line has its end; a line of actions is carried out only then
 */
function isForeignLine(line: string, isWhole: boolean): boolean {
  return BINARY_START.test(line) || (isWhole && requestLine.test(line));
}
