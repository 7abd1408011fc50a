import type { Notices, ShownNotice } from './notice.js';
import { words } from './words/words.js';

/** Most connections are there again before anybody has missed them. */
const LOST_MILLISECONDS = 5_000;

interface ConnectedTerminal {
  readonly notices: Notices;
  /** Undefined: not connected yet. */
  readonly isOnline: boolean | undefined;
  readonly isOver: boolean;
  listen(events: { refreshed(): void }): void;
}

/** Says over the screen that the server has not been reached for a while. Aloud the line below the screen says it. */
export function noticeLostConnections(terminal: ConnectedTerminal): void {
  let timer: number | undefined;
  let shown: ShownNotice | undefined;
  terminal.listen({
    refreshed: () => {
      if (terminal.isOnline !== false || terminal.isOver) {
        clearTimeout(timer);
        timer = undefined;
        shown?.close();
        shown = undefined;
      } else {
        timer ??= window.setTimeout(() => {
          shown = terminal.notices.show(words('connection.lost'));
        }, LOST_MILLISECONDS);
      }
    },
  });
}
