import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command } from 'commander';
import { DocumentOutput } from '../../src/printing/document-output.js';
import { decodePages, encodePages } from '../../src/printing/document-spool.js';
import { preparePdf } from '../../src/printing/pdf-document.js';
import { type PrintedLine, type PrintedPage, printStyles } from '../../src/tn3270/print/printed-page.js';
import { runHead } from '../run-head.js';
import { say, table, target } from '../sessions/report.js';

const MOST_MILLISECONDS = 50;
const MOST_BYTES = 256 << 20;
const form = { paper: 'A4', orientation: 'landscape', columns: 132, lines: 66, marginMillimetres: 10 } as const;
const facts = { number: 1, printed: 0, pages: 1, isComplete: true };

interface Held {
  readonly longest: number;
  readonly whole: number;
}

export async function benchmarkPrinters(args: readonly string[]): Promise<number> {
  const { smallest } = new Command('bench:printers')
    .description('Measures how long the longest documents hold the event loop while they are stored, read and made.')
    .option('--smallest', 'short documents instead: whether it can run', false)
    .parse([...args], { from: 'user' })
    .opts<{ smallest: boolean }>();
  say(`${runHead('bench:printers', args)}\n`);
  await preparePdf(form);
  const output = new DocumentOutput({ printer: 'P', form, folder: undefined });
  const rows: string[][] = [];
  let longest = 0;
  for (const [name, pages] of Object.entries(documents(smallest ? 1_000 : 1))) {
    let content: Buffer = Buffer.alloc(0);
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      [
        'stored',
        async () => {
          content = (await encodePages(pages, MOST_BYTES)) ?? content;
        },
      ],
      ['read', () => decodePages(content)],
      ['as text', () => output.text({ pages })],
      ['as PDF', () => output.pdf({ facts, pages }, 'bench')],
    ];
    for (const [step, work] of steps) {
      const held = await hold(work);
      longest = Math.max(longest, held.longest);
      rows.push([`${name}: ${step}`, held.longest.toFixed(1), held.whole.toFixed(0)]);
    }
  }
  table(['document', 'longest turn, ms', 'in all, ms'], rows);
  const isReached = longest <= MOST_MILLISECONDS;
  target(`no turn takes longer than ${MOST_MILLISECONDS} ms`, isReached, `${longest.toFixed(1)} ms`);
  return isReached ? 0 : 1;
}

/** Documents of 2,000 pages, 100,000 lines or 2,000,000 positions. @param part share of the full length */
function documents(part: number): Readonly<Record<string, readonly PrintedPage[]>> {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(3);
  const line = (length: number): PrintedLine => [{ column: 0, text: text.slice(0, length), style: printStyles.plain }];
  const styles = [printStyles.bold, printStyles.underscore];
  const striped = Array.from({ length: 132 }, (_, at) => ({ column: at, text: 'X', style: styles[at % 2] ?? 0 }));
  const pagesOf = (pages: number, lines: number, one: PrintedLine): readonly PrintedPage[] =>
    Array.from({ length: Math.ceil(pages / part) }, () => Array.from({ length: Math.ceil(lines / part) }, () => one));
  return {
    '2,000 pages of 50 lines of 20 characters': pagesOf(2_000, 50, line(20)),
    'a page of 100,000 lines of 20 characters': pagesOf(1, 100_000, line(20)),
    '229 pages of 66 lines of 132 characters': pagesOf(229, 66, line(132)),
    'a page of 15,000 lines of 132 characters, each in a style of its own': pagesOf(1, 15_000, striped),
  };
}

async function hold(work: () => Promise<unknown>): Promise<Held> {
  let longest = 0;
  let isDone = false;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await nextTurn();
  const began = performance.now();
  await work();
  const whole = performance.now() - began;
  await nextTurn();
  isDone = true;
  return { longest, whole };
}
