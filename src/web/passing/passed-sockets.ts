import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UpgradeAnswer } from '../../cluster/nodes/node-line.js';
import { passedHeaders } from '../../cluster/nodes/passed-headers.js';
import { endWithAnswer, reasonPhrase } from '../../lines/listener/refusal.js';
import { refusalOf } from './passing-on.js';

/** Browsers' WebSockets whose other ends are at other nodes. */
export class PassedSockets {
  readonly #sockets = new Set<Duplex>();

  /**
   * Joins a browser's connection to that of the node. What either says goes on as the other takes it; both end together.
   * @param head what the browser has sent already
   */
  async join(asked: Promise<UpgradeAnswer>, socket: Duplex, head: Buffer): Promise<void> {
    const answer = await asked;
    if (socket.destroyed) {
      if (answer.kind === 'taken') answer.socket.destroy();
      else answer.answer.destroy();
      return;
    }
    if (answer.kind === 'refused') {
      const body = await refusalOf(answer.answer);
      const headers = [...passedHeaders(answer.answer, body.length), 'Connection', 'close'];
      const refused = headOf(answer.answer, headers);
      endWithAnswer(socket, Buffer.concat([refused, body]));
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const headers = ['Upgrade', 'websocket', 'Connection', 'Upgrade', ...passedHeaders(answer.head, 'none')];
    socket.write(Buffer.concat([headOf(answer.head, headers), answer.first]));
    if (head.length > 0) socket.unshift(head);
    for (const [one, other] of [
      [socket, answer.socket],
      [answer.socket, socket],
    ] as const) {
      one.on('error', () => {});
      one.once('close', () => other.destroy());
      one.pipe(other);
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function headOf({ statusCode = 502 }: IncomingMessage, headers: readonly string[]): Buffer {
  let text = `HTTP/1.1 ${statusCode} ${reasonPhrase(statusCode)}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}
