import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { AuditEntry, AuditLine } from '../../../src/access/audit/audit-entry.js';
import type { AuditKind } from '../../../src/access/audit/audit-kinds.js';
import { verifyAuditTrail } from '../../../src/access/audit/audit-verification.js';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { needCommand } from '../../support/need.js';

const moduleUrl = new URL('../../../src/access/audit/file-audit-trail.js', import.meta.url).href;
const zeros = '0'.repeat(64);
const newYear = Date.UTC(2027, 0, 1);
const entry: AuditEntry = { who: 'ADMIN', from: '192.0.2.7', what: 'user.added', subject: 'KOLB' };

/** What this process has read of files and sockets; nothing where the system does not tell. */
function bytesRead(): number {
  return existsSync('/proc/self/io') ? Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]) : 0;
}

describe('audit trail', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-audit-'));
    file = join(folder, 'audit.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const trail = () => new FileAuditTrail({ file, now: () => newYear });
  const linesOf = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const parsed = async () => (await linesOf()).map((line) => JSON.parse(line) as AuditLine);

  async function appended(count: number): Promise<string[]> {
    const appending = trail();
    for (let number = 1; number <= count; number += 1) await appending.append({ ...entry, subject: `USER${number}` });
    return linesOf();
  }

  async function failure(work: Promise<unknown>): Promise<Error> {
    return work.then(
      () => expect.fail('it did not fail'),
      (error: Error) => error,
    );
  }

  describe('append', () => {
    it('writes JSON lines in the documented form, for the owner alone, in a folder that it makes', async () => {
      file = join(folder, 'data', 'audit.jsonl');
      await trail().append({ ...entry, before: { role: 'user' }, after: { role: 'operator' } });
      await trail().append(entry);
      const [first = '', second = ''] = await linesOf();
      expect(first).to.equal(
        '{"sequence":1,"time":"2027-01-01T00:00:00.000Z","who":"ADMIN","from":"192.0.2.7","what":"user.added",' +
          `"subject":"KOLB","before":{"role":"user"},"after":{"role":"operator"},"previous":"${zeros}"}`,
      );
      const hash = createHash('sha256').update(first).digest('hex');
      expect(JSON.parse(second)).to.deep.equal({
        ...entry,
        sequence: 2,
        time: '2027-01-01T00:00:00.000Z',
        previous: hash,
      });
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
    });

    it('makes a chain that sed and openssl find whole', async function () {
      needCommand(this, 'sed');
      needCommand(this, 'openssl');
      await appended(5);
      let previous = zeros;
      for (const [index, line] of (await parsed()).entries()) {
        expect(line).to.include({ sequence: index + 1, previous });
        const command = `sed -n '${index + 1}p' "$1" | tr -d '\\n' | openssl dgst -sha256 -r | cut -c 1-64`;
        previous = spawnSync('sh', ['-c', command, 'sh', file], { encoding: 'utf8' }).stdout.trim();
      }
      expect(await verifyAuditTrail(file)).to.deep.equal({
        kind: 'unbroken',
        entries: 5,
        lastHash: previous,
        lastTime: '2027-01-01T00:00:00.000Z',
      });
    });

    it('keeps the order of the calls, and objects as they were then', async () => {
      const appending = trail();
      const after = { number: 0 };
      await Promise.all(
        Array.from({ length: 50 }, (_, number) => {
          after.number = number;
          return appending.append({ ...entry, after });
        }),
      );
      expect((await parsed()).map((line) => line.after)).to.deep.equal(
        Array.from({ length: 50 }, (_, number) => ({ number })),
      );
    });

    it('lets nothing in that a terminal obeys or that ends a line', async () => {
      const hostile = 'a\n\r\t\0\x1b[2J\x7f\x85\x9b\u061c\u200e\u2028\u2029\u202e\u2066\ud800"\\';
      await trail().append({
        who: hostile,
        from: hostile,
        what: hostile as AuditKind,
        subject: hostile,
        after: { [hostile]: hostile },
      });
      const text = await readFile(file, 'utf8');
      expect(text).to.match(/^[\x20-\x7e]*\n$/);
      expect((await parsed())[0]).to.include({ who: hostile, subject: hostile });
      expect(await verifyAuditTrail(file)).to.include({ entries: 1 });
    });

    it('writes no value under the name of a secret', async () => {
      const after = {
        password: 'swordfish',
        users: [{ passwordHash: ['swordfish'], PIN: 1234 }],
        passwordChanged: true,
      };
      await trail().append({ ...entry, before: { password: null }, after });
      const [line] = await parsed();
      expect(line?.before).to.deep.equal({ password: null });
      expect(line?.after).to.deep.equal({
        password: '(secret)',
        users: [{ passwordHash: '(secret)', PIN: '(secret)' }],
        passwordChanged: true,
      });
    });

    it('takes a line of 65,536 bytes, and leaves the larger value out of one of 65,537', async () => {
      await trail().append({ ...entry, before: 'B', after: '' });
      const room = 65_536 - ((await linesOf())[0] ?? '').length;
      for (const extra of [0, 1]) {
        await rm(file);
        await rm(`${file}.head`);
        await trail().append({ ...entry, before: 'B', after: 'x'.repeat(room + extra) });
        const [line] = await parsed();
        expect(line?.before).to.equal('B');
        expect(line?.after).to.deep.equal(extra === 0 ? 'x'.repeat(room) : { omitted: room + 1 + 2 });
        expect((await stat(file)).size).to.satisfy((size: number) => (extra === 0 ? size === 65_537 : size < 400));
        await trail().append(entry);
        expect(await verifyAuditTrail(file)).to.include({ entries: 2 });
      }
    });

    it('leaves both values out where neither fits, and counts their bytes', async () => {
      await trail().append({ ...entry, before: 'ä'.repeat(40_000), after: 'x'.repeat(70_000) });
      expect((await parsed())[0]).to.deep.include({ before: { omitted: 80_002 }, after: { omitted: 70_002 } });
    });

    it('takes texts of 1,000 characters, and cuts one of 1,001', async () => {
      await trail().append({
        who: 'w'.repeat(1001),
        from: 'f'.repeat(1000),
        what: '\0'.repeat(5000) as AuditKind,
        subject: '',
      });
      expect((await parsed())[0]).to.include({ who: `${'w'.repeat(999)}…`, from: 'f'.repeat(1000), subject: '' });
    });

    it('refuses what JSON cannot say, and writes nothing', async () => {
      expect(await failure(trail().append({ ...entry, after: 1n }))).to.be.instanceOf(TypeError);
      expect(await trail().latest(1)).to.deep.equal([]);
    });

    it('goes on after an append that failed', async () => {
      await writeFile(file, 'no entry\n');
      const appending = trail();
      await failure(appending.append(entry));
      await rm(file);
      await appending.append(entry);
      expect(await verifyAuditTrail(file)).to.include({ entries: 1 });
    });

    for (const torn of ['', '{"sequence":2,"ti']) {
      it(`writes nothing where others wrote meanwhile, who had taken over its lock${torn && ', to a torn line either'}`, async () => {
        const [line] = await appended(1);
        await writeFile(file, torn, { flag: 'a' });
        const suspended = new FileAuditTrail({
          file,
          now: () => {
            appendFileSync(file, 'of others');
            return newYear;
          },
        });
        expect((await failure(suspended.append(entry))).message).to.equal(
          `${file}: changed by others while an entry was written`,
        );
        expect(await readFile(file, 'utf8'))
          .to.match(new RegExp(`\\n${torn}(of others)+$`))
          .and.contain(line);
      });
    }

    const noTrails: readonly [string, string, RegExp][] = [
      ['text', 'users:\n  admin\n', /it is not JSON$/],
      ['other JSON', '{"level":30}\n', /it is not an audit entry$/],
      ['an empty line', '\n', /it is not JSON$/],
      ['a line of 65,537 bytes', `${'x'.repeat(65_537)}\n`, /it is longer than 65536 bytes$/],
      ['65,537 bytes without a line end', 'x'.repeat(65_537), /it is longer than 65536 bytes$/],
    ];
    for (const [what, content, reason] of noTrails) {
      it(`refuses to append to ${what}, and changes nothing`, async () => {
        await writeFile(file, content);
        const { message } = await failure(trail().append(entry));
        expect(message).to.contain(`${file}: nothing is appended: its last line is not an entry: `).and.match(reason);
        expect(await readFile(file, 'utf8')).to.equal(content);
      });
    }
  });

  describe('a torn last line', () => {
    it('is cut off at every length, said to have been, and kept in what says so', async () => {
      const whole = Buffer.from(`${(await appended(3)).join('\n')}\n`);
      const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
      for (let length = 1; length < whole.length - start; length += 1) {
        await writeFile(file, whole.subarray(0, start + length));
        // who was killed had not written that it was there
        await rm(`${file}.head`, { force: true });
        await trail().append(entry);
        const lines = await parsed();
        expect(lines).to.have.length(4);
        expect(lines[2]).to.deep.include({
          sequence: 3,
          what: 'trail.repaired',
          subject: 'audit.jsonl',
          before: whole.toString('utf8', start, start + length),
          after: { droppedBytes: length },
        });
        expect(lines[3]).to.include({ ...entry, sequence: 4 });
        expect(await verifyAuditTrail(file)).to.include({ entries: 4 });
      }
    });

    it('is cut off where it is the first, and where a power failure filled it with zeros', async () => {
      await writeFile(file, '{"sequence":1,"ti');
      await trail().append(entry);
      expect((await parsed()).map(({ what }) => what)).to.deep.equal(['trail.repaired', 'user.added']);
      await writeFile(file, Buffer.alloc(65_536), { flag: 'a' });
      await trail().append(entry);
      expect((await parsed())[2]).to.deep.include({ what: 'trail.repaired', after: { droppedBytes: 65_536 } });
      expect(await verifyAuditTrail(file)).to.include({ entries: 4 });
    });

    it('is found by verification, at whatever length, and not shown by latest', async () => {
      const lines = (await appended(3)).join('\n');
      const start = lines.lastIndexOf('\n') + 1;
      const lengths = Array.from({ length: lines.length - start }, (_, index) => index + 1);
      const results = await Promise.all(
        lengths.map(async (length) => {
          const torn = join(folder, `${length}.jsonl`);
          await writeFile(torn, lines.slice(0, start + length));
          expect(await new FileAuditTrail({ file: torn }).latest(10)).to.have.length(2);
          return verifyAuditTrail(torn);
        }),
      );
      for (const result of results) {
        expect(result).to.have.nested.property('fault.line', 3);
        expect(result)
          .to.have.nested.property('fault.reason')
          .that.matches(/^it has no end: /);
      }
    });

    it('is waited for where it is being written', async () => {
      const text = `${(await appended(2)).join('\n')}\n`;
      await writeFile(file, text.slice(0, -40));
      const verifying = verifyAuditTrail(file);
      await pause(80);
      await writeFile(file, text.slice(-40), { flag: 'a' });
      expect(await verifying).to.include({ entries: 2 });
    });
  });

  describe('several processes', () => {
    const appendingProcess = (code: string, ...args: string[]) =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { FileAuditTrail } from '${moduleUrl}'; const [file, name] = process.argv.slice(1);
          const trail = new FileAuditTrail({ file }); ${code}`,
          file,
          ...args,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );

    it('append 100 entries each at once: 300 entries, unbroken, each in its order', async () => {
      const code = `for (let number = 0; number < 100; number++)
        await trail.append({ who: name, from: 'test', what: 'number', subject: String(number) });`;
      const codes = await Promise.all(
        ['A', 'B', 'C'].map(async (name) => (await once(appendingProcess(code, name), 'exit'))[0]),
      );
      expect(codes).to.deep.equal([0, 0, 0]);
      expect(await verifyAuditTrail(file)).to.include({ entries: 300 });
      const lines = await parsed();
      for (const name of ['A', 'B', 'C']) {
        const numbers = lines.filter(({ who }) => who === name).map(({ subject }) => Number(subject));
        expect(numbers).to.deep.equal(Array.from({ length: 100 }, (_, number) => number));
      }
    });

    it('lose nothing that was confirmed when they are killed, and leave a trail that goes on', async () => {
      const code = `for (let number = 1; ; number++) {
        await trail.append({ who: name, from: 'test', what: 'number', subject: String(number), after: 'x'.repeat(20_000) });
        process.stdout.write(number + '\\n');
      }`;
      for (let round = 0; round < 6; round += 1) {
        const child = appendingProcess(code, `round ${round}`);
        let printed = '';
        child.stdout.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
        });
        await once(child.stdout, 'data');
        await pause(round * 7);
        child.kill('SIGKILL');
        await once(child, 'close');
        const confirmed = printed.split('\n').slice(0, -1).length;
        await trail().append(entry);
        const ofRound = (await parsed()).filter(({ who }) => who === `round ${round}`);
        expect(ofRound.length).to.be.within(confirmed, confirmed + 1);
        expect(await verifyAuditTrail(file)).to.not.have.property('fault');
      }
    });
  });

  describe('latest', () => {
    it('gives the newest first, page by page', async () => {
      expect(await trail().latest(5)).to.deep.equal([]);
      await appended(7);
      const all = (await parsed()).reverse();
      expect(await trail().latest(7)).to.deep.equal(all);
      expect(await trail().latest(1000)).to.deep.equal(all);
      expect(await trail().latest(3)).to.deep.equal(all.slice(0, 3));
      expect(await trail().latest(3, { before: 5 })).to.deep.equal(all.slice(3, 6));
      expect(await trail().latest(3, { before: 2 })).to.deep.equal(all.slice(6));
      expect(await trail().latest(3, { before: 1 })).to.deep.equal([]);
    });

    it('finds lines however they lie across blocks', async () => {
      const appending = trail();
      for (let number = 0; number < 12; number += 1) {
        await appending.append({ ...entry, subject: `${number}`, after: 'x'.repeat(number * 5_500) });
      }
      expect((await appending.latest(12)).map(({ subject }) => Number(subject))).to.deep.equal(
        Array.from({ length: 12 }, (_, index) => 11 - index),
      );
    });

    it('gives 1,000 at the most, and refuses other counts', async () => {
      for (const count of [0, 1001, 1.5, Number.NaN, -1]) {
        expect(await failure(trail().latest(count))).to.be.instanceOf(RangeError);
      }
      expect(await trail().latest(1000)).to.deep.equal([]);
    });

    it('refuses a line that is no entry', async () => {
      const lines = await appended(2);
      await writeFile(file, `${lines[0]}\nno entry\n${lines[1]}\n`);
      expect(await trail().latest(1)).to.have.length(1);
      expect((await failure(trail().latest(2))).message).to.equal(`${file}: a line is broken: it is not JSON`);
    });

    it('does not read a file of 1 GiB, nor does an append; verification gives up at the first line', async () => {
      const [line = ''] = await appended(1);
      const handle = await open(file, 'w');
      await handle.truncate(1024 ** 3);
      await handle.close();
      await writeFile(file, `\n${line}\n`, { flag: 'a' });
      const before = bytesRead();
      expect(await trail().latest(1)).to.have.length(1);
      await trail().append(entry);
      expect((await trail().latest(2)).map(({ sequence }) => sequence)).to.deep.equal([2, 1]);
      expect((await failure(trail().latest(3))).message).to.contain('it is longer than 65536 bytes');
      expect(await verifyAuditTrail(file)).to.deep.equal({
        kind: 'broken',
        fault: { line: 1, reason: 'it is longer than 65536 bytes' },
      });
      expect(bytesRead() - before).to.be.below(64 * 1024 ** 2);
    });
  });
});
