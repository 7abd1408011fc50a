import type { Dispatcher } from 'undici';
import type { StopSignal } from '../../lib/stop-signal.js';
import { OutboundError, type OutboundMessage, type OutboundReply, outboundErrorOf } from './outbound.js';
import type { OutboundConnection } from './outbound-connection.js';

const SMALLEST_CAPACITY = 4096;

/**
 * Collects the bytes of a reply, up to a limit, in one growing buffer. With a service that sends chunks of single
 * bytes, a list of chunks would be a hundred times as large as its content.
 */
class ReplyBody {
  #bytes: Buffer | undefined;
  #length = 0;
  #owned = false;

  constructor(readonly bound: number) {}

  /** @returns false if the piece exceeds the limit; the piece is then dropped */
  append(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > this.bound) return false;
    if (this.#bytes === undefined) {
      this.#bytes = piece;
    } else {
      if (!this.#owned || length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = length;
    return true;
  }

  bytes(): Buffer {
    return this.#bytes?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  #grow(needed: number): void {
    const capacity = Math.min(Math.max(SMALLEST_CAPACITY, needed * 2), this.bound);
    const larger = Buffer.allocUnsafeSlow(capacity);
    if (this.#bytes) larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#owned = true;
  }
}

const LONGEST_TIMER = 2_147_483_647;

export type ReplyHead = (status: number, headers: readonly Buffer[]) => void;

interface OutboundCallOptions {
  readonly message: OutboundMessage;
  readonly siteName: string;
  readonly replyBytes: number;
  readonly maxTimeMilliseconds: number | undefined;
  readonly signal: StopSignal;
  readonly onHead: ReplyHead | undefined;
  readonly resolve: (reply: OutboundReply) => void;
  readonly reject: (failure: OutboundError) => void;
  /** Called once at the end. If `reusable`, the connection can carry the next call. */
  readonly ended: (call: OutboundCall, connection: OutboundConnection | undefined, reusable: boolean) => void;
}

/** The time limit of a call includes the wait for a connection. */
export class OutboundCall implements Dispatcher.DispatchHandler {
  readonly #options: OutboundCallOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onAbort = () =>
    this.#fail(new OutboundError('aborted', `${this.#options.siteName}: the caller cancelled the call`));
  #connection: OutboundConnection | undefined;
  #settled = false;
  #status = 0;
  #contentType: string | undefined;
  #body: ReplyBody | undefined;

  constructor(options: OutboundCallOptions) {
    this.#options = options;
    const { maxTimeMilliseconds, signal, siteName } = options;
    signal.addEventListener('abort', this.#onAbort);
    if (maxTimeMilliseconds === undefined) return;
    this.#timer = setTimeout(
      () => this.#fail(new OutboundError('time', `${siteName}: no reply within ${maxTimeMilliseconds} ms`)),
      Math.min(Math.max(maxTimeMilliseconds, 0), LONGEST_TIMER),
    );
  }

  /** @param connection carries no other call */
  sendOn(connection: OutboundConnection): void {
    this.#connection = connection;
    connection.send(this.#options.message, this);
  }

  stop(): void {
    this.#fail(new OutboundError('stopping', `${this.#options.siteName}: the line is closed`));
  }

  // undici's older handler methods. undici translates the newer ones into these, which takes a third of the time of a
  // call and reads every header of the reply. undici 7, the last version for Node 20, still supports the older methods.

  onConnect(): void {
    // MAXTIME starts with the call, not here
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true;
    const { replyBytes, message } = this.#options;
    this.#options.onHead?.(status, headers);
    this.#status = status;
    this.#contentType = headerValue(headers, 'content-type');
    const announcedBytes = message.method === 'HEAD' ? 0 : Number(headerValue(headers, 'content-length') ?? 0);
    if (announcedBytes > replyBytes) this.#failOversize();
    else this.#body = new ReplyBody(replyBytes);
    return true;
  }

  onData(piece: Buffer): boolean {
    if (this.#body?.append(piece) === false) this.#failOversize();
    return true;
  }

  onComplete(): void {
    if (!this.#settle()) return;
    const body = this.#body?.bytes() ?? Buffer.alloc(0);
    this.#options.resolve({ status: this.#status, contentType: this.#contentType, body });
    this.#options.ended(this, this.#connection, true);
  }

  onError(error: Error): void {
    this.#fail(outboundErrorOf(error, this.#options.siteName));
  }

  #failOversize(): void {
    const { siteName, replyBytes } = this.#options;
    this.#fail(new OutboundError('reply size', `${siteName}: the reply is longer than ${replyBytes} bytes`));
  }

  /** A connection with a failed call is in an undefined state and not reused. */
  #fail(failure: OutboundError): void {
    if (!this.#settle()) return;
    this.#options.reject(failure);
    this.#connection?.discard(failure);
    this.#options.ended(this, this.#connection, false);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

function headerValue(headers: readonly Buffer[], name: string): string | undefined {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const found = headers[index];
    if (found?.length === name.length && found.toString('latin1').toLowerCase() === name) {
      return headers[index + 1]?.toString('latin1');
    }
  }
  return undefined;
}
