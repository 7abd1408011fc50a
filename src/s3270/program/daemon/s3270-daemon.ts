import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { listenPrivately, makePrivateFolder } from '../../../lib/files/private-path.js';
import type { S3270Caller } from '../s3270-caller.js';
import { type DaemonCall, encodeFrame, FrameDecoder, frameWriter, LONGEST_CALL, readCall } from './daemon-call.js';
import { folderFault } from './daemon-socket.js';

/** Limit of concurrent sessions; each takes about 40 KiB and two file descriptors. */
const MOST_CALLERS = 4_000;
const CALL_MILLISECONDS = 10_000;

type Serve = (caller: S3270Caller) => Promise<number>;

/** One process for all sessions of a user. Each caller has its own session, as if it had its own process. */
export class S3270Daemon {
  readonly #server: Server;
  readonly #path: string;
  readonly #mostCallers: number;
  readonly #callers = new Set<Socket>();

  private constructor(path: string, serve: Serve, mostCallers: number) {
    this.#path = path;
    this.#mostCallers = mostCallers;
    this.#server = createServer((socket) => this.#take(socket, serve));
  }

  static async listen(path: string, serve: Serve, mostCallers = MOST_CALLERS): Promise<S3270Daemon> {
    await makePrivateFolder(dirname(path));
    const fault = folderFault(path);
    if (fault !== undefined) throw new Error(fault);
    if (await answers(path)) throw new Error(`A daemon already listens at ${path}.`);
    // left behind by a daemon that was killed
    rmSync(path, { force: true });
    const daemon = new S3270Daemon(path, serve, mostCallers);
    await listenPrivately(daemon.#server, path);
    return daemon;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#callers) socket.destroy();
    await closed;
    rmSync(this.#path, { force: true });
  }

  #take(socket: Socket, serve: Serve): void {
    if (this.#callers.size >= this.#mostCallers) {
      refuse(socket, `The s3270 daemon has the maximum number of sessions (${this.#mostCallers}).`);
      return;
    }
    this.#callers.add(socket);
    const gone = new AbortController();
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#callers.delete(socket);
      gone.abort();
    });
    void this.#answer(socket, gone.signal, serve);
  }

  async #answer(socket: Socket, gone: AbortSignal, serve: Serve): Promise<void> {
    const call = await firstLine(socket);
    if (call === undefined) {
      refuse(socket, 'The s3270 daemon was not called by s3270.');
      return;
    }
    const output = frameWriter('output', socket);
    const error = frameWriter('error', socket);
    const code = await serve({ ...call, input: inputOf(socket), output, error, gone });
    await Promise.all([ended(output), ended(error)]);
    socket.end(encodeFrame('exit', Uint8Array.of(code)));
    socket.resume();
  }
}

function refuse(socket: Socket, reason: string): void {
  socket.write(encodeFrame('error', Buffer.from(`${reason}\n`)));
  socket.end(encodeFrame('exit', Uint8Array.of(1)));
  socket.resume();
}

function firstLine(socket: Socket): Promise<DaemonCall | undefined> {
  return new Promise((resolve) => {
    let text: Buffer = Buffer.alloc(0);
    const end = (call: DaemonCall | undefined) => {
      clearTimeout(late);
      socket.off('data', take).off('end', ended).off('close', ended);
      resolve(call);
    };
    const ended = () => end(undefined);
    const late = setTimeout(ended, CALL_MILLISECONDS);
    const take = (bytes: Buffer) => {
      text = Buffer.concat([text, bytes]);
      const newline = text.indexOf('\n');
      if (newline === -1 && text.length <= LONGEST_CALL) return;
      socket.pause();
      if (newline === -1 || newline > LONGEST_CALL) {
        ended();
        return;
      }
      socket.unshift(text.subarray(newline + 1));
      end(readCall(text.toString('utf8', 0, newline)));
    };
    socket.on('data', take).once('end', ended).once('close', ended);
  });
}

function inputOf(socket: Socket): Readable {
  const input = new Readable({ read: () => socket.resume() });
  const frames = new FrameDecoder();
  let isOver = false;
  const take = (bytes: Buffer) => {
    for (const { kind, content } of frames.take(bytes)) {
      if (isOver) continue;
      isOver = kind === 'inputEnd';
      if (isOver) input.push(null);
      else if (kind === 'input' && !input.push(content)) socket.pause();
    }
  };
  socket.on('data', (bytes) => {
    try {
      take(bytes);
    } catch {
      socket.destroy();
    }
  });
  socket.resume();
  return input;
}

function ended(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.end(resolve));
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
