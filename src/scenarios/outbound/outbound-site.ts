import type { buildConnector } from 'undici';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { OutboundReply } from './outbound.js';
import type { OutboundAddress } from './outbound-address.js';
import { OutboundCall, type ReplyHead } from './outbound-call.js';
import { OutboundConnection } from './outbound-connection.js';
import { OutboundError } from './outbound-error.js';
import type { OutboundLimits } from './outbound-line-definition.js';
import type { OutboundMessage } from './outbound-message.js';

/**
 * The connections of one line to one site, and the calls waiting for one in order of arrival.
 * The most recently used connection is used first, so that surplus ones can time out.
 */
export class OutboundSite {
  readonly #idle: OutboundConnection[] = [];
  readonly #running = new Set<OutboundCall>();
  readonly #waiting = new Set<OutboundCall>();
  #drained: (() => void) | undefined;

  constructor(
    readonly address: OutboundAddress,
    readonly siteName: string,
    readonly connect: buildConnector.connector,
    readonly limits: OutboundLimits,
  ) {}

  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Rejects with OutboundError. */
  call(
    message: OutboundMessage,
    maxTimeMilliseconds: number | undefined,
    signal: StopSignal,
    onHead?: ReplyHead,
  ): Promise<OutboundReply> {
    const { siteName, limits } = this;
    return new Promise((resolve, reject) => {
      const mustWait = this.#running.size >= limits.connections;
      if (mustWait && this.#waiting.size >= limits.queuedRequests) {
        reject(new OutboundError('busy', `${siteName}: ${limits.queuedRequests} calls wait for a connection already`));
        return;
      }
      const call = new OutboundCall({
        message,
        siteName,
        replyBytes: limits.replyBytes,
        maxTimeMilliseconds,
        signal,
        onHead,
        resolve,
        reject,
        ended: this.#onEnded,
      });
      if (mustWait) this.#waiting.add(call);
      else this.#start(call);
    });
  }

  /** Resolves when no call runs or waits any more. */
  async drain(): Promise<void> {
    if (this.busy) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  /** Ends every call and every connection at once. */
  destroy(): void {
    for (const call of [...this.#waiting, ...this.#running]) call.stop();
    const reason = new OutboundError('stopping', `${this.siteName}: the line is closed`);
    for (const connection of this.#idle.splice(0)) connection.discard(reason);
  }

  #start(call: OutboundCall): void {
    this.#running.add(call);
    call.sendOn(this.#idle.pop() ?? new OutboundConnection(this.address, this.connect, this.limits));
  }

  readonly #onEnded = (call: OutboundCall, connection: OutboundConnection | undefined, reusable: boolean): void => {
    this.#waiting.delete(call);
    if (!this.#running.delete(call)) return;
    if (connection && reusable) this.#idle.push(connection);
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      this.#start(next);
    } else if (!this.busy) {
      this.#drained?.();
    }
  };
}
