import { expect } from 'chai';
import fc from 'fast-check';
import type { DifferenceLine } from '../../src/lib/text/line-comparison.js';
import { macroSetDifference } from '../../src/macros/macro-difference.js';
import type { Macro, MacroSet } from '../../src/macros/macro-set.js';
import type { MacroStep } from '../../src/macros/macro-step.js';
import { linesOfStep } from '../../src/macros/step-text.js';

const stepText = (step: MacroStep) => linesOfStep(step).join('\n');
const macro = (name: string, ...def: MacroStep[]): Macro => ({ name, def });
const set = (...macros: Macro[]): MacroSet => ({ macros });
const signs = { same: ' ', added: '+', removed: '-' } as const;
const shown = (lines: readonly DifferenceLine[]) => lines.map(({ mark, text }) => `${signs[mark]}${text}`);

async function changes(older: MacroSet, newer: MacroSet) {
  return (await macroSetDifference(older, newer)).macros.map(({ name, change, lines }) => [
    change,
    name,
    ...shown(lines),
  ]);
}

describe('linesOfStep', () => {
  // the syntax of the editor: "string", move(pos), copy(...), paste(...), key(id)
  const texts: readonly [MacroStep, string][] = [
    ['PF3', 'key(PF3)'],
    ['SiteKey', 'key(SiteKey)'],
    ['move(435)', 'move(435)'],
    ['copy(1,2,3,4)', 'copy(1,2,3,4)'],
    ['paste(80,3,20)', 'paste(80,3,20)'],
    [61, '"="'],
    [0x1f600, '"😀"'],
    [34, '"\\""'],
    [10, '"\\n"'],
    [{ txt: '=M' }, '"=M"'],
    [{ txt: 'a "b"\\' }, '"a \\"b\\"\\\\"'],
  ];
  it('writes a question as the editor of the terminal does', () => {
    expect(stepText({ txt: '', prompt: 'Pass"word' })).to.equal('prompt("Pass\\"word")');
  });

  it('writes a screen as the editor of the terminal does', () => {
    const screen = [{ text: 'a "b"', row: 1, column: 2 }];
    expect(stepText({ txt: '', screen })).to.equal('screen(1,2,"a \\"b\\"")');
  });

  for (const [step, text] of texts) it(text, () => expect(stepText(step)).to.equal(text));
});

describe('macroSetDifference', () => {
  it('finds nothing where there is nothing', async () => {
    const one = set(macro('a', 'ENTER'), macro('b', { txt: 'x' }));
    expect(await macroSetDifference(one, structuredClone(one))).to.deep.equal({ lines: [], macros: [] });
    expect(await changes(one, set(...one.macros.toReversed()))).to.deep.equal([]);
  });

  it('shows what was added, changed and removed, in this order of the newer set', async () => {
    const older = set(macro('gone', 'PA1'), macro('kept', 'ENTER'), macro('mine', 'ENTER', { txt: '=M' }, 'ENTER'));
    const newer = set(macro('new', 61), macro('mine', 'ENTER', { txt: '=S' }, 'PF3', 'ENTER'), macro('kept', 'ENTER'));
    expect(await changes(older, newer)).to.deep.equal([
      ['added', 'new', '+"="'],
      ['changed', 'mine', ' key(ENTER)', '-"=M"', '+"=S"', '+key(PF3)', ' key(ENTER)'],
      ['removed', 'gone', '-key(PA1)'],
    ]);
  });

  it('matches macros of the same name by their order', async () => {
    const older = set(macro('m', 'PF1'), macro('m', 'PF2'));
    expect(await changes(older, set(macro('m', 'PF1'), macro('m', 'PF3')))).to.deep.equal([
      ['changed', 'm', '-key(PF2)', '+key(PF3)'],
    ]);
    expect(await changes(older, set(macro('m', 'PF1')))).to.deep.equal([['removed', 'm', '-key(PF2)']]);
    expect(await changes(set(macro('m')), set(macro('m'), macro('m')))).to.deep.equal([['added', 'm']]);
  });

  it('shows that a question has changed', async () => {
    const asking = (prompt: string) => ({ macros: [{ name: 'a', def: [{ txt: '', prompt }] }] });
    const { macros } = await macroSetDifference(asking('Password'), asking('PIN'));
    expect(macros[0]?.lines).to.deep.equal([
      { mark: 'removed', text: 'prompt("Password")' },
      { mark: 'added', text: 'prompt("PIN")' },
    ]);
  });

  it('shows other members of macros and of the set', async () => {
    const older: MacroSet = { macros: [{ name: 'm', rev: 1, def: ['Tab'] }], fmt: 1 };
    const newer: MacroSet = {
      macros: [{ name: 'm', rev: 2, def: ['Tab'], mapping: { key: 'alt', keycode: 112 } }],
      desc: 'ours',
      fmt: 1,
    };
    expect(await changes(older, newer)).to.deep.equal([
      ['changed', 'm', '-rev: 1', '+mapping: {"key":"alt","keycode":112}', '+rev: 2', ' key(Tab)'],
    ]);
    expect(shown((await macroSetDifference(older, newer)).lines)).to.deep.equal(['+desc: "ours"', ' fmt: 1']);
  });

  it('takes macros called as members of every object are', async () => {
    const odd = ['__proto__', 'constructor', 'toString'].map((name) => macro(name, 'ENTER'));
    expect((await changes(set(), set(...odd))).map(([change]) => change)).to.deep.equal(['added', 'added', 'added']);
    expect(await changes(set(...odd), set(...odd))).to.deep.equal([]);
  });

  it('gives both versions back, with no fewer lines kept than can be', async () => {
    const keys = fc.array(fc.constantFrom('PF1', 'PF2', 'PF3'), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(keys, keys, async (from, to) => {
        const [found] = (await macroSetDifference(set(macro('m', ...from)), set(macro('m', ...to)))).macros;
        const lines = found?.lines ?? from.map((key) => ({ mark: 'same', text: `key(${key})` }) as const);
        const of = (...marks: string[]) => lines.filter(({ mark }) => marks.includes(mark)).map(({ text }) => text);
        expect(of('same', 'removed')).to.deep.equal(from.map(stepText));
        expect(of('same', 'added')).to.deep.equal(to.map(stepText));
        expect(of('same').length).to.equal(longestCommon(from, to));
      }),
      { numRuns: 3000 },
    );
  });

  it('finds a few differences in many steps', async () => {
    const from = Array.from({ length: 10_000 }, (_, index) => 0x4e00 + index);
    const to = from.toSpliced(9_000, 1).toSpliced(500, 0, 61);
    const [found] = (await macroSetDifference(set(macro('m', ...from)), set(macro('m', ...to)))).macros;
    expect(shown(found?.lines ?? []).filter((line) => !line.startsWith(' '))).to.deep.equal([
      '+"="',
      `-"${String.fromCharCode(0x4e00 + 9_000)}"`,
    ]);
  });

  it('gives up on steps that have nothing in common, and still tells both versions', async () => {
    const from = Array.from({ length: 10_000 }, (_, index) => 0x4e00 + index);
    const [found] = (await macroSetDifference(set(macro('m', ...from)), set(macro('m', ...from.toReversed())))).macros;
    const marks = (found?.lines ?? []).map(({ mark }) => mark);
    expect(marks).to.have.length(20_000);
    expect(new Set(marks.slice(0, 10_000))).to.deep.equal(new Set(['removed']));
    expect(new Set(marks.slice(10_000))).to.deep.equal(new Set(['added']));
  });
});

/** By the table of the textbook. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0);
  for (const left of one) {
    const next = [0];
    other.forEach((right, index) => {
      next.push(left === right ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}
