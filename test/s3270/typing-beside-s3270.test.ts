import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const negotiation = hex('fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00');
const ROW = 'Ebcdic(0,0,1,22)';

/** A field from the first position on that takes subfields, of 19 positions. */
const withSubfields = (text: string) => `f5c3 114040 2902c040fe01 ${text} 114054 1d60 114041 13`;
/** A field of 7 positions, two of them at the end of the screen. */
const roundTheEnd = (text: string) => `f5c3 115d7d 1d40 ${text} 114045 1d60 115d7e 13`;
const paste = (text: string) => `PasteString(${Buffer.from(text).toString('hex')})`;

interface Typing {
  readonly title: string;
  readonly screen: string;
  readonly actions: readonly string[];
}

const insertions: readonly Typing[] = [
  ['c100c3c3c3c4c5', 1918, 'room before the end of the screen'],
  ['c1c2c3c4c4c500', 1, 'room above the cursor in the same line'],
  ['00c2c3c4c4c5c6', 1, 'room before the cursor, which is none'],
  ['c1c1c3c4c4c5c6', 1918, 'no room'],
  ['c1c1c3c4c4c5c6', 1919, 'no room at the last position'],
  ['4040c3c4c5c6c7', 0, 'blanks before the cursor'],
].map(([text, at, title]) => ({
  title: `inserts in a field round the end: ${title}`,
  screen: roundTheEnd(String(text)),
  actions: ['Set(blankFill,true)', `MoveCursor(${at})`, 'Insert', 'String("x")', 'ReadBuffer(Ebcdic)'],
}));

const fields = [
  'f5c3 114040 1d40 13',
  'f5c3 114040 13',
  'f5c3 114040 1d40 11c160 1df0 11c1e8 1d40 11c250 1d60 11c3f0 1d40 13',
];
const pastes: readonly Typing[] = fields.flatMap((screen) =>
  (
    [
      ...[80, 81, 85].map((at) => [at, `${'a'.repeat(160 - at)}\nb\nc`] as const),
      ...['\n\nx', '\n', '\tx', '\t\nx', 'x\ny', '\r\nx', '\f\nx', '\b\nx', '\u0001\nx'].map(
        (end) => [85, `${'a'.repeat(75)}${end}`] as const,
      ),
      [85, `${'a'.repeat(150)}\ny`],
      [78, 'abcd\nx'],
      [230, 'abcdefghijklmn\ncd\nef'],
      [1765, `${'a'.repeat(75)}\nb\nc`],
      [1765, 'ab\n\n\n\ngh'],
      [1839, 'a\nb'],
      [1845, 'ab\ncd'],
      [1845, '\n\n'],
      [1845, 'a'.repeat(80)],
      [1919, 'a\nb'],
    ] as const
  ).map(([at, text]) => ({
    title: `pastes ${JSON.stringify(text.replace(/a{70,}/, (many) => `${many.length} a`))} at ${at} of ${screen}`,
    screen,
    actions: [`MoveCursor(${at})`, paste(text), 'ReadBuffer(Ebcdic)'],
  })),
);

const subfields: readonly Typing[] = [
  ...[12, 11].flatMap((at) =>
    ['String("日")', 'String("日本")', 'String("日a")', paste('日本')].map((typed) => [at, typed] as const),
  ),
  ...([6, 7, 13] as const).map((at) => [at, 'String("日")'] as const),
  // too near before a subfield
  [3, 'String("日")'] as const,
].flatMap(([at, typed]) => [
  {
    title: `types ${typed} at ${at}`,
    screen: withSubfields('c1c2c3c4c50e435143520fc6'),
    actions: [`MoveCursor(${at})`, typed, ROW],
  },
]);

const rightHalves: Typing = {
  title: 'moves the cursor to right halves',
  screen: withSubfields('c10e435143520fc2c3'),
  actions: [
    ...['MoveCursor(4)', ROW, 'Query(Cursor)', 'MoveCursor(0,6)', 'Left', 'MoveCursor(4)', 'Right', 'MoveCursor1(1,5)'],
    ...['Up', 'MoveCursor(4)', 'String("a")', ROW, 'MoveCursor(5)', 'ReadBuffer(Field)'],
  ],
};

const doubleByte: readonly Typing[] = [
  ...subfields,
  rightHalves,
  ...['Insert', 'Reset'].flatMap((mode) => [
    {
      title: `types behind a subfield that ends a field, after ${mode}`,
      screen: withSubfields('c1c2c3c4c5c6c7c8c9d1d2d30e43510f'),
      actions: [mode, 'MoveCursor(17)', 'String("日")', ROW],
    },
    {
      title: `types behind a subfield of a field that takes no more of them, after ${mode}`,
      screen: 'f5c3 114040 1d40 c10e435143520fc2c3 114054 1d60 114041 13',
      actions: [mode, 'MoveCursor(8)', 'String("日")', ROW, 'MoveCursor(11)', 'String("日")', ROW],
    },
  ]),
  {
    title: 'has no room between two subfields',
    screen: withSubfields('0e43510fc20e43510fc2'),
    actions: ['MoveCursor(5)', 'String("日")', ROW],
  },
];

describe('typing beside s3270', () => {
  const kinds = [
    { words: [], typings: [...insertions, ...pastes] },
    { words: ['-codepage', 'cp930'], typings: doubleByte },
  ];
  for (const { words, typings } of kinds) {
    it(`leads to the same screens (${words.join(' ') || 'bracket'})`, async function () {
      needS3270(this);
      const all = ['-model', '2', '-utf8', ...words];
      const programs = await Promise.all(bothPrograms.map((program) => SteppingTerminal.start(program, all)));
      try {
        for (const program of programs) {
          program.say(Buffer.concat([negotiation, hex('f5c2 114040 1d40 13 ffef')]));
          await program.ask('Wait(InputField)');
          await program.ask('Set(aidWait,false)');
        }
        for (const typing of typings) {
          const [real, own] = await Promise.all(programs.map((program) => answers(program, typing)));
          expect(own, typing.title).to.deep.equal(real);
        }
      } finally {
        await Promise.all(programs.map((program) => program.end()));
      }
    });
  }
});

async function answers(program: SteppingTerminal, { screen, actions }: Typing): Promise<string[]> {
  await program.ask('Reset');
  const got = [await program.sentFor(hex(`${screen} ffef`))];
  for (const action of ['Set(insertMode,false)', 'Set(blankFill,false)', ...actions])
    got.push(await program.ask(action));
  return got;
}
