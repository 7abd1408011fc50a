/**
 * What the daemon sends to its caller: frames of one byte that says what it is, four bytes with the length of what follows (most
 * significant first), and that many bytes. The caller sends one line of JSON, and then its standard input as it is.
 */
export const frameKinds = { output: 1, error: 2, exit: 3 } as const;

export type FrameKind = keyof typeof frameKinds;

interface Frame {
  readonly kind: FrameKind;
  readonly content: Buffer;
}

const HEAD_BYTES = 5;
/** Longer texts are sent in several frames. */
export const LONGEST_CONTENT = 65_536;

const kindOf = new Map(Object.entries(frameKinds).map(([kind, byte]) => [byte as number, kind as FrameKind]));

/** @param content at most LONGEST_CONTENT bytes */
export function encodeFrame(kind: FrameKind, content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + content.length);
  frame[0] = frameKinds[kind];
  frame.writeUInt32BE(content.length, 1);
  frame.set(content, HEAD_BYTES);
  return frame;
}

/** Takes frames from a stream of bytes that may be cut anywhere. */
export class FrameDecoder {
  #pending: Buffer = Buffer.alloc(0);

  /**
   * @returns the frames that are complete now
   * @throws RangeError where the bytes are not those of frames
   */
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
