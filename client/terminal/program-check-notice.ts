import { type LockCode, programCheckOf } from '../../src/terminal/protocol/server-message.js';
import type { Notices, ShownNotice } from './notice.js';
import { words } from './words/words.js';

interface CheckedTerminal {
  readonly notices: Notices;
  readonly model: { readonly lock: LockCode };
  readonly isOver: boolean;
  press(name: string): void;
  listen(events: { refreshed(): void }): void;
}

/** Screen readers get the message from the information line. */
export function noticeProgramChecks(terminal: CheckedTerminal): void {
  let shown: ShownNotice | undefined;
  let known: LockCode = 0;
  const look = () => {
    const lock = terminal.isOver ? 0 : terminal.model.lock;
    if (lock === known) return;
    known = lock;
    shown?.close();
    const check = programCheckOf(lock);
    shown =
      check === undefined
        ? undefined
        : terminal.notices.show(words('host.faulty', { check }), [
            { label: words('host.reset'), run: () => terminal.press('Reset') },
          ]);
  };
  terminal.listen({ refreshed: look });
}
