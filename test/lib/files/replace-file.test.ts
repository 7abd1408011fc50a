import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { removeHalfWritten, removeHalfWrittenOf, replaceFile, writerIn } from '../../../src/lib/files/replace-file.js';

describe('half-written files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-half-written-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('that another process removes during the sweep are no error', async () => {
    const name = 'settings.json.4000000000.new';
    writeFileSync(join(folder, name), '{');
    const kill = process.kill;
    // the sweep asks for the writer after it has seen the file: now the file goes
    process.kill = () => {
      rmSync(join(folder, name));
      throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
    };
    try {
      const swept = await removeHalfWritten(folder, (found) => writerIn(found, (file) => file === 'settings.json'));
      expect(swept).to.deep.equal([name]);
    } finally {
      process.kill = kill;
    }
    expect(existsSync(join(folder, name))).to.equal(false);
  });

  it('of one file may be removed by another process during the sweep', async () => {
    const names = Array.from({ length: 50 }, (_, at) => join(folder, `users.yaml.${at + 1}.new`));
    for (const name of names) writeFileSync(name, '');
    writeFileSync(join(folder, 'users.yaml'), 'whole');
    const sweep = removeHalfWrittenOf(join(folder, 'users.yaml'));
    // looked at in each turn of the event loop: the sweep has listed all files, and removed one
    while (names.every((name) => existsSync(name))) await nextTurn();
    expect(names.filter((name) => existsSync(name))).to.have.length.greaterThan(0);
    for (const name of names) rmSync(name, { force: true });
    await sweep;
    expect(readdirSync(folder)).to.deep.equal(['users.yaml']);
  });

  it('that cannot be made are reported with the fault of their making', async () => {
    const error: unknown = await replaceFile(join(folder, 'absent', 'users.yaml'), 'text').catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ code: 'ENOENT', syscall: 'open' });
  });

  it('are gone if the whole file cannot take its place', async () => {
    const error: unknown = await replaceFile(folder, 'text', 0o600, join(folder, 'users.yaml.1.new')).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ syscall: 'rename' });
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
