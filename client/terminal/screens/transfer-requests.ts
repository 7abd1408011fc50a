import { toldWords } from '../words/told-words.js';
import { words } from '../words/words.js';

/** Values of the query, as docs/use/file-transfer.md has them. */
export type TransferChoices = Readonly<Record<string, string>>;

/** What the server tells of the file that is on its way. */
interface TransferState {
  readonly bytes: number;
  /** Undefined: nobody knows it. */
  readonly total?: number;
}

/** Why nothing was transferred, in words. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  /** The user has ended it; else something went wrong. */
  readonly isCancelled: boolean;

  constructor(message: string, isCancelled = false) {
    super(message);
    this.isCancelled = isCancelled;
  }
}

const CANCELLED = 'SVC_ERR_TRANSFER_CANCELLED';

/** Files between this page and the host of its session. */
export class TransferRequests {
  readonly #path: string;
  /** Of a file whose bytes are still on their way to the server. */
  #upload: AbortController | undefined;

  /** @param path of the session, `/w2h/PAGE++SvcSession=<code>` */
  constructor(path: string) {
    this.#path = path.replace('++Svc', '++TransferSvc');
  }

  /** @returns the bytes that the host has got. @throws TransferError */
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

  /** Undefined: no file is on its way, or the server does not tell. */
  async state(): Promise<TransferState | undefined> {
    try {
      const answer = await fetch(this.#path, { headers: { Accept: 'application/json' } });
      return answer.ok ? ((await answer.json()) as { readonly transfer?: TransferState }).transfer : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * What is under way ends with an error, once the host agrees.
   * @returns whether the server has heard of it
   */
  async cancel(): Promise<boolean> {
    const upload = this.#upload;
    // a browser reads no answer before it has sent the whole of the file
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
