import { expect } from 'chai';
import type { ScreenDefinition } from '../../src/conversation/screen-definition.js';
import { MOST_PAGES, MOST_ROWS, type Table } from '../../src/conversation/table.js';
import type { Application } from '../../src/simulated-host/application.js';
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

  it(`have ${MOST_ROWS} rows and ${MOST_PAGES} pages at most`, async function () {
    this.timeout(60_000);
    const many = await read({ lines: entries(MOST_ROWS + 1) }, { most: 2 * MOST_ROWS });
    expect([many.numbers.length, many.isComplete]).to.deep.equal([MOST_ROWS, false]);
    const pages = Array.from({ length: MOST_PAGES + 10 }, (_, page) => [
      `PAGE ${page}`,
      ...Array<string>(ROWS - 1).fill(''),
    ]).flat();
    const empty = await read(
      { lines: pages },
      { columns: { name: { column: 60, length: 5 } }, until: { text: 'END OF LIST' } },
    );
    expect([empty.numbers, empty.isComplete]).to.deep.equal([[], false]);
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
      faults: [{ name: 'number', expected: 'an integer of 15 digits at most', row: 10 }],
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
