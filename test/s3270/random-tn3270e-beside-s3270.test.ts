import { expect } from 'chai';
import { randomFrom } from '../support/random.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

const STEPS = 25;
/** A step that takes longer hangs. */
const LONGEST_STEP_MILLISECONDS = 20_000;

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const byte = (value: number) => value.toString(16).padStart(2, '0');
/** Device type, name, and BIND-IMAGE, RESPONSES, SYSREQ. */
const negotiation =
  'fffd28 fffa280802fff0 fffa2802 04 49424d2d333237382d342d45 01 4c5531 fff0 fffa280304 00 02 04 fff0';
const firstScreen = '03000000003101030300 ffef 0000000000 f5c31140401d4013 ffef';

/** Sizes left to the terminal, of the default and by query, and 24 x 80 with 43 x 80. */
const bindImages = [
  '3101030300',
  '31010303b1908030000087c7000100020000000018502050 0300',
  '31010303b1908030000087c7000100020000000018502b50 7f00',
  '31010303b1908030000087c7000100020000000018502b50 7f000004d5c1d4c5',
];
const commands = ['f1c3', 'f1c0', 'f5c3', 'f5c1', 'f140', '7ec3'];
const orders = ['', '11c150c1c2c3', '1d40c1c2', '1d60c4', '114040', '11c3f02903c0f041f442f2c7', 'c1', '13'];
const endings = ['', '1140401d4013', '1145401d4013'];
/** Also a record with nothing but its header. */
const others = ['f6', '6f', 'f3000501ff02', ''];
const keys = ['Tab', 'Key(a)', 'Enter', 'PF(3)', 'Clear', 'Home', 'SysReq', 'Attn', 'EraseEOF', 'PA(1)'];
const keysForServices = ['Enter', 'Clear', 'PF(3)', 'SysReq'];

const types = { data3270: 0, scs: 1, response: 2, bind: 3, unbind: 4, request: 6, services: 7, endOfJob: 8, bid: 9 };

interface Step {
  /** Of TELNET, with its end. */
  readonly record: string;
  readonly key: string | undefined;
  readonly endsBinding: boolean;
}

/** Random records of all types but NVT-DATA, which 4.1 shows by half, under random flags; an application is bound and unbound in turn. */
function stepsOf(seed: number): Step[] {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const one = <Kind>(of: readonly Kind[]) => of[below(of.length)] as Kind;
  let isBound = true;
  let isWithServices = false;
  const header = (type: number) => {
    const requestFlag = one([0, 0, 0, 1, 2, 3, 4, 8, 0x20, 0xff]);
    const responseFlag = one([0, 0, 0, 0, 1, 2, 2, 3, 0xff]);
    return `${[type, requestFlag, responseFlag].map(byte).join('')}${one(['0000', '0001', '7fff', '8000', 'ffff'])}`;
  };
  const write = () => `${header(types.data3270)}${one(commands)}${one(orders)}${one(endings)}`;
  const kinds: readonly (() => string)[] = [
    ...[write, write, write],
    () => `${header(types.data3270)}${one(others)}`,
    () => {
      isBound = !isBound;
      isWithServices = false;
      return isBound
        ? `${header(types.bind)}${one(bindImages)}`
        : `${header(types.unbind)}${one(['01', '02', '0f', ''])}`;
    },
    () => {
      isWithServices = true;
      return `${header(types.services)}${one(['c1c2c3', '15c1', '0d25', '', '11c1c11d40'])}`;
    },
    () => {
      const { scs, request, endOfJob, bid } = types;
      return `${header(one([scs, request, endOfJob, bid, 0x0a, 0x55, 0xff]))}${one(['', '00', 'c1c2', '01'])}`;
    },
    () => `${header(types.response)}${one(['00', '01', '02', '', 'c1'])}`,
    () => '',
  ];
  return Array.from({ length: STEPS }, () => {
    const wasBound = isBound;
    const record = one(kinds)()
      .replaceAll(' ', '')
      .replaceAll(/../g, (pair) => (pair === 'ff' ? 'ffff' : pair));
    const key = below(2) === 0 ? undefined : one(isWithServices ? keysForServices : keys);
    return { record: `${record}ffef`, key, endsBinding: wasBound && !isBound };
  });
}

async function within<Value>(step: string, doing: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step} hangs`)), LONGEST_STEP_MILLISECONDS);
  });
  return Promise.race([doing, hangs]).finally(() => clearTimeout(timer));
}

/** What is sent for each record and key, and the screen behind it. */
async function seenIn(program: SteppingTerminal, steps: readonly Step[]): Promise<string[]> {
  const seen = [
    await within('the negotiation', program.sentFor(hex(negotiation))),
    await within('the first screen', program.sentFor(hex(firstScreen))),
    await within('Set', program.ask('Set(aidWait,false)')),
  ];
  for (const { record, key, endsBinding } of steps) {
    // 4.1 keeps a keyboard that it has locked for one application locked for the next
    if (endsBinding) await within('Reset', program.ask('Reset'));
    seen.push(`record ${record}: ${await within(record, program.sentFor(hex(record)))}`);
    // a locked keyboard has keys typed ahead, which 4.1 sends a moment later
    const isLocked = (await within('the status', program.ask(''))).startsWith('L');
    if (key !== undefined && (!isLocked || key === 'SysReq')) {
      seen.push(`${key}: ${await within(key, program.sentForAction(key))}`);
    }
    for (const question of ['ReadBuffer(Ebcdic)', 'Query(ConnectionState)', 'Query(ScreenCurSize)', 'Query(Cursor)']) {
      seen.push((await within(question, program.ask(question))).replaceAll(/^data:( 00)+\n/gm, ''));
    }
  }
  return seen;
}

describe('random records of TN3270E beside s3270', () => {
  for (let seed = 1; seed <= rounds(100, 8); seed++) {
    it(`lead to the same screens and are answered with the same bytes (seed ${seed})`, async function () {
      needS3270(this);
      const steps = stepsOf(seed);
      const words = ['-model', '4', '-utf8'];
      const programs = await Promise.all(bothPrograms.map((program) => SteppingTerminal.start(program, words)));
      try {
        const [real, own] = await Promise.all(programs.map((program) => seenIn(program, steps)));
        const [realSteps, ownSteps] = [real ?? [], own ?? []];
        const first = realSteps.findIndex((step, at) => step !== ownSteps[at]);
        const upToThere = (all: readonly string[]) => (first < 0 ? all : all.slice(Math.max(0, first - 9), first + 1));
        expect(upToThere(ownSteps)).to.deep.equal(upToThere(realSteps));
      } finally {
        await Promise.all(programs.map((program) => within('the end', program.end())));
      }
    });
  }
});
