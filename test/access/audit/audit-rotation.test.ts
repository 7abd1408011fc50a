import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditEntry, AuditLine } from '../../../src/access/audit/audit-entry.js';
import { archivesOf } from '../../../src/access/audit/audit-files.js';
import { removeOldestFile } from '../../../src/access/audit/audit-retention.js';
import type { AuditTrail } from '../../../src/access/audit/audit-trail.js';
import { verifyAuditTrail } from '../../../src/access/audit/audit-verification.js';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';

const MOST_LATEST_LINES = 1000;

const moduleUrl = new URL('../../../src/access/audit/file-audit-trail.js', import.meta.url).href;
const ROTATE_BYTES = 2_000;
const DAY = 24 * 3_600_000;
const newYear = Date.UTC(2027, 0, 1);
const note = (subject: string) => ({ who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject });

describe('an audit trail of several files', () => {
  let folder: string;
  let file: string;
  let now: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-audit-files-'));
    file = join(folder, 'audit.jsonl');
    now = newYear;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const trail = () => new FileAuditTrail({ file, rotateBytes: ROTATE_BYTES, now: () => now });
  const names = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  const verified = () => verifyAuditTrail(file);
  const fault = async () => {
    const outcome = await verified();
    return outcome.kind === 'broken' ? outcome.fault : undefined;
  };

  async function filled(count: number, appending = trail()): Promise<FileAuditTrail> {
    for (let number = 1; number <= count; number++) await appending.note(note(`${number}`));
    return appending;
  }
  const subjects = async (appending: FileAuditTrail) =>
    (await appending.latest(MOST_LATEST_LINES))
      .filter(({ what }) => what === 'data.backedUp')
      .map(({ subject }) => subject);
  const countdown = (from: number) => Array.from({ length: from }, (_, at) => `${from - at}`);

  it('begins another one at its size, each anchored in the next, and is listed and verified as one', async () => {
    const appending = await filled(60);
    expect(names().length).to.be.greaterThan(4);
    expect(names()).to.include('audit-000000000001.jsonl');
    const outcome = await verified();
    expect(outcome).to.include({ kind: 'unbroken' }).and.not.have.property('first');
    const archives = await archivesOf(file);
    for (const { path, first } of archives.slice(1)) {
      const [line = ''] = readFileSync(path, 'utf8').split('\n');
      const entry = JSON.parse(line) as AuditLine;
      expect(entry).to.deep.include({ sequence: first, what: 'trail.continued' });
      expect(entry.before).to.deep.equal({ last: first - 1, lastHash: entry.previous });
      expect((await verifyAuditTrail(path)).kind).to.equal('unbroken');
    }
    expect(await subjects(appending)).to.deep.equal(countdown(60));
    const [newest] = await appending.latest(1, { before: 20 });
    expect(newest?.sequence).to.equal(19);
    expect(await trail().state()).to.deep.equal({ fault: undefined, unfinished: [] });
  });

  it('keeps the outcome of a change with its intent, whatever lies between them', async () => {
    const appending = trail();
    await appending.record(note('change'), async () => {
      await filled(30, appending);
      expect((await appending.latest(MOST_LATEST_LINES)).find(({ subject }) => subject === 'change')?.stage).to.equal(
        'intended',
      );
    });
    const found = (await appending.latest(MOST_LATEST_LINES)).filter(({ subject }) => subject === 'change');
    expect(found.map(({ stage }) => stage)).to.deep.equal(['done']);
    expect(await verified()).to.not.have.property('unfinished');
  });

  for (const [what, make] of [
    ['before another file is there', () => {}],
    ['when another file is empty', () => writeFileSync(file, '')],
    ['in the middle of its first line', () => writeFileSync(file, '{"sequence":')],
  ] as const) {
    it(`goes on where the process was killed ${what}`, async () => {
      await filled(5);
      renameSync(file, join(folder, 'audit-000000000001.jsonl'));
      make();
      const next = trail();
      expect((await next.state()).fault).to.equal(undefined);
      expect((await next.head())?.sequence).to.equal(5);
      await next.note(note('6'));
      expect(await verified()).to.include({ kind: 'unbroken' });
      expect(await subjects(next)).to.deep.equal(countdown(6));
    });
  }

  describe('that several processes write', () => {
    const appendingProcess = (code: string, name: string) =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { FileAuditTrail } from '${moduleUrl}'; const [file, name] = process.argv.slice(1);
          const trail = new FileAuditTrail({ file, rotateBytes: ${ROTATE_BYTES} });
          const note = (number) => trail.note({ who: name, from: 'test', what: 'data.backedUp', subject: String(number) });
          ${code}`,
          file,
          name,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
    const ofAll = (who: string) =>
      names().flatMap((name) =>
        lines(name)
          .map((line) => JSON.parse(line) as AuditLine)
          .filter((line) => line.who === who)
          .map(({ subject }) => Number(subject)),
      );

    it('has every entry of each, in its order', async () => {
      const code = 'for (let number = 0; number < 60; number++) await note(number);';
      const codes = await Promise.all(
        ['A', 'B', 'C'].map(async (name) => (await once(appendingProcess(code, name), 'exit'))[0]),
      );
      expect(codes).to.deep.equal([0, 0, 0]);
      expect(await fault()).to.equal(undefined);
      for (const name of ['A', 'B', 'C']) {
        expect(ofAll(name).sort((one, other) => one - other)).to.deep.equal(Array.from({ length: 60 }, (_, at) => at));
      }
    });

    it('loses nothing that was confirmed when they are killed', async () => {
      const code = "for (let number = 1; ; number++) { await note(number); process.stdout.write(number + '\\n'); }";
      for (let round = 0; round < 6; round++) {
        const child = appendingProcess(code, `round ${round}`);
        let printed = '';
        child.stdout.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
        });
        const countConfirmed = () => printed.split('\n').length - 1;
        while (countConfirmed() < 20 + round) await once(child.stdout, 'data');
        child.kill('SIGKILL');
        await once(child, 'close');
        const confirmed = countConfirmed();
        await trail().note(note('x'));
        expect(ofAll(`round ${round}`).length).to.be.within(confirmed, confirmed + 1);
        expect(await fault()).to.equal(undefined);
      }
      expect(names().length).to.be.greaterThan(3);
    });
  });

  describe('whose files are old', () => {
    const remove = (appending: FileAuditTrail, days: number) =>
      removeOldestFile(appending, { file, before: now - days * DAY });
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => expect.fail('it did not fail'),
        (error: Error) => error.message,
      );

    it('loses the oldest one, one at a time and on record, and is unbroken from there on', async () => {
      const appending = await filled(30);
      const before = names();
      now += 10 * DAY;
      expect(await remove(appending, 10)).to.equal(undefined);
      now += 1;
      expect(await remove(appending, 10)).to.equal('audit-000000000001.jsonl');
      expect(names()).to.deep.equal(before.filter((name) => name !== 'audit-000000000001.jsonl'));
      const [entry] = await appending.latest(1);
      expect(entry).to.deep.include({ what: 'trail.removed', subject: 'audit-000000000001.jsonl', stage: 'done' });
      const [archive] = await archivesOf(file);
      expect(await verified()).to.include({ kind: 'unbroken', first: archive?.first });
      await filled(1, appending);
      expect((await trail().state()).fault).to.equal(undefined);
      // all that is archived, and then the current file alone
      while ((await archivesOf(file)).length > 0) {
        now += 11 * DAY;
        await remove(appending, 10);
      }
      expect(names()).to.deep.equal(['audit.jsonl']);
      expect(await verified()).to.include({ kind: 'unbroken' });
      await trail().note(note('goes on'));
      expect(await fault()).to.equal(undefined);
    });

    for (const [what, hasRemoved] of [
      ['before it has removed one', false],
      ['when it has, and not said so yet', true],
    ] as const) {
      it(`is unbroken where the process was killed ${what}, and the next one goes on`, async () => {
        const appending = await filled(30);
        now += 11 * DAY;
        // as where the process was killed there: it goes on for ever
        await new Promise<void>((resolve, reject) => {
          const killed: AuditTrail = Object.create(appending, {
            record: {
              value: (entry: AuditEntry, unlink: () => Promise<void>) =>
                appending.record(entry, async () => {
                  if (hasRemoved) await unlink();
                  resolve();
                  return new Promise(() => {});
                }),
            },
          });
          removeOldestFile(killed, { file, before: now - 10 * DAY }).catch(reject);
        });
        expect(names().includes('audit-000000000001.jsonl')).to.equal(!hasRemoved);
        const next = trail();
        const { fault: trouble, unfinished } = await next.state();
        expect(trouble).to.equal(undefined);
        expect(unfinished.map(({ subject }) => subject)).to.deep.equal(['audit-000000000001.jsonl']);
        const outcome = await verified();
        expect(outcome).to.include({ kind: 'unbroken' });
        expect(outcome).to.have.property('unfinished').with.length(1);
        await next.note(note('goes on'));
        const oldest = names()[0];
        expect(await remove(next, 10)).to.equal(oldest);
        expect(names()).to.not.include(oldest);
        expect(await fault()).to.equal(undefined);
      });
    }

    it('keeps one that the file after it does not go on from, and one that was changed', async () => {
      const appending = await filled(30);
      now += 11 * DAY;
      const [oldest, second] = (await archivesOf(file)).map(({ path }) => path);
      const untouched = readFileSync(oldest ?? '', 'utf8');
      writeFileSync(oldest ?? '', untouched.replace('"subject":"2"', '"subject":"9"'));
      expect(await failure(remove(appending, 10))).to.match(/line 3: its hash of the previous line does not match/);
      writeFileSync(oldest ?? '', untouched);
      rmSync(second ?? '');
      expect(await failure(remove(appending, 10))).to.match(
        /its first entry should be|the next file does not continue it/,
      );
      expect(names()).to.include('audit-000000000001.jsonl');
    });
  });

  describe('of which something is missing', () => {
    it('is found to be broken: the first file, one in the middle, the current one, its end', async () => {
      const appending = await filled(40);
      const archives = (await archivesOf(file)).map(({ path }) => path);
      const remaining = lines('audit.jsonl');
      const troubles: readonly (readonly [string, (aside: string) => void])[] = [
        [archives[0] ?? '', (path) => renameSync(path, `${path}.aside`)],
        [archives[2] ?? '', (path) => renameSync(path, `${path}.aside`)],
        [file, (path) => renameSync(path, `${path}.aside`)],
      ];
      for (const [path, hide] of troubles) {
        hide(path);
        expect(await fault(), path)
          .to.have.property('reason')
          .that.matches(/expected sequence|cut off/);
        renameSync(`${path}.aside`, path);
        expect(await fault()).to.equal(undefined);
      }
      writeFileSync(file, `${remaining.slice(0, -1).join('\n')}\n`);
      expect((await fault())?.reason).to.match(/which was the last by .*audit\.jsonl\.head: .* the rest was cut off$/);
      // neither does another process, which has never seen the last entry, go on
      expect(await appending.note(note('x')).catch((error: Error) => error.message)).to.match(
        /audit trail cannot be written/,
      );
      expect((await trail().state()).fault).to.match(/entries are missing/);
      expect(
        await trail()
          .note(note('x'))
          .catch((error: Error) => error.message),
      ).to.match(/audit trail cannot be written/);
    });
  });
});
