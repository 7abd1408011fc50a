import type { RawData, WebSocket } from 'ws';
import type { TraceTaps } from '../../lib/log/trace-taps.js';

/** The kind of a message of the protocol (`k`), where it comes first. */
const KIND = /^\{"k":"([a-z])"/;
const KIND_LENGTH = 8;

interface TracedSocket {
  readonly taps: TraceTaps;
  /** That it belongs to: a trace of it may begin, and end, while the WebSocket is open. */
  readonly line: string;
  readonly requestId: string;
  /** As the log names it. */
  readonly session: string;
}

/**
 * Writes into traces of its line when a WebSocket begins and ends, and which kind of message it sends and receives when. What
 * users see and type is in traces of sessions alone.
 */
export class FrameTrace {
  readonly #traced: TracedSocket;

  constructor(socket: WebSocket, traced: TracedSocket) {
    this.#traced = traced;
    this.#write('>', `(WebSocket of session ${traced.session} begins)`);
    socket.on('close', (code) => this.#write('<', `(WebSocket of session ${traced.session} ends: ${code})`));
  }

  received(data: RawData): void {
    if (this.#isOn && Buffer.isBuffer(data)) this.#message('>', data.toString('latin1', 0, KIND_LENGTH), data.length);
  }

  sent(text: string): void {
    if (this.#isOn) this.#message('<', text, Buffer.byteLength(text));
  }

  get #isOn(): boolean {
    return this.#traced.taps.sinkOf(this.#traced.line) !== undefined;
  }

  #message(way: '<' | '>', text: string, bytes: number): void {
    const [, kind] = KIND.exec(text.slice(0, KIND_LENGTH)) ?? [];
    this.#write(way, `(WebSocket: a message of ${bytes} bytes${kind === undefined ? '' : `, kind ${kind}`})`);
  }

  #write(way: '<' | '>', text: string): void {
    const { taps, line, requestId } = this.#traced;
    taps.sinkOf(line)?.write(`${new Date().toISOString()} ${requestId} ${way} ${text}`);
  }
}
