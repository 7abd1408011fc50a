import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough, type Writable } from 'node:stream';
import { encodeCall, FrameDecoder, frameWriter } from '../../src/s3270/program/daemon/daemon-call.js';

/** A session of the daemon, used as the command `s3270` does, without its own process. */
export class DaemonScript {
  readonly #socket: Socket;
  readonly #input: Writable;
  readonly #waiting: ((data: readonly string[]) => void)[] = [];
  #data: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#input = frameWriter('input', socket, 'inputEnd');
    const output = new PassThrough();
    const frames = new FrameDecoder();
    socket.on('data', (bytes) => {
      for (const { kind, content } of frames.take(bytes)) {
        if (kind === 'output') output.write(content);
        else if (kind === 'error') throw new Error(`the daemon says ${content}`);
      }
    });
    createInterface({ input: output }).on('line', (line) => {
      if (line.startsWith('data: ')) this.#data.push(line.slice('data: '.length));
      if (line !== 'ok' && line !== 'error') return;
      this.#waiting.shift()?.(this.#data);
      this.#data = [];
    });
  }

  static async start(path: string, words: readonly string[]): Promise<DaemonScript> {
    const socket = connect(path);
    await once(socket, 'connect');
    socket.write(encodeCall({ words, folder: '/', environment: process.env, processId: process.pid }) ?? '');
    return new DaemonScript(socket);
  }

  ask(action: string): Promise<{ readonly data: readonly string[] }> {
    return new Promise((resolve) => {
      this.#waiting.push((data) => resolve({ data }));
      this.#input.write(`${action}\n`);
    });
  }

  stop(): void {
    this.#socket.destroy();
  }
}
