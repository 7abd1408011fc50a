import { expect } from 'chai';
import type { Application } from '../../../src/demo/simulated-host/application.js';
import type { Table } from '../../../src/tn3270/conversation/extract.js';
import type { ScreenDefinition } from '../../../src/tn3270/conversation/screen-definition.js';
import { HostedConversations } from './hosted-conversation.js';

const ROWS = 14;

interface ListOptions {
  readonly lines: readonly string[];
  readonly end?: string;
  readonly message?: string;
  readonly keys?: string[];
}

/** A list that PF8 turns; the last page stays where it is. */
function list({ lines, end, message = '', keys = [] }: ListOptions): Application {
  return async (terminal) => {
    for (let page = 0, turned = ''; ; ) {
      const panel = terminal.panel().text(1, 2, 'LIST', {});
      const all = [...lines, ...(end === undefined ? [] : [end])];
      const shown = all.slice(page * ROWS, (page + 1) * ROWS);
      for (const [at, line] of shown.entries()) panel.text(7 + at, 2, line, {});
      panel.input('command', 22, 2, { length: 4 }).text(24, 2, turned, {});
      const { key } = await terminal.show(panel);
      keys.push(key);
      if (key === 'pf3') return undefined;
      turned = (page + 1) * ROWS >= all.length ? message : '';
      if (turned === '' && (page + 1) * ROWS < all.length) page++;
    }
  };
}

const at: readonly ScreenDefinition[] = [{ name: 'LIST', conditions: [{ text: 'LIST', row: 1, column: 2 }] }];
const entries = (count: number) => Array.from({ length: count }, (_, each) => `ENTRY ${String(each + 1).padStart(5)}`);
const columns = { number: { column: 8, length: 5, as: 'integer' } } as const;
const table: Table = { rows: [7, 20], columns, next: 'PF8' };

describe('tables over several pages', () => {
  const hosted = new HostedConversations();
  afterEach(() => hosted.end());

  async function read(options: ListOptions, further: Partial<Table> = {}) {
    const conversation = await hosted.simulated({ applications: { MENU: list(options) } });
    const end = await conversation.readTable({ at, table: { ...table, ...further }, withinMilliseconds: 2_000 });
    const numbers = end.kind === 'done' ? end.rows.map(({ number }) => number) : [];
    return { end, numbers, isComplete: end.kind === 'done' ? end.isComplete : undefined };
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, each) => each + 1);

  it('end as they say themselves', async () => {
    for (const count of [0, 13, 14, 30]) {
      const { numbers, isComplete } = await read(
        { lines: entries(count), end: 'END OF LIST' },
        { until: { text: 'END OF LIST' } },
      );
      expect([numbers, isComplete], String(count)).to.deep.equal([upTo(count), true]);
    }
  });

  it('end where the key changes nothing', async () => {
    const keys: string[] = [];
    const { numbers, isComplete } = await read({ lines: entries(30), keys });
    expect([numbers, isComplete, keys]).to.deep.equal([upTo(30), true, ['pf8', 'pf8', 'pf8']]);
  });

  it('have one page where no key turns them', async () => {
    const { numbers, isComplete } = await read({ lines: entries(30) }, { next: undefined });
    expect([numbers, isComplete]).to.deep.equal([upTo(14), true]);
  });

  it('are cut at the most rows that are asked for', async () => {
    const end = { end: 'END OF LIST' };
    const until = { text: 'END OF LIST' };
    expect(await read({ lines: entries(30), ...end }, { until, most: 30 })).to.deep.include({
      numbers: upTo(30),
      isComplete: true,
    });
    expect(await read({ lines: entries(31), ...end }, { until, most: 30 })).to.deep.include({
      numbers: upTo(30),
      isComplete: false,
    });
  });

  it('are complete with as many rows as may be, at the end of a page, too', async () => {
    const until = { text: 'END OF LIST' };
    // two pages are full, and the third has the end
    const full = { lines: entries(28), end: 'END OF LIST' };
    expect(await read(full, { until, most: 28 })).to.deep.include({ numbers: upTo(28), isComplete: true });
    expect(await read(full, { until, most: 27 })).to.deep.include({ numbers: upTo(27), isComplete: false });
    const unmarked = { lines: entries(28) };
    expect(await read(unmarked, { most: 28 })).to.deep.include({ numbers: upTo(28), isComplete: true });
    expect(await read(unmarked, { most: 27 })).to.deep.include({ numbers: upTo(27), isComplete: false });
  });

  it('have 500 rows at most, if no number is given', async () => {
    const until = { text: 'END OF LIST' };
    const read500 = await read({ lines: entries(500), end: 'END OF LIST' }, { until });
    expect([read500.numbers.length, read500.isComplete]).to.deep.equal([500, true]);
    const read501 = await read({ lines: entries(501), end: 'END OF LIST' }, { until });
    expect([read501.numbers.length, read501.isComplete]).to.deep.equal([500, false]);
  });

  it('have 10,000 rows and 1,000 pages at most', async function () {
    this.timeout(60_000);
    const many = await read({ lines: entries(10_001) }, { most: 20_000 });
    expect([many.numbers.length, many.isComplete]).to.deep.equal([10_000, false]);
    const pagesOf = (count: number) =>
      Array.from({ length: count }, (_, page) => [`PAGE ${page}`, ...Array<string>(ROWS - 1).fill('')]).flat();
    const keys: string[] = [];
    const further = { columns: { name: { column: 60, length: 5 } }, until: { text: 'END OF LIST' } };
    const empty = await read({ lines: pagesOf(1_001), keys }, further);
    expect([empty.numbers, empty.isComplete, keys.length]).to.deep.equal([[], false, 999]);
    // the end stands on page 1,000, the last that is read
    const whole = await read({ lines: pagesOf(1_000).slice(0, -1), end: 'END OF LIST' }, further);
    expect([whole.numbers, whole.isComplete]).to.deep.equal([[], true]);
  });

  it('that do not end as they should are guard failures, and none is taken for complete', async () => {
    const missing = await read({ lines: entries(20) }, { until: { text: 'END OF LIST' } });
    expect(missing.end).to.deep.include({ kind: 'guardFailed', expected: ['LIST'] });
    const unclear = await read({ lines: entries(20), message: 'No more entries' });
    expect(unclear.end.kind).to.equal('guardFailed');
  });

  it('with a row that is malformed are a fault that names it', async () => {
    const { end } = await read({ lines: [...entries(3), 'ENTRY   12X'] });
    expect(end).to.deep.include({
      kind: 'extractFault',
      faults: [{ name: 'number', expected: 'an integer of at most 15 digits', row: 10 }],
    });
  });

  it('press no key on a screen that is none of theirs', async () => {
    const keys: string[] = [];
    const conversation = await hosted.simulated({ applications: { MENU: list({ lines: entries(30), keys }) } });
    const others: readonly ScreenDefinition[] = [{ name: 'OTHER', conditions: [{ text: 'ENTRY     1' }] }];
    const end = await conversation.readTable({ at: others, table, withinMilliseconds: 500 });
    expect([end.kind, keys]).to.deep.equal(['guardFailed', ['pf8']]);
  });
});
