import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { commandScript } from '../support/project.js';

const IAC = 0xff;
const DO = 0xfd;
const WONT = 0xfc;
/** Options without a meaning. */
const FIRST_OPTION = 60;
const OPTIONS = 60;
/** IAC WONT and the option. */
const REFUSAL_DIGITS = 6;

/** Debian's s3270 and ours, in the same order wherever both are asked. */
export const bothPrograms: readonly (readonly string[])[] = [
  ['s3270', '-utf8'],
  [process.execPath, commandScript, 's3270', '-set', 'contentionResolution=false'],
];

/** A program with a host of its own, which says what the test says, one piece after the other. */
export class SteppingTerminal {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #socket: Socket;
  #sent = '';
  /** Another option each time: who has refused one need not do it again. */
  #asked = 0;

  private constructor(child: ChildProcessWithoutNullStreams, socket: Socket) {
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
  static async start(
    [program = '', ...first]: readonly string[],
    words: readonly string[],
    prefixes = '',
  ): Promise<SteppingTerminal> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connection');
    const child = spawn(program, [...first, ...words, `${prefixes}127.0.0.1:${port}`]);
    const [socket] = await connected;
    server.close();
    return new SteppingTerminal(child, socket);
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
    while (!this.#sent.endsWith(refusal)) await once(this.#socket, 'data');
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
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`${action} was not answered`);
      line = value.replace(/^(.* 0x0) \d+\.\d{3}$/, '$1').replace(/ C\([^)]*\) /, ' C ');
    }
    return answer;
  }

  /** The answer to an action that sends something, upon which the host says some bytes, or hangs up. */
  async askHost(action: string, says: Uint8Array | 'nothing more'): Promise<string> {
    const before = this.#sent.length;
    const answer = this.ask(action);
    while (this.#sent.length === before) await once(this.#socket, 'data');
    if (says === 'nothing more') this.#socket.end();
    else this.say(says);
    return answer;
  }

  async end(): Promise<void> {
    const over = once(this.#child, 'close');
    this.#child.stdin.end('Quit\n');
    await over;
    this.#socket.destroy();
  }
}
