import type { RawData, WebSocket } from 'ws';
import type { TraceSinks } from '../../lib/log/trace-sinks.js';

const KIND = /^\{"k":"([a-z])"/;
const KIND_LENGTH = 8;

interface TracedSocket {
  readonly sinks: TraceSinks;
  /** Looked up for each message: a trace of the line can start and end while the WebSocket is open. */
  readonly line: string;
  readonly requestId: string;
  readonly session: string;
}

/**
 * Writes the start and end of a WebSocket into traces of its line, and the time and kind of each message. Content that
 * users see and type appears only in traces of sessions.
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
    return this.#traced.sinks.sinkOf(this.#traced.line) !== undefined;
  }

  #message(way: '<' | '>', text: string, bytes: number): void {
    const [, kind] = KIND.exec(text.slice(0, KIND_LENGTH)) ?? [];
    this.#write(way, `(WebSocket: a message of ${bytes} bytes${kind === undefined ? '' : `, kind ${kind}`})`);
  }

  #write(way: '<' | '>', text: string): void {
    const { sinks, line, requestId } = this.#traced;
    sinks.sinkOf(line)?.write(`${new Date().toISOString()} ${requestId} ${way} ${text}`);
  }
}
