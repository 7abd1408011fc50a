import { findCodePage } from '../../../tn3270/codepage/code-pages.js';
import type { Application } from '../application.js';
import { faultDescriptions, terminalFaultNames } from '../fault-switches.js';
import type { Colour, TextStyle } from '../panel.js';
import { accounts } from './accounts.js';
import { commandLine } from './command-line.js';
import { form } from './form.js';
import { members } from './members.js';
import { menu } from './menu.js';
import { signOn } from './sign-on.js';
import { statement } from './statement.js';

const operator: Application = async (terminal, host) => {
  let message = '';
  for (;;) {
    const panel = terminal
      .panel('OPERATOR', 'Faults of this terminal')
      .text(3, 2, 'Y orders a fault, N ends it:', { colour: 'green' });
    for (const [at, name] of terminalFaultNames.entries()) {
      panel
        .input(name, 5 + at, 4, { length: 1, value: host.faults.has(name) ? 'Y' : 'N', highlighting: 'underscore' })
        .text(5 + at, 8, name.padEnd(12), { colour: 'neutralWhite' })
        .text(5 + at, 21, faultDescriptions[name], { colour: 'green' });
    }
    panel.footed(message, 'ENTER=Order   F3=Menu');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    for (const name of terminalFaultNames) {
      if ((fields[name] ?? '').toUpperCase() === 'Y') host.faults.add(name);
      else host.faults.delete(name);
    }
    message = host.faults.size === 0 ? 'There are no faults' : `Ordered: ${[...host.faults].join(', ')}`;
  }
};

const command = /^LOGON(?:\s+APPLID\(?(\w{1,8})\)?)?$|^L(?:\s+(\w{1,8}))?$/i;
const names: ReadonlySet<string> = new Set(['SIGNON', 'TSO', 'CICS']);

/** Panel before an application is chosen, like that of a host's access method. */
const logon: Application = async (terminal) => {
  let message = '';
  for (;;) {
    const panel = terminal
      .panel()
      .text(1, 2, `TERMINAL ${terminal.deviceName}`, { colour: 'turquoise' })
      .text(1, 60, terminal.deviceType, { colour: 'turquoise' })
      .text(4, 24, 'S A L L Y P O R T   S I M', { colour: 'yellow', intensified: true })
      .text(6, 20, 'A simulated host to try terminals on', { colour: 'green' })
      .text(9, 10, 'LOGON APPLID(TSO)     sign on', { colour: 'blue' })
      .text(10, 10, 'LOGOFF                leave', { colour: 'blue' })
      .text(20, 2, message, { colour: 'red', intensified: true })
      .text(22, 2, '===>', { colour: 'green' })
      .input('command', 22, 7, { length: 60, colour: 'neutralWhite', highlighting: 'underscore' });
    const { key, fields } = await terminal.show(panel);
    const typed = fields.command ?? '';
    if (key === 'pf3' || /^(LOGOFF|BYE|QUIT)$/i.test(typed)) return undefined;
    const [, applid, short] = command.exec(typed) ?? [];
    const name = (applid ?? short ?? 'TSO').toUpperCase();
    if (!command.test(typed))
      message = typed === '' ? 'ENTER A COMMAND' : `UNRECOGNIZED COMMAND: ${typed.slice(0, 30)}`;
    else if (!names.has(name)) message = `APPLICATION ${name} IS NOT ACTIVE`;
    else return 'SIGNON';
  }
};

const LONGEST_SECONDS = 60;

const late: Application = async (terminal) => {
  let message = 'How many seconds may the answer take?';
  for (;;) {
    const panel = terminal
      .panel('LATE', 'The host takes its time')
      .text(5, 2, 'Seconds . . .', { colour: 'green' })
      .input('seconds', 5, 17, { length: 4, numeric: true, highlighting: 'underscore' })
      .footed(message, 'ENTER=Wait   F3=Menu');
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

const lines = [
  '日本語の画面',
  'これはシミュレートされたホストです。',
  '全角文字は二桁を使います：ＡＢＣ１２３',
  'カタカナ　ひらがな　漢字',
];

/** Double-byte text for terminals with code page 939 or 930; single-byte terminals show a program check. */
const japanese: Application = async (terminal) => {
  const page = findCodePage('IBM939');
  const panel = terminal.panel('JAPANESE', 'Double-byte characters');
  for (const [at, line] of lines.entries()) {
    if (page !== undefined) panel.codes(5 + at * 2, 4, page.encode(line), { colour: 'yellow' });
  }
  panel
    .text(20, 4, 'The terminal needs code page 939 to show this.', { colour: 'green' })
    .text(24, 2, 'F3=Menu', { colour: 'blue' });
  for (;;) if ((await terminal.show(panel)).key === 'pf3') return 'MENU';
};

const shownColours: readonly Colour[] = ['blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'neutralWhite'];
const shownHighlightings: ReadonlyArray<TextStyle['highlighting']> = [undefined, 'blink', 'reverse', 'underscore'];

/** All colours with all highlightings, and the effects of field attributes without colour. */
const colours: Application = async (terminal) => {
  const panel = terminal.panel('COLOURS', 'Colours and attributes');
  for (const [row, colour] of shownColours.entries()) {
    for (const [column, highlighting] of shownHighlightings.entries()) {
      const words = `${colour.replace('neutralW', 'w')} ${highlighting ?? 'plain'}`;
      panel.text(4 + row, 2 + column * 19, words, { colour, ...(highlighting === undefined ? {} : { highlighting }) });
    }
    // ends the highlighting of the last text, which would otherwise continue in the next row
    panel.text(4 + row, 80, '');
  }
  panel
    .text(13, 2, 'Field attributes without colour:')
    .text(14, 4, 'normal protected')
    .text(15, 4, 'intensified protected', { intensified: true })
    .text(16, 4, 'typing')
    .input('normal', 16, 24, { length: 10, value: 'normal' })
    .text(17, 4, 'intensified')
    .input('intensified', 17, 24, { length: 10, value: 'bright', intensified: true })
    .text(18, 4, 'not displayed')
    .input('hidden', 18, 24, { length: 10, value: 'unseen', hidden: true })
    .text(19, 4, 'numeric')
    .input('numeric', 19, 24, { length: 10, value: '123', numeric: true })
    .text(24, 2, 'F3=Menu', { colour: 'blue' });
  for (;;) if ((await terminal.show(panel)).key === 'pf3') return 'MENU';
};

const EVERY_MILLISECONDS = 1_000;

const clock: Application = async (terminal, host) => {
  const time = () => host.now().toISOString().slice(11, 19);
  const panel = terminal
    .panel('CLOCK', 'The host writes unasked')
    .text(10, 36, time(), { colour: 'yellow', intensified: true })
    .text(14, 20, 'Keep typing here:', { colour: 'green' })
    .input('note', 14, 47, { length: 20, highlighting: 'underscore' })
    .text(24, 2, 'F3=Menu', { colour: 'blue' });
  const update = () => terminal.panel().text(10, 36, time(), { colour: 'yellow', intensified: true });
  for (;;) if ((await terminal.showLive(panel, EVERY_MILLISECONDS, update)).key === 'pf3') return 'MENU';
};

const TOP_LEFT = 0xc5;
const TOP_RIGHT = 0xd5;
const BOTTOM_LEFT = 0xc4;
const BOTTOM_RIGHT = 0xd4;
const HORIZONTAL = 0xa2;
const VERTICAL = 0x85;
const BOX_WIDTH = 30;

const apl: Application = async (terminal) => {
  const line = new Array<number>(BOX_WIDTH).fill(HORIZONTAL);
  const panel = terminal
    .panel('APL', 'APL characters and line drawing')
    .graphic(4, 4, [TOP_LEFT, ...line, TOP_RIGHT])
    .graphic(5, 4, [VERTICAL])
    .text(5, 6, 'Graphic Escape draws the box', { colour: 'green' })
    .graphic(5, 5 + BOX_WIDTH, [VERTICAL])
    .graphic(6, 4, [BOTTOM_LEFT, ...line, BOTTOM_RIGHT]);
  for (let row = 0; row < 9; row++) {
    const first = 0x70 + row * 0x10;
    const codes = Array.from({ length: 16 }, (_, at) => first + at).filter((code) => code < 0xff);
    panel.text(9 + row, 4, `X'${first.toString(16).toUpperCase()}'`, { colour: 'blue' }).graphic(9 + row, 12, codes);
  }
  panel.text(24, 2, 'F3=Menu', { colour: 'blue' });
  for (;;) if ((await terminal.show(panel)).key === 'pf3') return 'MENU';
};

export const applications: Readonly<Record<string, Application>> = {
  LOGON: logon,
  SIGNON: signOn,
  MENU: menu,
  MEMBERS: members,
  ACCOUNTS: accounts,
  FORM: form,
  COLOURS: colours,
  APL: apl,
  JAPANESE: japanese,
  CLOCK: clock,
  LATE: late,
  STATEMENT: statement,
  OPERATOR: operator,
  TSO: commandLine,
};

export const firstApplications = ['SIGNON', 'LOGON', 'MENU'] as const;
export type FirstApplication = (typeof firstApplications)[number];
