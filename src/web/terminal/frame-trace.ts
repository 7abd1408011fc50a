import type { WebSocket } from 'ws';
import type { TraceTaps } from '../../trace-taps.js';

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
export function traceFrames(socket: WebSocket, { taps, line, requestId, session }: TracedSocket): void {
  const write = (way: '<' | '>', text: string) =>
    taps.sinkOf(line)?.write(`${new Date().toISOString()} ${requestId} ${way} ${text}`);
  const frame = (way: '<' | '>', data: string, bytes: number) => {
    const [, kind] = KIND.exec(data.slice(0, KIND_LENGTH)) ?? [];
    write(way, `(WebSocket: a message of ${bytes} bytes${kind === undefined ? '' : `, kind ${kind}`})`);
  };
  write('>', `(WebSocket of session ${session} begins)`);
  socket.on('message', (data) => {
    if (taps.sinkOf(line) === undefined || !Buffer.isBuffer(data)) return;
    frame('>', data.toString('latin1', 0, KIND_LENGTH), data.length);
  });
  socket.on('close', (code) => write('<', `(WebSocket of session ${session} ends: ${code})`));
  const { send } = socket;
  socket.send = (data: unknown, ...others: unknown[]) => {
    if (typeof data === 'string' && taps.sinkOf(line) !== undefined) frame('<', data, Buffer.byteLength(data));
    return Reflect.apply(send, socket, [data, ...others]);
  };
}
