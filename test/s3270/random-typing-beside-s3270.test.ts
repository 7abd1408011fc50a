import { expect } from 'chai';
import { randomFrom } from '../support/random.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

/** Screens of one host, and what is done on each before it is sent. */
const SCREENS = 6;
const ACTIONS = 20;
const COLUMNS = 80;
const POSITIONS = 1_920;

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const negotiation = hex('fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00');

type Random = ReturnType<typeof randomOf>;

function randomOf(seed: number) {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const one = <Kind>(of: readonly Kind[]) => of[below(of.length)] as Kind;
  const many = <Kind>(most: number, make: () => Kind) => Array.from({ length: below(most) }, make);
  return { below, one, many };
}

const bufferAddress = (at: number) => [0x11, 0x40 | (at >> 6), 0x40 | (at & 0x3f)];

/** A screen of short fields, some of them empty, without a position, or going on behind the end of the screen. */
function screen({ below, one, many }: Random): Buffer {
  const isFormatted = below(8) !== 0;
  const attributes = [0x40, 0x40, 0x40, 0xc1, 0x50, 0xd1, 0x60, 0xf0, 0x4c, 0x4d, 0x7c];
  const pieces = Array.from({ length: 12 }, () => [
    ...(below(3) === 0 ? bufferAddress(one([below(200), POSITIONS - 1 - below(30)])) : []),
    ...(isFormatted ? [0x1d, one(attributes)] : []),
    ...many(12, () => one([0xc1, 0x81, 0xf1, 0x40, 0x40, 0x00, 0x00, 0x60, 0x1c, 0x1e])),
  ]);
  // not left where nothing can be typed
  const last = isFormatted ? [...bufferAddress(240), 0x1d, 0x40, 0x13] : [];
  return Buffer.from([0xf5, 0xc3, ...bufferAddress(0), ...pieces.flat(), ...last]);
}

const keys = [
  ...['Tab', 'BackTab', 'Home', 'Newline', 'Up', 'Down', 'Left', 'Left2', 'Right', 'Right2', 'FieldEnd', 'FieldEnd'],
  ...['NextWord', 'PreviousWord', 'Delete', 'DeleteField', 'DeleteWord', 'BackSpace', 'EraseEOF', 'EraseInput'],
  ...['Insert', 'ToggleInsert', 'Reset', 'Reset', 'Dup', 'FieldMark', 'CursorSelect', 'CircumNot', 'MonoCase'],
  ...['SaveInput', 'Toggle(blankFill)', 'Toggle(insertMode)'],
];
const escapes = ['\\t', '\\T', '\\r', '\\b', '\\x41-', '\\u00e9', '\\ec1-', '\\e1c-', '\\101', '\\q'];
const letters = ['a', 'B', '1', '-', '.', ' ', '¬', '[', '日', 'é'];

function action(random: Random): string {
  const { below, one, many } = random;
  const kinds = [
    () => one(keys),
    () => one(keys),
    () => `String("${[one(letters), ...many(14, () => one(letters))].join('')}")`,
    () => `String("${[one(letters), ...many(5, () => one([...letters, ...escapes]))].join('')}")`,
    () => `Key(${one(['a', 'exclam', '0x31', 'Eacute', 'space', 'underscore'])})`,
    () => `HexString(${many(4, () => one(['41', '5b', 'c3a9', '20', '09', '62'])).join('')})`,
    () => `PasteString(${Buffer.from(many(8, () => one([...letters, '\t'])).join('')).toString('hex') || '61'})`,
    () => `MoveCursor(${below(5)},${below(COLUMNS)})`,
    () => `MoveCursor(${one([below(200), POSITIONS - 1 - below(30)])})`,
  ];
  return one(kinds)();
}

function toWire(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, hex('ffef')]);
}

describe('random typing beside s3270', () => {
  for (let seed = 1; seed <= rounds(60, 6); seed++) {
    it(`leads to the same screens and is sent as the same bytes (seed ${seed})`, async function () {
      needS3270(this);
      const random = randomOf(seed);
      const words = ['-model', '2', '-utf8'];
      const programs = await Promise.all(bothPrograms.map((program) => SteppingTerminal.start(program, words)));
      try {
        for (const program of programs) program.say(Buffer.concat([negotiation, toWire(hex('f5c2 114040 1d40 13'))]));
        await Promise.all(programs.map((program) => program.ask('Wait(InputField)')));
        await Promise.all(programs.map((program) => program.ask('Set(aidWait,false)')));
        for (let at = 0; at < SCREENS; at++) {
          const said = screen(random);
          const actions = Array.from({ length: ACTIONS }, () => action(random));
          const key = random.one(['Enter', 'PF(3)', 'Enter', 'PA(1)', 'Clear']);
          const [real, own] = await Promise.all(programs.map((program) => answers(program, said, actions, key)));
          expect(own, `screen ${at}: ${said.toString('hex')}`).to.deep.equal(real);
        }
      } finally {
        await Promise.all(programs.map((program) => program.end()));
      }
    });
  }
});

/** What each action and the screen behind it are answered with, and what is sent in the end. */
async function answers(
  program: SteppingTerminal,
  said: Uint8Array,
  actions: readonly string[],
  key: string,
): Promise<string[]> {
  const got = [await program.sentFor(toWire(said))];
  for (const action of actions) {
    got.push(`${action}: ${await program.ask(action)}`);
    got.push(evenly(await program.ask('ReadBuffer(Ebcdic)')));
  }
  got.push(await program.ask('Reset'), await program.sentForAction(key));
  return got;
}

/** Only lines with something on them. */
function evenly(answer: string): string {
  return answer.replaceAll(/^data:( 00)*\n/gm, 'data:\n');
}
