import { expect } from 'chai';
import { graphicCode } from '../../src/tn3270/datastream/buffer-address.js';
import { eventually } from '../support/eventually.js';
import { randomFrom } from '../support/random.js';
import { needS3270, S3270 } from '../support/s3270.js';
import { ScriptedHost } from '../support/scripted-host.js';
import { Terminal } from '../tn3270/screen/terminal.js';

const CASES = 150;
const SEED = 20_261_121;
const POSITIONS = 1_920;

type Random = () => number;

/**
 * The same random writes on s3270 and on our screen, cell by cell. Left out is what Debian's version is known to do wrong
 * (Set Attribute with Repeat to Address) and Erase Unprotected to Address behind anything but an address, where it takes the
 * protection of another field.
 */
describe('random writes', () => {
  const host = new ScriptedHost();
  let emulator: S3270;
  let marks = 0;

  before(async function () {
    needS3270(this);
    const port = await host.listen();
    emulator = new S3270({ model: '3279-2-E' });
    const connected = emulator.connect(`127.0.0.1:${port}`);
    await host.send('fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00');
    await connected;
  });

  after(async () => {
    emulator?.stop();
    await host.close();
  });

  /** Returns when the emulator has taken the record: it answers a timing mark behind it. */
  async function play(record: string): Promise<void> {
    marks++;
    await host.send(`${record.replace(/../g, (byte) => (byte === 'ff' ? 'ffff' : byte))} ffef fffd06`);
    await eventually(() => (countMarks(host.received) >= marks ? true : undefined));
  }

  it('show the same screen as s3270', async () => {
    const random = randomFrom(SEED);
    const terminal = new Terminal();
    for (let round = 0; round < CASES; round++) {
      const command = round % 3 === 0 ? 'f5c3' : 'f1c3';
      const record = command + Array.from({ length: 1 + Math.floor(random() * 15) }, () => order(random)).join('');
      terminal.host(record);
      await play(record);
      const theirs = cellsOf((await emulator.ask('ReadBuffer(Ebcdic)')).data);
      const ours = ourCells(terminal);
      const different = ours.findIndex((cell, at) => cell !== theirs[at]);
      expect(
        different,
        `case ${round}, ${record}: ours ${ours[different]}, s3270's ${theirs[different]}, first position`,
      ).to.equal(-1);
      const { status } = await emulator.ask('Query(Cursor)');
      expect(Number(status[8]) * 80 + Number(status[9]), `case ${round}, ${record}: cursor`).to.equal(terminal.cursor);
    }
  });
});

function countMarks(received: Buffer): number {
  let count = 0;
  for (let at = received.indexOf(0xff); at >= 0; at = received.indexOf(0xff, at + 1)) {
    const verb = received[at + 1];
    if ((verb === 0xfb || verb === 0xfc) && received[at + 2] === 0x06) count++;
  }
  return count;
}

const hex = (value: number) => value.toString(16).padStart(2, '0');

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

const attributes = [0x40, 0x60, 0xf0, 0xc1, 0xc8, 0x4c, 0x50, 0xe4];

function order(random: Random): string {
  const at = pick(random, [Math.floor(random() * POSITIONS), 0, POSITIONS - 1, 79, 80]);
  const address = random() < 0.5 ? hex(at >> 8) + hex(at & 0xff) : hex(graphicCode(at >> 6)) + hex(graphicCode(at));
  const text = Array.from({ length: 1 + Math.floor(random() * 40) }, () =>
    pick(random, ['c1', '81', '40', 'f0', '00']),
  ).join('');
  return pick(random, [
    `11${address}`,
    `11${address}12${address}`,
    `11${address}12${hex(at >> 9)}${hex(at & 0xff)}`,
    `1d${hex(pick(random, attributes))}`,
    `2903c0${hex(pick(random, attributes))}42${pick(random, ['f2', '00'])}41${pick(random, ['f4', 'f8', '00'])}`,
    `2c0142${pick(random, ['f4', '00'])}`,
    '13',
    '05',
    `3c${address}${pick(random, ['00', '40', '5c', '08a2'])}`,
    `08${pick(random, ['a2', '85'])}`,
    pick(random, ['0d', '15', '1c', '1e', '3f', 'ff', '04', '2a']),
    text,
    text,
  ]);
}

/** One word for each cell: `SF attribute foreground highlighting`, or a code, `GE` before those of the other set. */
function ourCells({ screen }: Terminal): string[] {
  const { planes, positions } = screen.state.space;
  return Array.from({ length: positions }, (_, at) => {
    const attribute = planes.fieldAttributes[at] as number;
    const code = hex(planes.codes[at] as number);
    if (attribute === 0) return planes.characterSets[at] === 0 ? code : `GE ${code}`;
    return fieldWord(attribute, planes.foregrounds[at] as number, planes.highlightings[at] as number);
  });
}

function fieldWord(attribute: number, foreground: number, highlighting: number): string {
  return `SF ${hex(attribute & 0x3d)} ${hex(foreground)} ${hex(highlighting === 0xf0 ? 0 : highlighting)}`;
}

/** s3270's own form: `SF(c0=e0,42=f2)`, `SA(…)` before characters, `GE(a2)`, or two digits. */
function cellsOf(rows: readonly string[]): string[] {
  return rows.flatMap((row) =>
    [...row.matchAll(/(SF|SA|GE)\(([^)]*)\)|(\S+)/g)].flatMap(([, kind, inner = '', code = '']) => {
      if (kind === 'SA') return [];
      if (kind === 'GE') return [`GE ${inner}`];
      if (kind === undefined) return [code];
      const pairs = new Map(inner.split(',').map((pair) => pair.split('=') as [string, string]));
      const value = (type: string) => Number.parseInt(pairs.get(type) ?? '0', 16);
      return [fieldWord(value('c0'), value('42'), value('41'))];
    }),
  );
}
