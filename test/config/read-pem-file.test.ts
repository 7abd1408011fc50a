import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPemFile } from '../../src/config/read-pem-file.js';
import { openLine } from '../scenarios/outbound/outbound-fixture.js';

const LARGEST_PEM_BYTES = 1_048_576;

describe('a PEM file', () => {
  let folder: string;
  const fileOf = (bytes: number) => {
    const file = join(folder, `${bytes}.pem`);
    writeFileSync(file, 'x'.repeat(bytes));
    return file;
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-pem-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is read whole, up to 1 MiB', () => {
    for (const bytes of [0, 5, 1_048_576]) {
      expect(readPemFile(fileOf(bytes)).toString() === 'x'.repeat(bytes), String(bytes)).to.equal(true);
    }
  });

  it('of one byte more is refused, and the line that names it does not start', () => {
    const file = fileOf(LARGEST_PEM_BYTES + 1);
    expect(() => readPemFile(file)).to.throw(`${file}: expected at most 1048576 bytes`);
    expect(() => openLine({ tls: { ca: file } })).to.throw(`line O-HTTP: tls.ca: cannot read ${file}`);
  });

  it('that is a folder, or is not there, is refused', () => {
    expect(() => readPemFile(folder)).to.throw('EISDIR');
    expect(() => readPemFile(join(folder, 'none.pem'))).to.throw('ENOENT');
  });
});
