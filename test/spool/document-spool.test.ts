import { expect } from 'chai';
import type { PrintedPage } from '../../src/print/printed-page.js';
import { DocumentSpool } from '../../src/spool/document-spool.js';

const page = (text: string): PrintedPage => [[{ column: 0, text, style: 0 }]];
const facts = (number: number, printed = 0) => ({ number, printed, pages: 1, isComplete: true });
/** Bytes of the JSON of a page of one character. */
const BYTES = JSON.stringify([page('A')]).length;

describe('DocumentSpool', () => {
  it('keeps as many as it may; those that were opened make room, the others do not', () => {
    const spool = new DocumentSpool({ documents: 2, bytes: 1_000, milliseconds: 1_000 }, () => 0);
    expect([spool.add(facts(1), [page('A')]), spool.add(facts(2), [page('B')])]).to.deep.equal([true, true]);
    expect([spool.hasRoom, spool.add(facts(3), [page('C')])]).to.deep.equal([false, false]);
    expect(spool.read(1)).to.deep.equal({ facts: facts(1), pages: [page('A')] });
    expect([spool.hasRoom, spool.add(facts(3), [page('C')])]).to.deep.equal([true, true]);
    expect(spool.list().map(({ number }) => number)).to.deep.equal([3, 2]);
    expect(spool.read(1)).to.equal(undefined);
  });

  it('takes as many bytes as it may, and not one more', () => {
    const spool = new DocumentSpool({ documents: 10, bytes: 2 * BYTES, milliseconds: 1_000 }, () => 0);
    expect(spool.add(facts(1), [page('A')])).to.equal(true);
    expect(spool.add(facts(2), [page('AB')])).to.equal(false);
    expect(spool.add(facts(2), [page('B')])).to.equal(true);
    expect(spool.hasRoom).to.equal(false);
  });

  it('removes what is too old, and nothing before', () => {
    let now = 0;
    const spool = new DocumentSpool({ documents: 10, bytes: 1_000, milliseconds: 1_000 }, () => now);
    spool.add(facts(1), [page('A')]);
    now = 1_000;
    expect(spool.list()).to.have.length(1);
    now = 1_001;
    expect([spool.list(), spool.read(1)]).to.deep.equal([[], undefined]);
  });

  it('tells whoever watches, until he leaves', () => {
    const spool = new DocumentSpool({ documents: 10, bytes: 1_000, milliseconds: 1_000 }, () => 0);
    const told: number[] = [];
    const leave = spool.watch(({ number }) => told.push(number));
    spool.add(facts(1), [page('A')]);
    leave();
    spool.add(facts(2), [page('B')]);
    expect(told).to.deep.equal([1]);
  });
});
