import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { linesFromEnd } from '../../src/access/audit/audit-lines.js';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { withFileLock } from '../../src/lib/files/file-lock.js';
import { syncFolder } from '../../src/lib/files/replace-file.js';
import { skipUnless } from '../support/need.js';

const LARGEST_LINE_BYTES = 64 * 1024;

const TIMES = 50;

describe('files of the security room', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'verification of a trail': async () => verifyAuditTrail(join(folder, 'audit.jsonl')),
    'writing a folder to the disk': async () => syncFolder(folder),
    'a lock': async () => withFileLock(join(folder, 'users.yaml'), async () => {}),
  };
  for (const [name, work] of Object.entries(works)) {
    it(`${name} leaves none open`, async function () {
      skipUnless(this, process.platform === 'linux', 'open files are counted in /proc');
      await writeFile(join(folder, 'audit.jsonl'), '');
      const openFiles = () => readdirSync('/proc/self/fd').length;
      await work();
      const before = openFiles();
      // Node closes what nobody refers to any more, and says so
      let collected = 0;
      const onWarning = ({ message }: Error) => {
        if (message.includes('on garbage collection')) collected++;
      };
      process.on('warning', onWarning);
      for (let time = 0; time < TIMES; time++) await work();
      await new Promise(setImmediate);
      process.off('warning', onWarning);
      // others of this process may come and go meanwhile
      expect(openFiles() + collected).to.be.below(before + TIMES / 2);
    });
  }

  it('are read from their end past a line of the largest length, wherever a block of the file ends', async () => {
    // the last two lines are two blocks together, so that the largest line begins with its block
    const lines = ['first', 'A'.repeat(LARGEST_LINE_BYTES), 'B'.repeat(LARGEST_LINE_BYTES - 2)];
    const file = join(folder, 'audit.jsonl');
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    const handle = await open(file);
    try {
      const found: string[] = [];
      for await (const line of linesFromEnd(handle)) found.unshift(line.toString());
      expect(found.map((line) => `${line[0]} ${line.length}`)).to.deep.equal(['f 5', 'A 65536', 'B 65534']);
    } finally {
      await handle.close();
    }
  });
});
