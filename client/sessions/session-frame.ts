import { LEAVING_EVENT, SESSION_STATE_EVENT, type SessionState } from '../terminal/session-state.js';

interface FrameListener {
  /** Another page was loaded. @param label undefined if the page has no session */
  loaded(label: string | undefined): void;
  /** The frame left the session and shows a page without one. */
  left(): void;
  state(state: SessionState): void;
  focused(): void;
  /** By mouse or touch. */
  pressed(): void;
  keyDown(event: KeyboardEvent): void;
}

/** A terminal page in a frame. The element must not move in the document: moving it reloads the page. */
export class SessionFrame {
  readonly panel = document.createElement('div');
  readonly #frame = document.createElement('iframe');
  readonly #listener: FrameListener;
  #wasSession = false;

  constructor(id: string, tabId: string, path: string, listener: FrameListener) {
    this.#listener = listener;
    this.panel.id = id;
    this.panel.className = 'pane';
    this.panel.setAttribute('role', 'tabpanel');
    this.panel.setAttribute('aria-labelledby', tabId);
    this.panel.append(this.#frame);
    this.#frame.addEventListener('load', () => this.#loaded());
    this.#frame.src = path;
  }

  set title(title: string) {
    this.#frame.title = title;
  }

  get isToBeAsked(): boolean {
    const leaving = new CustomEvent(LEAVING_EVENT, { cancelable: true });
    return this.#frame.contentDocument?.dispatchEvent(leaving) === false;
  }

  focus(): void {
    this.#frame.contentWindow?.focus();
  }

  remove(): void {
    this.panel.remove();
  }

  #loaded(): void {
    const { contentDocument: inside, contentWindow: window } = this.#frame;
    if (inside === null || window === null) {
      this.#listener.left();
      return;
    }
    inside.addEventListener('keydown', (event) => this.#listener.keyDown(event), true);
    inside.addEventListener('pointerdown', () => this.#listener.pressed(), true);
    window.addEventListener('focus', () => this.#listener.focused());
    const { session } = inside.body.dataset;
    if (session === undefined && this.#wasSession && !isRefusal(window)) {
      this.#listener.left();
      return;
    }
    this.#wasSession ||= session !== undefined;
    inside.body.classList.add('in-tab');
    inside.addEventListener(SESSION_STATE_EVENT, (event) =>
      this.#listener.state((event as CustomEvent<SessionState>).detail),
    );
    this.#listener.loaded(session);
  }
}

function isRefusal(window: Window): boolean {
  const [navigation] = window.performance.getEntriesByType('navigation');
  return ((navigation as (PerformanceEntry & { responseStatus?: number }) | undefined)?.responseStatus ?? 200) >= 400;
}
