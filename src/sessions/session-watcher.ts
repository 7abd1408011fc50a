import type { BrowserSessionEnd } from '../../machines/browser-session.machine.js';

/** Observer of a session: a WebSocket, or a waiting request. */
export interface SessionWatcher {
  changed(): void;
  ended(end: BrowserSessionEnd): void;
}
