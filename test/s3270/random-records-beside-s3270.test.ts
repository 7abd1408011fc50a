import { expect } from 'chai';
import { randomFrom } from '../support/random.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

/** Records of one host. */
const RECORDS = 15;
const COLUMNS = 80;
const POSITIONS = 1_920;

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const negotiation = hex('fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00');
const endOfRecord = hex('ffef');

type Random = ReturnType<typeof randomOf>;

/** What a host may say. Nothing of "Differences" in docs/write/s3270.md is among it. */
function randomOf(seed: number) {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const one = (of: readonly number[]) => of[below(of.length)] as number;
  const many = (most: number, make: () => readonly number[]) => Array.from({ length: below(most) }, make).flat();
  return { below, one, many, hasAttributes: seed % 2 === 0 };
}

function address({ below }: Random): number[] {
  const at = below(POSITIONS);
  // in the codes of 12 bits, whose upper two do not count, or in 14 bits
  return below(3) === 0 ? [at >> 8, at & 0xff] : [0x40 | (at >> 6), 0x40 | (at & 0x3f)];
}

function text({ one, many }: Random): number[] {
  return [
    0xc1,
    ...many(11, () => [one([0xc1, 0xc2, 0xd1, 0xe2, 0xf1, 0xf2, 0x81, 0x82, 0x40, 0x60, 0x4b, 0x00, 0x6d])]),
  ];
}

function pair({ one }: Random, types: readonly number[]): number[] {
  const type = one(types);
  const values: Readonly<Record<number, readonly number[]>> = {
    0: [0],
    65: [0, 0xf0, 0xf1, 0xf2, 0xf4, 0xf8],
    66: [0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7],
    192: [0x40, 0x60, 0xc1, 0xf0],
  };
  return [type, one(values[type] ?? [])];
}

const fieldAttributes = [0x40, 0xc1, 0x60, 0x50, 0xf0, 0x4c, 0xe8, 0xc8, 0x4d, 0xd1, 0x5c, 0xe4, 0x7c, 0x61];

function order(random: Random): number[] {
  const { below, one } = random;
  const pairs = (most: number) => {
    const count = below(most);
    return [count, ...Array.from({ length: count }, () => pair(random, [0x41, 0x42, 0xc0])).flat()];
  };
  const graphics = [0xad, 0xc5, 0x91, 0xa2, 0xd3, 0x8f];
  const orders = [
    () => text(random),
    () => text(random),
    () => [0x11, ...address(random)],
    () => [0x11, ...address(random)],
    () => [0x1d, one(fieldAttributes)],
    () => [0x29, ...pairs(4)],
    () => (random.hasAttributes ? [0x28, ...pair(random, [0, 0x41, 0x42])] : text(random)),
    () => [0x2c, ...pairs(3)],
    () => [0x13],
    () => [0x05],
    () => [
      0x3c,
      ...address(random),
      ...(below(9) === 0 ? [0x08, one([0xad, 0xc5, 0x91])] : [one([0x40, 0, 0xc1, 0x5c])]),
    ],
    // from a known place: s3270 4.1 goes by the field that it has met last, also where that was changed or written over
    () => [0x11, ...address(random), 0x12, ...address(random)],
    () => [0x08, one(graphics)],
    () => [one([0x0c, 0x0d, 0x15, 0x19, 0x1c, 0x1e, 0xff, 0x00, 0x3f])],
  ];
  return (orders[below(orders.length)] as () => number[])();
}

function write(random: Random): number[] {
  return [random.one([0xc3, 0xc2, 0xc1, 0x40, 0xc7, 0xf3, 0x02, 0x00]), ...random.many(25, () => order(random))];
}

function structuredField(random: Random): number[] {
  const { below, one, many } = random;
  const codes = [0x81, 0x86, 0x85, 0x95, 0x88, 0xa8, 0x80, 0x99, 0xa6, 0xa1];
  const bodies = [
    () => [0x01, 0xff, 0x02],
    () => [0x01, 0xff, 0x03, one([0, 0x40, 0x80]), ...many(4, () => [one(codes)])],
    () => [0x01, 0x00, one([0xf2, 0xf6, 0x6e])],
    () => [0x03, one([0, 0x80])],
    () => [0x09, 0x00, one([0, 1, 2]), ...many(3, () => [one([0x41, 0x42])])],
    () => [0x40, 0x00, one([0xf1, 0xf5, 0x7e]), ...write(random)],
    () => [0x00, 0x00],
  ];
  const body = (bodies[below(bodies.length)] as () => number[])();
  return [(body.length + 2) >> 8, (body.length + 2) & 0xff, ...body];
}

function record(random: Random): number[] {
  const { below, one } = random;
  const kind = below(100);
  if (kind < 62) return [one([0xf5, 0xf1, 0xf1, 0x7e, 0x01, 0x05, 0xf5, 0x0d]), ...write(random)];
  if (kind < 66) return [one([0x6f, 0x0f])];
  if (kind < 76) return [one([0xf2, 0xf6, 0x6e, 0x02, 0x06])];
  return [0xf3, ...structuredField(random), ...(below(2) === 0 ? structuredField(random) : [])];
}

function keys({ below }: Random, isErasing: boolean): string {
  const actions = ['Tab', 'Key(q)', 'Up', 'BackTab', 'NextWord', 'Right2'];
  if (isErasing) actions.push('EraseEOF', 'Delete', 'EraseInput');
  const place = `MoveCursor(${below(POSITIONS / COLUMNS)},${below(COLUMNS)})`;
  return [...actions, place][below(actions.length + 1)] as string;
}

function toWire(bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, byte] : [byte]))),
    endOfRecord,
  ]);
}

describe('random records beside s3270', () => {
  for (let seed = 1; seed <= rounds(200, 6); seed++) {
    it(`lead to the same screens and answers (seed ${seed})`, async function () {
      needS3270(this);
      const random = randomOf(seed);
      const programs = await Promise.all(
        bothPrograms.map((program) => SteppingTerminal.start(program, ['-model', '2'])),
      );
      try {
        for (const program of programs) program.say(Buffer.concat([negotiation, toWire(hex('f5c2 114040 1d40 13'))]));
        await Promise.all(programs.map((program) => program.ask('Wait(InputField)')));
        for (let at = 0; at < RECORDS; at++) {
          const said = Buffer.from(record(random));
          const actions = [
            'Ascii()',
            'ReadBuffer(Ebcdic)',
            ...(random.below(2) === 0 ? [keys(random, seed % 2 === 1)] : []),
          ];
          const [real, own] = await Promise.all(programs.map((program) => answers(program, said, actions)));
          expect(own, `record ${at}: ${said.toString('hex')}`).to.deep.equal(real);
        }
      } finally {
        await Promise.all(programs.map((program) => program.end()));
      }
    });
  }
});

/** What is sent for a record, and the answers to actions behind it; keys only where the host does not have the keyboard. */
async function answers(program: SteppingTerminal, said: Uint8Array, actions: readonly string[]): Promise<string[]> {
  const got = [await program.sentFor(toWire(said))];
  for (const action of actions) {
    const answer = await program.ask(action);
    got.push(answer);
    if (/^L /m.test(answer)) break;
  }
  return got;
}
