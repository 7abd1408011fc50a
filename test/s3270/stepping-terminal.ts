import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { commandScript } from '../support/project.js';

const IAC = 0xff;
const DO = 0xfd;
const WONT = 0xfc;
/** Options without a meaning. */
const FIRST_OPTION = 60;
const OPTIONS = 60;
const END_OF_RECORD = 'ffef';
/** IAC WONT and the option. */
const REFUSAL_DIGITS = 6;

/** Debian's s3270 and ours, in the same order wherever both are asked. */
export const bothPrograms: readonly (readonly string[])[] = [
  ['s3270', '-utf8'],
  [process.execPath, commandScript, 's3270', '-set', 'contentionResolution=false'],
];

/** A program with a host of its own, which says what the test says, one piece after the other. */
export class SteppingTerminal {
  readonly #program: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #socket: Socket;
  #sent = '';
  /** Another option each time: who has refused one need not do it again. */
  #asked = 0;

  private constructor(program: string, child: ChildProcessWithoutNullStreams, socket: Socket) {
    this.#program = program;
    this.#child = child;
    this.#socket = socket;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('data', (chunk) => {
      this.#sent += chunk.toString('hex');
    });
  }

  /** @param words of the command line; a host is added, behind its prefixes */
  static async start(command: readonly string[], words: readonly string[], prefixes = ''): Promise<SteppingTerminal> {
    const [program = '', ...first] = command;
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connection');
    const child = spawn(program, [...first, ...words, `${prefixes}127.0.0.1:${port}`]);
    const name = nameOfProgram(command);
    const [socket] = await awaited(name, 'a connection with its host', connected, () => child.kill('SIGKILL'));
    server.close();
    return new SteppingTerminal(name, child, socket);
  }

  say(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** What is sent for some bytes, in hexadecimal: all of it is there when an option of TELNET that is none is refused. */
  async sentFor(bytes: Uint8Array): Promise<string> {
    const before = this.#sent.length;
    this.#asked = FIRST_OPTION + ((this.#asked + 1) % OPTIONS);
    this.say(Buffer.concat([bytes, Buffer.of(IAC, DO, this.#asked)]));
    const refusal = Buffer.of(IAC, WONT, this.#asked).toString('hex');
    await this.#sends(`the refusal of option ${this.#asked}`, () => this.#sent.endsWith(refusal));
    return this.#sent.slice(before, -refusal.length);
  }

  /** What is sent for an action, in hexadecimal. Its answer may come before or behind it. */
  async sentForAction(action: string): Promise<string> {
    const before = this.#sent.length;
    await this.ask(action);
    await this.sentFor(Buffer.of());
    return this.#sent.slice(before, -REFUSAL_DIGITS);
  }

  /** The answer to an action, without its time. */
  async ask(action: string): Promise<string> {
    this.#child.stdin.write(`${action}\n`);
    let answer = '';
    for (let line = ''; line !== 'ok' && line !== 'error'; answer += `${line}\n`) {
      const { value, done } = await this.#owes(`an answer to ${action}`, this.#lines.next());
      if (done) throw new Error(`${this.#program} has ended without an answer to ${action}`);
      line = value.replace(/^(.* 0x0) \d+\.\d{3}$/, '$1').replace(/ C\([^)]*\) /, ' C ');
    }
    return answer;
  }

  /** The answer to an action that sends something, upon which the host says some bytes, or hangs up. */
  async askHost(action: string, says: Uint8Array | 'nothing more'): Promise<string> {
    const before = this.#sent.length;
    const answer = this.ask(action);
    await this.#sends(`something for ${action}`, () => this.#sent.length > before);
    if (says === 'nothing more') this.#socket.end();
    else this.say(says);
    return answer;
  }

  /** The record that is sent for an action which waits for the host, and the host hangs up; the answer where none is sent. */
  async sentUpToHangUp(action: string): Promise<string> {
    const sent = this.sentUnasked();
    const answer = this.ask(action);
    const first = await Promise.race([sent, answer]);
    this.#socket.end();
    await answer;
    return first;
  }

  /** The next record that is sent, in hexadecimal. */
  async sentUnasked(): Promise<string> {
    const before = this.#sent.length;
    await this.#sends('a record', () => this.#sent.slice(before).endsWith(END_OF_RECORD));
    return this.#sent.slice(before);
  }

  async end(): Promise<void> {
    const over = once(this.#child, 'close');
    this.#child.stdin.end('Quit\n');
    await this.#owes('its end after Quit', over);
    this.#socket.destroy();
  }

  async #sends(what: string, isThere: () => boolean): Promise<void> {
    while (!isThere()) await this.#owes(`sending ${what}`, once(this.#socket, 'data'));
  }

  #owes<Found>(what: string, found: Promise<Found>): Promise<Found> {
    return awaited(this.#program, what, found, () => this.#child.kill('SIGKILL'));
  }
}
