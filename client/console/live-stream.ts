import { pageLanguage, word } from './console-words.js';

type LiveState = 'live' | 'connecting' | 'busy' | 'signedOff' | 'role' | 'ended';

interface LiveListener {
  readonly topics: Readonly<Record<string, (data: unknown) => void>>;
  readonly state: (state: LiveState) => void;
  /** Code of the server that created the page, if the page shows data of that server only. */
  readonly server?: string | undefined;
}

const RETRY_MILLISECONDS = 5_000;

/** Receives events while the page is visible: browsers allow few connections to one server. */
export class LiveStream {
  readonly #address: string;
  readonly #listener: LiveListener;
  #source: EventSource | undefined;
  #timer: number | undefined;
  #isOver = false;

  constructor(listener: LiveListener) {
    this.#listener = listener;
    const topics = Object.keys(listener.topics).map((name) => `topic=${encodeURIComponent(name)}`);
    const server = listener.server === undefined ? [] : [`server=${encodeURIComponent(listener.server)}`];
    const language = `language=${encodeURIComponent(pageLanguage())}`;
    this.#address = `/console/events?${[...topics, ...server, language].join('&')}`;
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.begin();
      else this.#pause();
    });
    // a page in the back/forward cache has no connection
    addEventListener('pagehide', () => this.#pause());
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.begin();
    });
  }

  begin(): void {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#source !== undefined || document.visibilityState !== 'visible') return;
    this.#listener.state('connecting');
    const source = new EventSource(this.#address);
    this.#source = source;
    source.addEventListener('open', () => this.#listener.state('live'));
    source.addEventListener('end', ({ data }) => this.#ended(JSON.parse(String(data))));
    source.addEventListener('error', () => {
      if (this.#source !== source) return;
      // EventSource does not retry after the server has refused the stream
      this.#pause();
      void this.#lookWhy();
    });
    for (const [name, take] of Object.entries(this.#listener.topics)) {
      source.addEventListener(name, ({ data }) => take(JSON.parse(String(data))));
    }
  }

  /** EventSource does not report why the server refused the stream; a request for the page does. */
  async #lookWhy(): Promise<void> {
    const status = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (this.#isOver) return;
    if (status === 401) this.#ended('signedOff');
    else if (status === 403) this.#ended('role');
    else if (status === 404) this.#ended('gone');
    else {
      this.#listener.state('busy');
      this.#timer = window.setTimeout(() => this.begin(), RETRY_MILLISECONDS);
    }
  }

  close(): void {
    this.#isOver = true;
    this.#pause();
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #ended(reason: unknown): void {
    // the server may be restarting
    if (reason === 'stopping') return;
    this.close();
    this.#listener.state(reason === 'signedOff' || reason === 'role' ? reason : 'ended');
  }
}

export function showState(place: HTMLElement, state: LiveState): void {
  place.textContent = word(`state.${state}`);
  place.dataset.state = state;
}
