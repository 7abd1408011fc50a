import type { BrowserSessionEnd } from '../../machines/browser-session.machine.js';

export interface SessionWatcher {
  changed(): void;
  ended(end: BrowserSessionEnd): void;
}
