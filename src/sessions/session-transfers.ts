import { ServiceError } from '../lib/errors.js';
import { addressGroupOf } from '../lib/network/addresses.js';
import { StopSource } from '../lib/stop-signal.js';

/** Each transfer has its file in memory. */
const MOST_AT_ONCE = 16;
const MOST_OF_ADDRESS = 4;
const RETRY_SECONDS = '10';

interface NamedFile {
  readonly direction: 'send' | 'receive';
  readonly hostFile: string;
}

interface TransferringSession {
  readonly facts: { readonly address: string };
}

export interface SessionTransfer extends NamedFile {
  readonly address: string;
  readonly stop: StopSource;
  bytes: number;
  total: number | undefined;
}

export class SessionTransfers {
  readonly #running = new Map<TransferringSession, SessionTransfer>();

  of(session: TransferringSession): SessionTransfer | undefined {
    return this.#running.get(session);
  }

  /** @throws ServiceError SVC_ERR_TRANSFER_FAILED, SVC_ERR_TRANSFER_BUSY, and errors of `run` */
  async during<T>(
    session: TransferringSession,
    file: NamedFile,
    run: (transfer: SessionTransfer) => Promise<T>,
  ): Promise<T> {
    if (this.#running.has(session)) {
      throw new ServiceError('SVC_ERR_TRANSFER_FAILED', { detail: { code: 'session.transferring' } });
    }
    const address = addressGroupOf(session.facts.address);
    const ofAddress = [...this.#running.values()].filter((one) => one.address === address);
    if (this.#running.size >= MOST_AT_ONCE || ofAddress.length >= MOST_OF_ADDRESS) {
      throw new ServiceError('SVC_ERR_TRANSFER_BUSY', { headers: { 'Retry-After': RETRY_SECONDS } });
    }
    const transfer: SessionTransfer = { ...file, address, stop: new StopSource(), bytes: 0, total: undefined };
    this.#running.set(session, transfer);
    try {
      return await run(transfer);
    } finally {
      this.#running.delete(session);
    }
  }
}
