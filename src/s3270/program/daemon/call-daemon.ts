import { connect, type Socket } from 'node:net';
import { ownCaller } from '../s3270-caller.js';
import { encodeCall, FrameDecoder, frameWriter } from './daemon-call.js';
import { daemonSocketPath, folderFault } from './daemon-socket.js';

const noDaemon = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']);

/** @returns the exit code; undefined if no daemon runs, or if command line and environment are too long for it */
export async function callDaemon(words: readonly string[]): Promise<number | undefined> {
  const call = encodeCall(ownCaller(words));
  const path = daemonSocketPath();
  // a foreign process on the socket would receive passwords
  if (call === undefined || folderFault(path) !== undefined) return undefined;
  const socket = await connected(path);
  if (socket === undefined) return undefined;
  socket.write(call);
  process.stdin.pipe(frameWriter('input', socket, 'inputEnd'));
  return new Promise((resolve) => {
    const frames = new FrameDecoder();
    let code: number | undefined;
    socket.on('data', (bytes) => {
      for (const { kind, content } of frames.take(bytes)) {
        if (kind === 'exit') code = content[0] ?? 1;
        else if (kind === 'error') process.stderr.write(content);
        else if (!process.stdout.write(content)) pauseUntilDrained(socket);
      }
    });
    // `close` follows and reports the end
    socket.on('error', () => {});
    process.stdout.on('error', () => socket.destroy());
    socket.on('close', () => {
      process.stdin.destroy();
      if (code === undefined) process.stderr.write('The s3270 daemon has ended, and this session with it.\n');
      resolve(code ?? 1);
    });
  });
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const failed = (error: NodeJS.ErrnoException) => {
      if (noDaemon.has(error.code ?? '')) resolve(undefined);
      else reject(new Error(`The s3270 daemon at ${path} could not be reached: ${error.message}`));
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

function pauseUntilDrained(socket: Socket): void {
  socket.pause();
  process.stdout.once('drain', () => socket.resume());
}
