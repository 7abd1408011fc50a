import { type EmbeddingMessage, type EmbeddingRequest, embeddingRequestOf, GREETING } from './embedding-messages.js';
import { embeddingWords } from './embedding-words.js';

type Asked = EmbeddingRequest extends infer Request
  ? Request extends { readonly id: number }
    ? Omit<Request, 'id'>
    : never
  : never;

/** Time for a terminal that may be embedded to answer. */
const SILENCE_MILLISECONDS = 10_000;
const MOST_WAITING = 1_000;

/**
 * `<sallyport-terminal src="https://host/TERMINAL.HTML+TSO">`: a terminal in a page of another server. It dispatches
 * `connected`, `screen`, `ended` and `error`. Scripts can read it and type into it.
 */
class SallyportTerminal extends HTMLElement {
  static readonly observedAttributes = ['src', 'title'];
  readonly #frame = document.createElement('iframe');
  readonly #waiting = new Map<number, { resolve(text: string): void; reject(error: Error): void }>();
  #port: MessagePort | undefined;
  #isConnected = false;
  /** After the end of a session, a page without a terminal is not an error. */
  #hasEnded = false;
  #last = 0;
  #timer: number | undefined;

  constructor() {
    super();
    const { style } = this.#frame;
    Object.assign(style, { display: 'block', width: '100%', height: '100%', border: '0' });
    // the server checks the origin of the embedding page and needs nothing else
    this.#frame.referrerPolicy = 'origin';
    this.#frame.allow = 'clipboard-read; clipboard-write';
    this.#frame.addEventListener('load', () => this.#greet());
    this.attachShadow({ mode: 'closed' }).append(this.#frame);
  }

  connectedCallback(): void {
    if (this.style.display === '') this.style.display = 'block';
    this.#load();
  }

  disconnectedCallback(): void {
    this.#forget();
  }

  attributeChangedCallback(name: string): void {
    if (name === 'title') this.#frame.title = this.title;
    else if (this.isConnected) this.#load();
  }

  /** The screen text, one line for each row. Hidden fields are blank. */
  text(): Promise<string> {
    return this.#ask({ does: 'text' });
  }

  /** @param key `Enter`, `PF3`, `PA1`, `Clear`, `Tab`, `Reset` … */
  async press(key: string): Promise<void> {
    await this.#ask({ does: 'press', key });
  }

  async type(text: string): Promise<void> {
    await this.#ask({ does: 'type', text });
  }

  /**
   * Replaces the content of a field. @param row counted from 1, like the column, of the first character of the field
   */
  async fill(row: number, column: number, text: string): Promise<void> {
    await this.#ask({ does: 'fill', row, column, text });
  }

  async disconnect(): Promise<void> {
    await this.#ask({ does: 'disconnect' });
  }

  override focus(): void {
    this.#frame.focus();
  }

  #load(): void {
    const address = this.#address();
    if (address === undefined) {
      this.#tell('error', { message: embeddingWords(this).noAddress });
      return;
    }
    this.#forget();
    this.#hasEnded = false;
    this.#frame.title = this.title || embeddingWords(this).terminal;
    this.#frame.src = address.href;
  }

  #address(): URL | undefined {
    const written = this.getAttribute('src')?.trim() ?? '';
    // an empty URL would be the embedding page itself
    if (written === '') return undefined;
    try {
      const address = new URL(written, document.baseURI);
      return address.protocol === 'https:' || address.protocol === 'http:' ? address : undefined;
    } catch {
      return undefined;
    }
  }

  /** Sends a port to each new page in the frame. Only a page with the origin of the server receives it. */
  #greet(): void {
    const address = this.#address();
    const inside = this.#frame.contentWindow;
    if (address === undefined || inside === null) return;
    this.#forget();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.addEventListener('message', ({ data }) => this.#take(data as EmbeddingMessage));
    port1.start();
    inside.postMessage(GREETING, address.origin, [port2]);
    if (this.#hasEnded) return;
    this.#timer = window.setTimeout(
      () => this.#tell('error', { message: embeddingWords(this).noAnswer }),
      SILENCE_MILLISECONDS,
    );
  }

  #take(message: EmbeddingMessage): void {
    if ('event' in message) {
      clearTimeout(this.#timer);
      const { event, ...detail } = message;
      if (event === 'connected' || event === 'ended') {
        this.#isConnected = event === 'connected';
        this.#hasEnded = event === 'ended';
      }
      this.#tell(event, detail);
      return;
    }
    const id = 'answer' in message ? message.answer : message.refusal;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ('answer' in message) waiting?.resolve(message.text ?? '');
    else waiting?.reject(new Error(message.message));
  }

  #ask(request: Asked): Promise<string> {
    const port = this.#port;
    if (port === undefined || !this.#isConnected) return Promise.reject(new Error(embeddingWords(this).notConnected));
    const id = ++this.#last;
    // the terminal ignores invalid requests
    if (embeddingRequestOf({ id, ...request }) === undefined)
      return Promise.reject(new Error(embeddingWords(this).notTaken));
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(new Error(embeddingWords(this).tooMany));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      port.postMessage({ id, ...request });
    });
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#port?.close();
    this.#port = undefined;
    this.#isConnected = false;
    for (const { reject } of this.#waiting.values()) reject(new Error(embeddingWords(this).notConnected));
    this.#waiting.clear();
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

if (customElements.get('sallyport-terminal') === undefined) {
  customElements.define('sallyport-terminal', SallyportTerminal);
}
