import type { Application, Terminal } from '../application.js';
import { members as library, type Member } from '../member-library.js';

export const members: Application = async (terminal) => {
  let top = 0;
  let message = '';
  for (;;) {
    const page = terminal.rows - 7;
    const shown = library.slice(top, top + page);
    const panel = terminal
      .panel()
      .text(1, 2, 'BROWSE   SALLY.SAMPLE.SOURCE', { colour: 'neutralWhite', intensified: true })
      .text(1, 58, `Row ${top + 1} of ${library.length}`, { colour: 'turquoise' })
      .text(2, 2, 'Command ===>', { colour: 'green' })
      .input('command', 2, 15, { length: 40, colour: 'turquoise', highlighting: 'underscore' })
      .text(4, 2, 'S  Name      Lines  Changed      Description', { colour: 'blue' });
    for (const [at, member] of shown.entries()) {
      const words = `${member.name.padEnd(8)}  ${String(member.lines.length).padStart(5)}  ${member.changed}   ${member.title}`;
      panel.input(`s${at}`, 5 + at, 2, { length: 1, colour: 'turquoise' }).text(5 + at, 5, words, { colour: 'green' });
    }
    if (top + page >= library.length) panel.text(terminal.rows - 2, 2, 'END OF LIST', { colour: 'blue' });
    panel
      .text(terminal.rows - 1, 2, message, { colour: 'yellow' })
      .text(terminal.rows, 2, 'F3=Menu  F7=Up  F8=Down   S=Browse   FIND name', { colour: 'blue' })
      .cursorAt('command');
    const { key, fields } = await terminal.show(panel);
    const last = Math.max(0, library.length - page);
    message = '';
    if (key === 'pf3') return 'MENU';
    if (key === 'pf7' || key === 'pf8') {
      top = Math.min(last, Math.max(0, top + (key === 'pf7' ? -page : page)));
      continue;
    }
    const chosen = shown.find((_, at) => (fields[`s${at}`] ?? '').toUpperCase() === 'S');
    if (chosen !== undefined) {
      await browse(terminal, chosen);
      continue;
    }
    const [word, name = ''] = (fields.command ?? '').toUpperCase().split(/\s+/);
    if (word === '' && key === 'enter') continue;
    const found = library.findIndex((member) => member.name.startsWith(name));
    if ((word === 'FIND' || word === 'L') && found >= 0) top = Math.min(last, found);
    else message = word === 'FIND' ? `There is no member ${name}` : 'FIND name, or S before a member';
  }
};

async function browse(terminal: Terminal, member: Member): Promise<void> {
  let top = 0;
  for (;;) {
    const page = terminal.rows - 4;
    const panel = terminal
      .panel()
      .text(1, 2, `BROWSE   SALLY.SAMPLE.SOURCE(${member.name})`, { colour: 'neutralWhite', intensified: true })
      .text(1, 58, `Line ${top + 1} of ${member.lines.length}`, { colour: 'turquoise' })
      .text(2, 2, 'Command ===>', { colour: 'green' })
      .input('command', 2, 15, { length: 40, colour: 'turquoise', highlighting: 'underscore' });
    for (const [at, line] of member.lines.slice(top, top + page).entries()) {
      panel.text(3 + at, 2, line.slice(0, terminal.columns - 2), { colour: 'green' });
    }
    panel.text(terminal.rows, 2, 'F3=List  F7=Up  F8=Down   TOP  BOTTOM', { colour: 'blue' });
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return;
    const last = Math.max(0, member.lines.length - page);
    const word = (fields.command ?? '').toUpperCase();
    if (word === 'TOP') top = 0;
    else if (word === 'BOTTOM') top = last;
    else if (key === 'pf7') top = Math.max(0, top - page);
    else if (key === 'pf8') top = Math.min(last, top + page);
  }
}
