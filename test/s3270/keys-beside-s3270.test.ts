import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const hexOf = (text: string) => Buffer.from(text).toString('hex');
const terminal = hex('fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 f5c2 114040 1d40 13 ffef');
/** Who echoes, which makes a line terminal of characters. */
const characters = hex(`fffb01 fffb03 ${hexOf('hello\r\n')}`);

const full = 'f5c3 114040 1d40 c1c2c3c4c5 1d60 c6c7 1d40 c8c9 1d60 114060 1d40 13';
const unformatted = 'f5c3 114040 c1c2c3 13';
const blanks = 'f5c3 114040 1d40 c1404040 1d40 c1404040 114060 1d40 13';
const withSubfields = (text: string) => `f5c3 114040 2902c040fe01 ${text} 114054 1d60 114041 13`;

/** Actions on a screen; what those behind `!` send counts in place of their answers, and `<` stands before what the host says. */
interface Play {
  readonly screen?: string;
  readonly actions: readonly string[];
}

const at = (screen: string, position: number, ...actions: readonly string[]): Play => ({
  screen,
  actions: [`MoveCursor(${position})`, ...actions, 'ReadBuffer(Ebcdic)'],
});
const reversed = (screen: string, position: number, ...actions: readonly string[]): Play =>
  at(screen, position, 'Set(reverseInputMode,true)', ...actions);

const reverseInput: readonly Play[] = [
  ...[1, 3, 5, 9, 33].flatMap((position) =>
    ['String("xyz")', 'Dup', 'FieldMark', 'CircumNot', 'Key(a)', 'PasteString(616263)', 'HexString(616263)'].map(
      (action) => reversed(full, position, action),
    ),
  ),
  ...[0, 1, 2, 6, 7, 10].flatMap((position) =>
    ['Delete', 'Erase', 'BackSpace', 'DeleteWord'].map((action) => reversed(full, position, action)),
  ),
  ...[0, 2, 80].flatMap((position) =>
    ['Delete', 'Erase', 'BackSpace'].map((key) => reversed(unformatted, position, key)),
  ),
  ...[1, 78].map((position) => reversed(unformatted, position, 'String("xyz")')),
  ...[1, 2].flatMap((position) =>
    ['String("xyzab")', 'PasteString(616263)', 'Set(blankFill,true)'].map((action) =>
      reversed(blanks, position, action, 'String("ab")'),
    ),
  ),
  reversed(full, 35, 'Set(blankFill,true)', 'String("ab")', 'Insert', 'String("c")', 'Reset', '!Enter'),
  at(full, 33, 'ToggleReverse', 'String("xy")', 'Set(reverseInputMode)', 'ToggleReverse', 'String("z")'),
];

const subfield = 'c10e435143520fc2c3';
const doubleByte: readonly Play[] = [
  ...[subfield, 'c10e0fc2c3'].flatMap((text) =>
    [1, 2, 3, 4, 5, 6, 7, 8].flatMap((position) =>
      ['Erase', 'Delete', 'Right2'].map((key) => at(withSubfields(text), position, key)),
    ),
  ),
  ...[1, 2, 3, 4, 5, 6].map((position) => at(withSubfields(subfield), position, 'Left2')),
  ...[1, 8, 10, 19].flatMap((position) =>
    ['String("ab")', 'Erase', 'Delete'].map((action) => reversed(withSubfields(subfield), position, action)),
  ),
  ...[3, 4].map((position) =>
    at(withSubfields(subfield), position, 'PrintText(html,string)', 'PrintText(rtf,string)', 'PrintText(string)'),
  ),
];

const escapes = ['\\x', '\\', '\\e', '\\p', '\\pf', '\\pa', '\\u', '\\0', '\\x4', '\\q'];
const strings: readonly Play[] = [
  ...escapes.flatMap((end) => [
    at(full, 1, `String("a${end.replaceAll('\\', '\\\\')}")`),
    at(full, 1, `HexString(${hexOf(`a${end}`)})`),
  ]),
  { screen: 'f5c3 114040 1d40 818259 13', actions: ['Set(monoCase,true)', 'Ascii(0,0,1,9)', 'Set(monoCase,false)'] },
];

const fieldsThere = {
  'nothing can be typed': 'f5c3 114040 1d60 c1c2c3 13',
  'nothing can be typed, with the cursor at the first position': 'f5c3 114045 1d60 c1c2c3 114040 13',
  'only skipped fields': 'f5c3 114040 1df0 c1c2 13',
  'the cursor elsewhere': 'f5c3 114040 1d60 c1c2c3 1d40 114042 13',
  'keyboard not restored': 'f540 114040 1d60 c1c2c3 13',
};
const waits: readonly Play[] = Object.values(fieldsThere).map((screen) => ({
  screen,
  actions: ['Wait(0.1,InputField)', 'Wait(0.1,Unlock)', 'Wait(0.1)', '!Enter', 'Wait(0.1,InputField)', '<f1c3ffef'],
}));

/** SYS REQ without a TELNET command for it. */
const testRequests: readonly Play[] = [
  at(full, 1, 'String("x")', '!SysReq', 'Wait(0.1,Unlock)', '<f1c3ffef', 'Wait(0.1,Unlock)'),
  at(unformatted, 1, '!SysReq', 'Tab', '<f1c3ffef'),
];

const long = `<${hexOf('0123456789'.repeat(9))}`;
const lines: readonly Play[] = [
  { actions: ['!String("a\\0b")', '!String("\\0")'] },
  { actions: ['Set(lineWrap)', '<0d0a', long, 'Ascii(0,0,6,80)', 'Set(lineWrap,true)', '<0d0a', long] },
  { actions: ['Set(lineWrap,false)', '<0d0a', long, 'Query(Cursor)', '<1b5b3f37680d0a', long, 'Ascii(0,0,9,80)'] },
  { actions: ['Set(lineWrap,true)', '<1b5b3f376c0d0a', long, 'Query(Cursor)', 'Set(lineWrap)'] },
];

describe('keys and settings beside s3270', () => {
  const plays: Readonly<Record<string, [readonly Play[], words?: readonly string[], begins?: Uint8Array]>> = {
    'what is typed in reverse': [reverseInput],
    'what is deleted and passed over of double-byte characters': [doubleByte, ['-codepage', 'cp930']],
    'texts that end within an escape, and folded letters': [strings],
    'what counts as an input field': [waits],
    'test requests': [testRequests],
    'lines that wrap': [lines, [], characters],
  };
  for (const [title, [all, words = [], begins = terminal]] of Object.entries(plays)) {
    it(`are the same: ${title}`, async function () {
      needS3270(this);
      const options = ['-model', '2', '-utf8', ...words];
      const programs = await Promise.all(bothPrograms.map((program) => SteppingTerminal.start(program, options)));
      try {
        for (const program of programs) program.say(begins);
        await Promise.all(programs.map((program) => program.ask('Wait(InputField)')));
        await Promise.all(programs.map((program) => program.ask('Set(aidWait,false)')));
        for (const play of all) {
          const [real, own] = await Promise.all(programs.map((program) => answers(program, play)));
          expect(own, `${play.screen}: ${play.actions.join('; ')}`).to.deep.equal(real);
        }
      } finally {
        await Promise.all(programs.map((program) => program.end()));
      }
    });
  }
});

async function answers(program: SteppingTerminal, { screen, actions }: Play): Promise<string[]> {
  await program.ask('Reset');
  const got = screen === undefined ? [] : [await program.sentFor(hex(`${screen} ffef`))];
  for (const name of ['reverseInputMode', 'insertMode', 'blankFill']) await program.ask(`Set(${name},false)`);
  for (const action of actions) {
    if (action.startsWith('!')) got.push(await program.sentForAction(action.slice(1)));
    else if (action.startsWith('<')) got.push(await program.sentFor(hex(action.slice(1))));
    else got.push(await program.ask(action));
  }
  return got;
}
