import type { Notices, ShownNotice } from './notice.js';
import { words } from './words/words.js';

/** Most connections recover within this time. */
const LOST_MILLISECONDS = 5_000;

interface ConnectedTerminal {
  readonly notices: Notices;
  /** Undefined before the first connection. */
  readonly isOnline: boolean | undefined;
  readonly isOver: boolean;
  listen(events: { refreshed(): void }): void;
}

/** Shows a notice after a long connection loss. Screen readers get it from the information line. */
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
