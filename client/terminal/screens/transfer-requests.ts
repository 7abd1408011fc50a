import { toldWords } from '../words/told-words.js';
import { words } from '../words/words.js';

/** Values of the query, as docs/file-transfer.md has them. */
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
}

/** Files between this page and the host of its session. */
export class TransferRequests {
  readonly #path: string;

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

  /** What is under way ends with an error, once the host agrees. */
  async cancel(): Promise<void> {
    await fetch(this.#path, { method: 'DELETE' }).catch(() => undefined);
  }

  async #post(choices: TransferChoices, body?: Blob): Promise<Response> {
    const answer = await fetch(`${this.#path}?${new URLSearchParams(choices)}`, {
      method: 'POST',
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/octet-stream' }) },
      ...(body && { body }),
    }).catch(() => {
      throw new TransferError(words('server.unreachable'));
    });
    if (answer.ok) return answer;
    const told = toldWords(await answer.json().catch(() => undefined));
    throw new TransferError(told ?? words('server.answered', { status: answer.status }));
  }
}
