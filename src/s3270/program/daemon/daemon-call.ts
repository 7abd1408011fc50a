import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { S3270Caller } from '../s3270-caller.js';

export type DaemonCall = Pick<S3270Caller, 'words' | 'folder' | 'environment' | 'processId'>;

/** Limit of a call (one line of JSON) in bytes. Linux permits longer command lines and environments. */
export const LONGEST_CALL = 1_048_576;

export function encodeCall({ words, folder, environment, processId }: DaemonCall): string | undefined {
  const line = JSON.stringify({ words, folder, environment, processId });
  return Buffer.byteLength(line) > LONGEST_CALL ? undefined : `${line}\n`;
}

export function readCall(line: string): DaemonCall | undefined {
  try {
    const { words, folder, environment, processId } = Object(JSON.parse(line));
    const isCall =
      Array.isArray(words) &&
      words.every((word) => typeof word === 'string') &&
      typeof folder === 'string' &&
      Object.values(environment).every((value) => typeof value === 'string') &&
      Number.isSafeInteger(processId);
    return isCall ? { words, folder, environment, processId } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Frames between caller and daemon, after the first line: one byte for the kind, four bytes for the length of the
 * content (most significant byte first), and the content.
 */
const frameKinds = { output: 1, error: 2, exit: 3, input: 4, inputEnd: 5 } as const;

type FrameKind = keyof typeof frameKinds;

interface Frame {
  readonly kind: FrameKind;
  readonly content: Buffer;
}

const HEAD_BYTES = 5;
const LONGEST_CONTENT = 65_536;

const kindOf = new Map(Object.entries(frameKinds).map(([kind, byte]) => [byte as number, kind as FrameKind]));

export function encodeFrame(kind: FrameKind, content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + content.length);
  frame[0] = frameKinds[kind];
  frame.writeUInt32BE(content.length, 1);
  frame.set(content, HEAD_BYTES);
  return frame;
}

export class FrameDecoder {
  #pending: Buffer = Buffer.alloc(0);

  take(bytes: Buffer): readonly Frame[] {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    const frames: Frame[] = [];
    let at = 0;
    while (this.#pending.length - at >= HEAD_BYTES) {
      const kind = kindOf.get(this.#pending[at] ?? 0);
      const length = this.#pending.readUInt32BE(at + 1);
      if (kind === undefined || length > LONGEST_CONTENT) throw new RangeError('not a frame of the s3270 daemon');
      const end = at + HEAD_BYTES + length;
      if (end > this.#pending.length) break;
      frames.push({ kind, content: this.#pending.subarray(at + HEAD_BYTES, end) });
      at = end;
    }
    this.#pending = this.#pending.subarray(at);
    return frames;
  }
}

export function frameWriter(kind: FrameKind, socket: Socket, end?: FrameKind): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, written) {
      for (let at = 0; at < chunk.length; at += LONGEST_CONTENT) {
        socket.write(encodeFrame(kind, chunk.subarray(at, at + LONGEST_CONTENT)));
      }
      if (!socket.writableNeedDrain) {
        written();
        return;
      }
      const goOn = () => {
        socket.off('drain', goOn).off('close', goOn);
        written();
      };
      socket.on('drain', goOn).on('close', goOn);
    },
    final(done) {
      if (end !== undefined) socket.write(encodeFrame(end, new Uint8Array()));
      done();
    },
  });
}
