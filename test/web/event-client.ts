import { eventually } from '../support/eventually.js';

interface StreamEvent {
  readonly topic: string;
  readonly data: unknown;
}

/** A page that hears of what goes on (`/console/events`), without a browser. */
export class EventClient {
  readonly events: StreamEvent[] = [];
  /** Everything that came, as it came. */
  text = '';
  isOver = false;
  readonly #abort = new AbortController();

  private constructor(readonly status: number) {}

  static async open(url: string, cookie: string, topics: string, headers: Record<string, string> = {}) {
    const abort = new AbortController();
    const response = await fetch(`${url}/console/events?${topics}`, {
      headers: { Cookie: cookie, Accept: 'application/json', ...headers },
      signal: abort.signal,
    });
    const client = new EventClient(response.status);
    client.#abort.signal.addEventListener('abort', () => abort.abort());
    void client.#read(response);
    return client;
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const bytes of response.body ?? []) {
        const text = decoder.decode(bytes as Uint8Array, { stream: true });
        this.text += text;
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          const [, topic, data] = /^event: (.*)\ndata: (.*)$/s.exec(part) ?? [];
          if (topic !== undefined && data !== undefined) this.events.push({ topic, data: JSON.parse(data) });
        }
      }
    } catch {
      // closed by us
    }
    this.isOver = true;
  }

  /** Waits for an event. */
  event(fits: (data: unknown, topic: string) => boolean): Promise<unknown> {
    return eventually(() => this.events.find(({ data, topic }) => fits(data, topic))?.data);
  }

  close(): void {
    this.#abort.abort();
  }
}
