import { LEAVING_EVENT, SESSION_STATE_EVENT, type SessionState } from '../terminal/session-state.js';

interface FrameListener {
  /** Another page is there. @param label of the session that it shows; undefined: none */
  loaded(label: string | undefined): void;
  /** The session was left, and what is shown now is no session. */
  left(): void;
  /** What the terminal inside says of its session. */
  state(state: SessionState): void;
  focused(): void;
  /** By a mouse or a finger. */
  pressed(): void;
  keyDown(event: KeyboardEvent): void;
}

/** A terminal page in a frame of its own. It stays where it is in the document: moved, it would be loaded again. */
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

  /** Whether the terminal wants the user to be asked before the page goes. */
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

/** An error page, or a form to sign on with, is there to be read. */
function isRefusal(window: Window): boolean {
  const [navigation] = window.performance.getEntriesByType('navigation');
  return ((navigation as (PerformanceEntry & { responseStatus?: number }) | undefined)?.responseStatus ?? 200) >= 400;
}
