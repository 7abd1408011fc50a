import { pageLanguage, word } from './console-words.js';

/** How it stands with a stream, for the words of the page. */
type LiveState = 'live' | 'connecting' | 'busy' | 'signedOff' | 'role' | 'ended';

interface LiveListener {
  /** Data of an event, by the name of its topic. */
  readonly topics: Readonly<Record<string, (data: unknown) => void>>;
  readonly state: (state: LiveState) => void;
  /** The code of the server that made the page, where it shows what is of that server alone. */
  readonly server?: string | undefined;
}

const RETRY_MILLISECONDS = 5_000;

/** Hears of what goes on as long as the page is in sight: a browser has few connections to a server. */
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
    // a page that is kept for Back has no connection
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
      // one that was refused does not come back by itself
      this.#pause();
      void this.#lookWhy();
    });
    for (const [name, take] of Object.entries(this.#listener.topics)) {
      source.addEventListener(name, ({ data }) => take(JSON.parse(String(data))));
    }
  }

  /** A refused stream does not word why; the page itself does. */
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

  /** For good. */
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
    // a server that stops may be there again soon
    if (reason === 'stopping') return;
    this.close();
    this.#listener.state(reason === 'signedOff' || reason === 'role' ? reason : 'ended');
  }
}

/** Shows how it stands with a stream. */
export function showState(place: HTMLElement, state: LiveState): void {
  place.textContent = word(`state.${state}`);
  place.dataset.state = state;
}
