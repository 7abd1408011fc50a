import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { LineInput } from '../../src/s3270/program/script-port.js';

describe('lines of scripts', () => {
  /** Written, and seen by whoever reads the lines. */
  async function write(stream: PassThrough, text: string): Promise<void> {
    const seen = once(stream, 'data');
    stream.write(text);
    await seen;
  }

  for (const [what, first, last] of [
    ['1,000 lines', 'a\n'.repeat(999), 'a\n'],
    ['65,536 characters', `${'a'.repeat(65_535)}\n`, 'a\n'],
  ] as const) {
    it(`are read on until ${what} wait, and again when they have been taken`, async () => {
      const stream = new PassThrough();
      const lines = new LineInput(stream, { mostCharacters: 1_000_000, isCutLeftOut: false });
      await write(stream, first);
      expect(stream.isPaused()).to.equal(false);
      await write(stream, last);
      expect(stream.isPaused()).to.equal(true);
      const count = first.split('\n').length;
      for (let at = 0; at < count; at++) expect(await lines.next()).to.match(/^a+$/);
      const further = lines.next();
      expect(stream.isPaused()).to.equal(false);
      stream.end('the last one');
      expect([await further, await lines.next()]).to.deep.equal(['the last one', undefined]);
    });
  }

  it('are read on in the middle of one that is longer than may wait, and end with one that is too long', async () => {
    const stream = new PassThrough();
    const lines = new LineInput(stream, { mostCharacters: 100_000, isCutLeftOut: false });
    for (let piece = 0; piece < 10; piece++) await write(stream, 'a'.repeat(10_000));
    expect(stream.isPaused()).to.equal(false);
    await write(stream, '\n');
    expect(await lines.next()).to.have.length(100_000);
    const further = lines.next();
    for (let piece = 0; piece < 10; piece++) await write(stream, 'a'.repeat(10_000));
    await write(stream, 'a');
    expect(await further).to.equal(undefined);
  });
});
