import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { withFileLock } from '../../../src/lib/files/file-lock.js';
import { need, skipUnless } from '../../support/need.js';
import { SmallDisk } from '../../support/small-disk.js';

const MEBIBYTE = 1_048_576;
const note = (subject: string) => ({ who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject });

/** Bytes that this process has read with system calls, as Linux counts them. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
}

describe('looks of health checks at the files of an audit trail', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-audit-looks-'));
    file = join(folder, 'audit.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** @returns the bytes of a long trail */
  async function filled(trail = new FileAuditTrail({ file })): Promise<number> {
    const long = 'x'.repeat(1_000);
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 1_200 }, () => trail.note(note(long))));
    }
    return readFileSync(file).length;
  }

  it('read what is new, and nothing again', async function () {
    need(this, process.platform === 'linux', 'only Linux counts what a process reads');
    const size = await filled();
    expect(size).to.be.greaterThan(3 * MEBIBYTE);
    const trail = new FileAuditTrail({ file });
    const read = async (look: () => Promise<unknown>) => {
      const before = bytesRead();
      await look();
      return bytesRead() - before;
    };
    expect(await read(() => trail.state())).to.be.greaterThan(size);
    for (const _ of [1, 2, 3]) {
      expect(await read(() => trail.fault())).to.be.lessThan(MEBIBYTE);
      await new FileAuditTrail({ file }).note(note('by another process'));
    }
    // and so does an entry of this process
    expect(await read(() => trail.note(note('own')))).to.be.lessThan(MEBIBYTE);
  });

  it('take no lock', async () => {
    const trail = new FileAuditTrail({ file });
    await trail.note(note('first'));
    await withFileLock(file, async () => {
      expect(await trail.fault()).to.equal(undefined);
      expect((await trail.state()).fault).to.equal(undefined);
    });
  });

  it('find a trail that was cut off, or whose last line was changed', async () => {
    const trail = new FileAuditTrail({ file });
    for (const subject of ['first', 'second', 'third']) await trail.note(note(subject));
    expect(await trail.fault()).to.equal(undefined);
    const whole = readFileSync(file, 'utf8');
    const lines = whole.split('\n');
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n`);
    expect(await trail.fault()).to.include('entries are missing');
    writeFileSync(file, whole.replace('"third"', '"other"'));
    expect(await trail.fault()).to.match(/replaced/);
    writeFileSync(file, whole);
    expect(await trail.fault()).to.equal(undefined);
    await trail.note(note('fourth'));
  });

  it('do not rely on lines that another process may take back, because it could not keep them', async () => {
    const trail = new FileAuditTrail({ file });
    await trail.note(note('first'));
    const { length } = readFileSync(file);
    const elsewhere = join(folder, 'elsewhere.jsonl');
    copyFileSync(file, elsewhere);
    await new FileAuditTrail({ file: elsewhere }).note(note('not kept'));
    writeFileSync(file, readFileSync(elsewhere));
    expect(await trail.fault()).to.equal(undefined);
    truncateSync(file, length);
    expect(await trail.fault()).to.equal(undefined);
    await trail.note(note('second'));
  });

  it('remember an entry that could not be written, until one is', async function () {
    const disk = SmallDisk.ifAllowed(1);
    skipUnless(this, disk !== undefined, 'no disk can be mounted');
    try {
      const trail = new FileAuditTrail({ file: join(disk?.folder ?? '', 'audit.jsonl') });
      await trail.note(note('first'));
      disk?.fill();
      const long = 'x'.repeat(20_000);
      expect(await trail.note(note(long)).catch(({ code }: { code: string }) => code)).to.equal(
        'SVC_ERR_AUDIT_UNAVAILABLE',
      );
      expect(await trail.fault()).to.match(/^an entry could not be written: .*ENOSPC/);
      disk?.empty();
      await trail.note(note(long));
      expect(await trail.fault()).to.equal(undefined);
    } finally {
      disk?.remove();
    }
  });
});
