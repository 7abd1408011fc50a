import type { BrowserSessionEnd } from '../../machines/browser-session.machine.js';

/** Somebody who wants to know what becomes of a session: a WebSocket, a request that waits. */
export interface SessionWatcher {
  changed(): void;
  ended(end: BrowserSessionEnd): void;
}
