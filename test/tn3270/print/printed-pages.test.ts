import { expect } from 'chai';
import { findCodePage, findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { DataStreamPrinter } from '../../../src/tn3270/print/data-stream-printer.js';
import { Paper } from '../../../src/tn3270/print/paper.js';
import { type InkName, inkOf, textOfPages } from '../../../src/tn3270/print/printed-page.js';
import { ScsPrinter } from '../../../src/tn3270/print/scs-printer.js';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const pageOf = (name: string) => {
  const page = findTerminalCodePage(name) ?? findCodePage(name);
  if (page === undefined) throw new Error(`no code page ${name}`);
  return page;
};

function printScs(text: string, codePage = 'cp037', paper = new Paper()) {
  const fault = new ScsPrinter(pageOf(codePage), paper).print(hex(text));
  return { fault, pages: paper.tearOff() };
}

function printDataStream(text: string, codePage = 'cp037') {
  const paper = new Paper();
  const fault = new DataStreamPrinter(pageOf(codePage), paper, () => undefined).print(hex(text));
  return { fault, pages: paper.tearOff() };
}

/** What pr3287 does not print: it is told by the manuals (GA23-0059, chapters 4 and 9). */
describe('printed pages', () => {
  it('have the characters of Graphic Escape and of the APL set', () => {
    expect(textOfPages(printScs('08c5 08a2 28 43f1 a2 28 0000 c1').pages)).to.equal('┌──A\n');
    expect(textOfPages(printDataStream('f5c8 08c5 08a2 19').pages)).to.equal('┌─\n');
  });

  it('have double-byte characters between shift-out and shift-in, two positions each', () => {
    // 0x4566: 日, 0x456a: 本 (IBM code page 300)
    const { pages } = printScs('c1 0e 4562 4566 0f c2', 'cp930');
    expect(pages[0]?.[0]?.map(({ column, text }) => [column, text.length])).to.deep.equal([[0, 4]]);
    expect(printScs('0e 4562 0f', 'cp037').pages).to.deep.equal(printScs('4562', 'cp037').pages);
  });

  it('have a blank for each of shift-out and shift-in in the 3270 data stream', () => {
    expect(textOfPages(printDataStream('f5c8 c1 0e 4562 0f c2 19', 'cp930').pages)).to.equal('A \u65e5 B\n');
  });

  it('print nothing between inhibit and enable presentation, but leave its room', () => {
    expect(textOfPages(printScs('c1 24 c2c3 14 c4').pages)).to.equal('A  D\n');
  });

  it('leave out transparent data, whatever it looks like', () => {
    expect(textOfPages(printScs('c1 35 03 150c15 c2').pages)).to.equal('AB\n');
  });

  it('have places by Presentation Position', () => {
    expect(textOfPages(printScs('34c005 c1 34c802 c2 34c403 c3 344c01 c4').pages)).to.equal(
      '    A  B\n\n        C\n         D\n',
    );
    // a line above is on the next page
    expect(textOfPages(printScs('34c403 c1 34c401 c2').pages)).to.equal('\n\nA\n\f B\n');
  });

  it('go on to the next page below the bottom margin, and begin at the top margin', () => {
    expect(textOfPages(printScs('2bc2 04 06 02 03 15 c1 15 c2 15 c3 15 c4').pages)).to.equal('\nA\nB\n\f\nC\nD\n');
  });

  it('pass over nulls and bells, go down a line for a channel, and have a blank for a code that is none', () => {
    expect(textOfPages(printScs('c1 00 c2 2f c3 01 c4').pages)).to.equal('ABC D\n');
    expect(textOfPages(printScs('c1 04 81 c2 04 8c c3').pages)).to.equal('A\n B\n  C\n');
  });

  it('have one position for each field attribute, and fields as they were modified', () => {
    expect(textOfPages(printDataStream('f5f8 29 03 c060 41f4 42f2 c1 1d60 c2').pages)).to.equal(' A B\n');
    // not displayed any more; what stands behind the attribute stays
    expect(textOfPages(printDataStream('f5f8 1d60 c1c1 1d60 c2 11 4040 2c 01 c06c 11 404a c3').pages)).to.equal(
      '    B     C\n',
    );
  });

  it('have nothing of what was erased as unprotected', () => {
    expect(textOfPages(printDataStream('f5f8 1d60 c1 1d40 c2c2 1d60 c3 11 4040 12 40c8 11 40c9 c4').pages)).to.equal(
      ' A    C  D\n',
    );
  });

  it('have styles: attributes, what is printed twice, and what is printed over an underscore', () => {
    const [bold, underscore, reverse] = [0x01, 0x02, 0x04];
    const styles = (text: string) =>
      printScs(text).pages[0]?.[0]?.map(({ text: shown, style }) => [shown, style & 0x0f]);
    expect(styles('28 41f8 c1 28 41f4 c2 28 41f2 c3 28 0000 c4')).to.deep.equal([
      ['A', bold],
      ['B', underscore],
      ['C', reverse],
      ['D', 0],
    ]);
    expect(styles('c1c2 0d c1')).to.deep.equal([
      ['A', bold],
      ['B', 0],
    ]);
    expect(styles('c1c2 0d 6d 40')).to.deep.equal([
      ['A', underscore],
      ['B', 0],
    ]);
    // the underscore first, and the character over it
    expect(styles('6dc2 0d c1')).to.deep.equal([
      ['A', underscore],
      ['B', 0],
    ]);
    const inks: (InkName | undefined)[] = ['f1', 'f2', 'f4', 'f7', '00'].map((colour) => {
      const run = printScs(`28 42${colour} c1`).pages[0]?.[0]?.[0];
      return run && inkOf(run.style);
    });
    expect(inks).to.deep.equal(['blue', 'red', 'green', 'black', 'black']);
  });

  it('have the styles of fields, and nothing of those that are not displayed', () => {
    const { pages } = printDataStream('f5f8 1de8 c1 1d6c e2 1d60 c2');
    const runs = pages[0]?.[0] ?? [];
    expect(runs.map(({ column, text, style }) => [column, text, style])).to.deep.equal([
      [1, 'A', 0x01],
      [5, 'B', 0],
    ]);
  });

  it('are as many, and as long, as their limits say, and no more', () => {
    const limits = { pages: 3, lines: 4, transparentBytes: 4, positions: 20 };
    const print = (text: string) => printScs(text, 'cp037', new Paper(limits));
    expect(print('c1 0c c2 0c c3').fault).to.equal(undefined);
    expect(print('c1 0c c2 0c c3').pages).to.have.length(3);
    expect(print('c1 0c c2 0c c3 0c').fault).to.include({ sense: 'interventionRequired' });
    expect(print('c1 15 c1 15 c1 15 c1 15').fault).to.equal(undefined);
    expect(print('c1 15 c1 15 c1 15 c1 15 c1 15').fault).to.include({ sense: 'interventionRequired' });
    expect(print(`${'c1'.repeat(20)} 15`).fault).to.equal(undefined);
    expect(print(`${'c1'.repeat(21)} 15`).fault).to.include({ sense: 'interventionRequired' });
    expect(print('35 03 010203 35 01 04 c1').fault).to.equal(undefined);
    expect(print('35 03 010203 35 02 0405').fault).to.include({ sense: 'interventionRequired' });
    // blank lines count: few bytes say many of them
    expect(print('344c03 c1 15').fault).to.equal(undefined);
    expect(print('344c04 c1 15').fault).to.include({ sense: 'interventionRequired' });
  });

  it('keep everything from before the limit that was reached', () => {
    const limits = { pages: 3, lines: 4, transparentBytes: 4, positions: 20 };
    const kept = (text: string) => textOfPages(printScs(text, 'cp037', new Paper(limits)).pages);
    expect(kept('c1 0c c2 0c c3 0c c4'), 'pages').to.equal('A\n\fB\n\fC\n');
    expect(kept('c1 0c c2 15 c3 15 c4 15 c5 0c c6'), 'lines').to.equal('A\n\fB\nC\nD\n');
    expect(kept(`c1 15 ${'c2'.repeat(20)} 0c c3`), 'positions').to.equal('A\n');
    expect(kept('c1 15 c2 35 03 010203 35 02 0405'), 'transparent').to.equal('A\nB\n');
  });

  it('have all their room again in the next job, whichever limit was reached', () => {
    const limits = { pages: 3, lines: 4, transparentBytes: 4, positions: 20 };
    for (const [full, next, expected] of [
      // one page too many; as many as may be
      ['c1 0c c2 0c c3 0c', 'c1 0c c2 0c c3', 'A\n\fB\n\fC\n'],
      ['c1 15 c1 15 c1 15 c1 15 c1 15', 'c1 15 c1 15 c1 15 c1 15', 'A\nA\nA\nA\n'],
      [`${'c1'.repeat(21)} 15`, `${'c1'.repeat(20)} 15`, 'AAAAAAAAAAAAAAAAAAAA\n'],
      ['c1 35 03 010203 35 02 0405', 'c2 35 04 01020304', 'B\n'],
      // a job that has used all of the room, and not more
      ['c1 0c c2 0c c3', 'c1 0c c2 0c c3', 'A\n\fB\n\fC\n'],
      ['c1 15 c1 15 c1 15 c1 15', 'c1 15 c1 15 c1 15 c1 15', 'A\nA\nA\nA\n'],
      [`${'c1'.repeat(20)} 15`, `${'c1'.repeat(20)} 15`, 'AAAAAAAAAAAAAAAAAAAA\n'],
    ] as const) {
      const paper = new Paper(limits);
      printScs(full, 'cp037', paper);
      paper.takeTransparent();
      const { fault, pages } = printScs(next, 'cp037', paper);
      expect([fault, textOfPages(pages)], `after ${full}`).to.deep.equal([undefined, expected]);
    }
  });
});
