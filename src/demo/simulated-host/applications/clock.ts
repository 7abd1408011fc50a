import type { Application } from '../application.js';

const EVERY_MILLISECONDS = 1_000;

/** A clock that goes on without a key: the host writes unasked. */
export const clock: Application = async (terminal, host) => {
  const time = () => host.now().toISOString().slice(11, 19);
  const panel = terminal
    .panel()
    .text(1, 2, 'CLOCK', { colour: 'turquoise' })
    .text(1, 30, 'The host writes unasked', { colour: 'neutralWhite', intensified: true })
    .text(10, 36, time(), { colour: 'yellow', intensified: true })
    .text(14, 20, 'Typing goes on meanwhile:', { colour: 'green' })
    .input('note', 14, 47, { length: 20, highlighting: 'underscore' })
    .text(24, 2, 'F3=Menu', { colour: 'blue' });
  const update = () => terminal.panel().text(10, 36, time(), { colour: 'yellow', intensified: true });
  for (;;) if ((await terminal.showLive(panel, EVERY_MILLISECONDS, update)).key === 'pf3') return 'MENU';
};
