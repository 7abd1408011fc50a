import type { Application } from '../application.js';

const LONGEST_SECONDS = 60;

/** Answers as late as it is told to. */
export const late: Application = async (terminal) => {
  let message = 'How many seconds may the answer take?';
  for (;;) {
    const panel = terminal
      .panel()
      .text(1, 2, 'LATE', { colour: 'turquoise' })
      .text(1, 30, 'The host takes its time', { colour: 'neutralWhite', intensified: true })
      .text(5, 2, 'Seconds . . .', { colour: 'green' })
      .input('seconds', 5, 17, { length: 4, numeric: true, highlighting: 'underscore' })
      .text(22, 2, message, { colour: 'yellow' })
      .text(24, 2, 'ENTER=Wait   F3=Menu', { colour: 'blue' });
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    const seconds = Number(fields.seconds ?? '');
    if (fields.seconds === '' || !(seconds >= 0 && seconds <= LONGEST_SECONDS)) {
      message = `Up to ${LONGEST_SECONDS} seconds`;
      continue;
    }
    await terminal.pause(seconds * 1_000);
    message = `That took ${seconds} seconds`;
  }
};
