import { type EmbeddingMessage, type EmbeddingRequest, embeddingRequestOf, GREETING } from './embedding-messages.js';
import { embeddingWords } from './embedding-words.js';

type Asked = EmbeddingRequest extends infer Request
  ? Request extends { readonly id: number }
    ? Omit<Request, 'id'>
    : never
  : never;

/** In which a terminal that may be here says so. */
const SILENCE_MILLISECONDS = 10_000;
/** Requests without an answer. */
const MOST_WAITING = 1_000;

/**
 * `<sallyport-terminal src="https://host/TERMINAL.HTML+TSO">`: a terminal in a page of another server. It says `connected`,
 * `screen`, `ended` and `error`, and can be read and typed into.
 */
class SallyportTerminal extends HTMLElement {
  static readonly observedAttributes = ['src', 'title'];
  readonly #frame = document.createElement('iframe');
  readonly #waiting = new Map<number, { resolve(text: string): void; reject(error: Error): void }>();
  #port: MessagePort | undefined;
  #isConnected = false;
  /** What comes then needs to be no terminal. */
  #hasEnded = false;
  #last = 0;
  #timer: number | undefined;

  constructor() {
    super();
    const { style } = this.#frame;
    Object.assign(style, { display: 'block', width: '100%', height: '100%', border: '0' });
    // the server is to know whose page this is, and nothing else of it
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

  /** The text of the screen, a line for each row; what is not displayed is blank. */
  text(): Promise<string> {
    return this.#ask({ does: 'text' });
  }

  /** @param key `Enter`, `PF3`, `PA1`, `Clear`, `Tab`, `Reset` … */
  async press(key: string): Promise<void> {
    await this.#ask({ does: 'press', key });
  }

  /** At the cursor. */
  async type(text: string): Promise<void> {
    await this.#ask({ does: 'type', text });
  }

  /** Puts a text into a field, in place of what is there. @param row counted from 1, as is the column, of the first character of the field */
  async fill(row: number, column: number, text: string): Promise<void> {
    await this.#ask({ does: 'fill', row, column, text });
  }

  /** Ends the session. */
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
    // an empty one would be the page itself
    if (written === '') return undefined;
    try {
      const address = new URL(written, document.baseURI);
      return address.protocol === 'https:' || address.protocol === 'http:' ? address : undefined;
    } catch {
      return undefined;
    }
  }

  /** Another page is in the frame: where it is a terminal of that server, it gets a port. No other one sees the message. */
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
    // the terminal would not answer it
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
