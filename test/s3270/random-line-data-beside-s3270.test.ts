import { expect } from 'chai';
import { randomFrom } from '../support/random.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

/** Pieces of what a host writes to a line terminal. */
const PIECES = 60;
const ROWS = 24;

const plain = ['a', 'b', 'q', 'X', 'Z', '1', '3', '~', '`', '_', '#', ' '];
const controls = ['\r', '\n', '\r\n', '\t', '\t', '\x07', '\x0b', '\x0c', '\x0e', '\x0f'];
const graphics = ['0', '1', '4', '5', '7', '30', '31', '34', '37', '39', '41', '44', '49', ''];
const brokenText = [
  '\xc3\xa9',
  '\xc3',
  '\xa9',
  '\xe2\x82\xac',
  '\xe2\x82',
  '\xf0\x9f\x98',
  '\xc0\x80',
  '\xe0\x80\x80',
  '\x80',
  '\xbf',
  'a',
  'b',
  '\xe9',
];
const shifts = ['N', 'O', 'n', 'o', '(0', '(B', ')0', ')B', '(A', ')A', '*0', '+0', '*B', '+A'];

/** Nothing of "Differences" in docs/write/s3270.md is among it. */
function randomPieces(seed: number): string[] {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const one = (of: readonly string[]) => of[below(of.length)] as string;
  const some = (of: readonly string[], most: number) => Array.from({ length: below(most) }, () => one(of));
  const count = (most: number) => one(['', '0', '1', '2', String(below(most))]);
  const scrolls = seed % 3 === 0;
  const kinds = [
    ...Array<() => string>(6).fill(() => some(plain, 12).join('')),
    ...Array<() => string>(3).fill(() => one(controls)),
    () => 'w'.repeat(70 + below(20)),
    () => `\x1b[${count(26)};${count(85)}${one(['H', 'f'])}`,
    () => `\x1b[${count(30)}${one(['A', 'B', 'C', 'G', 'd'])}`,
    () => `\x1b[${one(['', '0', '1', '2', '3'])}${one(['J', 'K'])}`,
    () => `\x1b[${one(['', '1', '2', '5'])}${one(['P', '@'])}`,
    () => (scrolls ? `\x1b[${2 + below(18)};${ROWS}r` : `\x1b[${one(['', '1', '3'])}${one(['L', 'M'])}`),
    () => `\x1b[${some(graphics, 4).join(';')}m`,
    () => `\x1b${one(['7', '8', 'E', scrolls ? 'E' : 'M', 'H', 'H', '=', '>'])}`,
    () => `\x1b[${one(['0', '', '3', '1', '2'])}g`,
    () => `\x1b${one(shifts)}`,
    () => `\x1b[?${one(['1', '7', '6', '25'])}${one(['h', 'l'])}`,
    () => `\x1b[4${one(['h', 'l'])}`,
    // UTF-8, and what is cut off or none
    () => some(brokenText, 8).join(''),
    () => one(['\x1b[6n', '\x1b[5n', '\x1b[c', '\x1b]0;title\x07', '\x1bc']),
  ];
  return Array.from({ length: PIECES }, () => (kinds[below(kinds.length)] as () => string)());
}

/** IAC WILL ECHO, IAC WILL SUPPRESS-GO-AHEAD: each key is the host's. */
const hostEchoes = Buffer.from('fffb01fffb03', 'hex');

describe('random data of a line terminal beside s3270', () => {
  for (let seed = 1; seed <= rounds(300, 8); seed++) {
    it(`lead to the same screens and answers (seed ${seed})`, async function () {
      needS3270(this);
      const programs = await Promise.all(
        bothPrograms.map((program) => SteppingTerminal.start(program, ['-model', '2'])),
      );
      try {
        for (const program of programs) program.say(Buffer.concat([hostEchoes, Buffer.from('hello')]));
        await Promise.all(programs.map((program) => program.ask('Expect(hello)')));
        // what was sent for the options so far is not compared
        await Promise.all(programs.map((program) => program.sentFor(Buffer.alloc(0))));
        let said = '';
        for (const piece of randomPieces(seed)) {
          said += piece;
          if (said.length < 20) continue;
          const [real, own] = await Promise.all(programs.map((program) => answers(program, said)));
          expect(own, JSON.stringify(said)).to.deep.equal(real);
          said = '';
        }
      } finally {
        await Promise.all(programs.map((program) => program.end()));
      }
    });
  }
});

async function answers(program: SteppingTerminal, said: string): Promise<string[]> {
  const sent = await program.sentFor(Buffer.from(said, 'latin1'));
  return [sent, ...(await program.ask('Ascii()')).split('\n')];
}
