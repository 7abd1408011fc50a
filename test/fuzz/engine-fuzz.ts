import { soundValue } from '../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { Screen } from '../../src/tn3270/screen/screen.js';
import { findTerminalModel } from '../../src/tn3270/screen/screen-size.js';
import { TelnetDecoder } from '../../src/tn3270/telnet/telnet-decoder.js';
import { randomFrom } from '../support/random.js';
import { mutatedRecord } from './mutated-record.js';
import { processorMilliseconds } from './processor-time.js';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Records that make sense, to be made less so. */
const seeds: readonly Uint8Array[] = [
  'f5c3 1d60 c1c2c3 1d40 13 000000 1d60 11 5d7f 29 03 c0c1 42f2 41f4 c4',
  'f1c3 11 4040 28 42f2 c1c2 28 0000 3c 5d7f 5c 12 4040 05 08a2 2c 02 c0e0 42f1',
  '7ec3 1d40 0e 42c142c2 0f 81 1d60 29 02 c040 43f8 42c142c2',
  'f3 0005 01 ff 02 0007 09 00 02 4243 0004 03 80 0009 40 00 f1c3 1d60 c1 0005 01 00 f2',
  'f3 0008 01 ff 03 00 8186 0005 d0 00 11',
  '6f',
  'f2',
  'f6',
  '6e',
].map(bytes);

const terminals = [
  { model: '3279-2-E', codePage: 'cp037' },
  { model: '3279-5-E', codePage: 'cp1147' },
  { model: '3278-4-E', codePage: 'cp930' },
  { model: '3279-2-E', codePage: 'cp1388', oversize: '160x62' },
] as const;

const keys = [
  'Enter',
  'Tab',
  'BackTab',
  'Home',
  'Newline',
  'Delete',
  'EraseEOF',
  'EraseInput',
  'Insert',
  'Reset',
  'Dup',
  'FieldMark',
  'Left',
  'Right',
  'Up',
  'Down',
  'PF3',
  'Clear',
  'FieldEnd',
];
const typed = ['a', '1', 'Ａ', '日', 'é', '⍺', '\u{20000}'];

/** No record may take longer: the bound on what it may fill is for that. */
export const MOST_MILLISECONDS = 1_000;

export interface FuzzResult {
  readonly records: number;
  readonly faults: number;
  readonly slowest: number;
}

/** Mutated records through screens and the telnet decoder, keys pressed between. Throws where something throws. */
export function fuzzEngine(records: number, seed: number, until = Number.POSITIVE_INFINITY): FuzzResult {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const screens = terminals.map(({ model, codePage, ...more }) => {
    const found = soundValue(findTerminalModel(model, 'oversize' in more ? more.oversize : undefined));
    const page = findTerminalCodePage(codePage);
    if (page === undefined) throw new Error(`no code page ${codePage}`);
    const nowhere = () => undefined;
    const screen = new Screen(
      found,
      page,
      { numericLock: true, blankFill: true },
      { sendRecord: nowhere, sendServicesText: nowhere, sendLineData: nowhere, sendLineCommand: nowhere },
    );
    screen.setPartner('application');
    return screen;
  });
  const ignore = () => undefined;
  const decoder = new TelnetDecoder(
    { record: ignore, data: ignore, negotiation: ignore, subnegotiation: ignore, command: ignore, tooLong: ignore },
    4_096,
  );
  decoder.gathersRecords = true;
  let faults = 0;
  let slowest = 0;
  let done = 0;
  for (; done < records && performance.now() < until; done++) {
    const screen = pick(screens);
    const record = mutatedRecord(pick(seeds), random);
    const start = processorMilliseconds();
    const way = random();
    if (way < 0.9) {
      if (screen.receive(record) !== undefined) faults++;
    } else if (way < 0.93) {
      screen.setPartner('services');
      screen.receiveServicesText(record);
      screen.setPartner('application');
    } else if (way < 0.96) {
      screen.setPartner('line');
      screen.receiveLineData(record);
      screen.setPartner('application');
    } else {
      decoder.feed(record);
    }
    for (let pressed = 0; pressed < 3; pressed++) {
      if (random() < 0.5) screen.keyboard.press(pick(keys));
      else screen.keyboard.type(pick(typed));
    }
    if (random() < 0.1) void screen.image.text.cells.length;
    slowest = Math.max(slowest, processorMilliseconds() - start);
    const { cursor, positions } = screen.state.space;
    if (cursor < 0 || cursor >= positions) throw new Error(`cursor ${cursor} of ${positions} after ${hexOf(record)}`);
  }
  return { records: done, faults, slowest };
}

function hexOf(record: Uint8Array): string {
  return Buffer.from(record).toString('hex');
}
