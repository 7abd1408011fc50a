import { toldWords } from '../words/told-words.js';
import { words } from '../words/words.js';

/** Query parameters of docs/use/file-transfer.md. */
export type TransferChoices = Readonly<Record<string, string>>;

interface TransferState {
  readonly bytes: number;
  readonly total?: number;
}

export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly isCancelled: boolean;

  constructor(message: string, isCancelled = false) {
    super(message);
    this.isCancelled = isCancelled;
  }
}

const CANCELLED = 'SVC_ERR_TRANSFER_CANCELLED';

export class TransferRequests {
  readonly #path: string;
  #upload: AbortController | undefined;

  constructor(path: string) {
    this.#path = path.replace('++Svc', '++TransferSvc');
  }

  /** @returns number of bytes received by the host. @throws TransferError */
  async send(choices: TransferChoices, file: Blob): Promise<number> {
    const answer = await this.#post({ ...choices, direction: 'send' }, file);
    const { bytes } = (await answer.json().catch(() => ({}))) as { readonly bytes?: number };
    return bytes ?? file.size;
  }

  /** @throws TransferError */
  async receive(choices: TransferChoices): Promise<Blob> {
    const answer = await this.#post({ ...choices, direction: 'receive' });
    return answer.blob().catch(() => {
      throw new TransferError(words('server.unreachable'));
    });
  }

  /** Undefined without a transfer, or if the server does not answer. */
  async state(): Promise<TransferState | undefined> {
    try {
      const answer = await fetch(this.#path, { headers: { Accept: 'application/json' } });
      return answer.ok ? ((await answer.json()) as { readonly transfer?: TransferState }).transfer : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * The pending request fails when the host has confirmed.
   * @returns true if the server received the request
   */
  async cancel(): Promise<boolean> {
    const upload = this.#upload;
    // browsers read the answer only after the whole file is sent
    const isUploading = upload !== undefined && (await this.#isUploading());
    try {
      const { ok } = await fetch(this.#path, { method: 'DELETE' });
      if (ok && isUploading) upload.abort();
      return ok;
    } catch {
      return false;
    }
  }

  async #isUploading(): Promise<boolean> {
    const state = await this.state();
    return state !== undefined && state.total === undefined;
  }

  async #post(choices: TransferChoices, body?: Blob): Promise<Response> {
    const upload = new AbortController();
    if (body !== undefined) this.#upload = upload;
    const answer = await fetch(`${this.#path}?${new URLSearchParams(choices)}`, {
      signal: upload.signal,
      method: 'POST',
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/octet-stream' }) },
      ...(body && { body }),
    })
      .catch(() => {
        throw new TransferError(words('server.unreachable'), upload.signal.aborted);
      })
      .finally(() => {
        this.#upload = undefined;
      });
    if (answer.ok) return answer;
    const error = await answer.json().catch(() => undefined);
    const told = toldWords(error) ?? words('server.answered', { status: answer.status });
    throw new TransferError(told, (error as { readonly code?: unknown } | undefined)?.code === CANCELLED);
  }
}
