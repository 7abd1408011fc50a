import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { AuditEntry, AuditLine } from '../../../src/access/audit/audit-entry.js';
import { verifyAuditTrail } from '../../../src/access/audit/audit-verification.js';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { silentLog } from '../../../src/lib/log/log.js';

const moduleUrl = (name: string) => new URL(`../../../src/${name}.js`, import.meta.url).href;
const entry: AuditEntry = { who: 'ADMIN', from: '192.0.2.7', what: 'user.changed', subject: 'user KOLB' };
const facts = { before: { role: 'user' }, after: { role: 'operator' } };

describe('changes in the audit trail', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-record-'));
    file = join(folder, 'audit.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const linesOf = async () =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditLine);

  async function refusalOf(trail: FileAuditTrail): Promise<ServiceError> {
    let isMade = false;
    const error = await trail
      .record(entry, async () => {
        isMade = true;
      })
      .then(
        () => expect.fail('it was not refused'),
        (reason: unknown) => reason,
      );
    expect(error).to.be.instanceOf(ServiceError).and.have.property('code', 'SVC_ERR_AUDIT_UNAVAILABLE');
    expect(isMade, 'nothing was changed').to.equal(false);
    return error as ServiceError;
  }

  it('are there before they are made, with what is meant, and afterwards with what was done', async () => {
    const trail = new FileAuditTrail({ file });
    const result = await trail.record({ ...entry, ...facts }, async () => {
      const [intent] = await linesOf();
      expect(intent).to.deep.include({ ...entry, ...facts, sequence: 1, stage: 'intended' });
      return 'made';
    });
    expect(result).to.equal('made');
    const [, done] = await linesOf();
    expect(done).to.deep.include({ ...entry, ...facts, sequence: 2, stage: 'done', intent: 1 });
    expect(await verifyAuditTrail(file))
      .to.include({ entries: 2 })
      .and.not.have.property('unfinished');
  });

  it('say that they failed, and why', async () => {
    const failing = new FileAuditTrail({ file }).record({ ...entry, ...facts }, () =>
      Promise.reject(new Error('no disk')),
    );
    expect(await failing.catch((error: Error) => error.message)).to.equal('no disk');
    const [, failed] = await linesOf();
    expect(failed).to.deep.include({ ...entry, stage: 'failed', intent: 1, after: { failed: 'no disk' } });
    expect(await verifyAuditTrail(file)).to.not.have.property('unfinished');
  });

  it('have an entry for each thing that they bring along', async () => {
    const group = { ...entry, what: 'group.added' as const, subject: 'group OPS' };
    await new FileAuditTrail({ file }).record(entry, async () => {}, [group]);
    expect((await linesOf()).map(({ what, stage }) => `${what} ${stage}`)).to.deep.equal([
      'user.changed intended',
      'group.added done',
      'user.changed done',
    ]);
  });

  it('are listed once: an intent only where it has no outcome', async () => {
    const trail = new FileAuditTrail({ file });
    await trail.record(entry, async () => {});
    await trail.record(entry, async () => {
      expect((await trail.latest(10)).map(({ sequence }) => sequence)).to.deep.equal([3, 2]);
    });
    expect((await trail.latest(10)).map(({ sequence }) => sequence)).to.deep.equal([4, 2]);
    expect((await trail.latest(10, { before: 4 })).map(({ sequence }) => sequence)).to.deep.equal([2]);
  });

  describe('are refused, and not made,', () => {
    it('where there is a folder in the place of the trail', async () => {
      await mkdir(file);
      const refused: unknown[] = [];
      const { detail, description } = await refusalOf(
        new FileAuditTrail({ file, onRefused: (error) => refused.push(error) }),
      );
      expect(detail).to.include('EISDIR');
      expect(description.status).to.equal(503);
      expect(refused, 'the log is told').to.have.length(1);
    });

    it('where the disk is full', async () => {
      await symlink('/dev/full', file);
      expect((await refusalOf(new FileAuditTrail({ file }))).detail).to.include('ENOSPC');
    });

    const damages: readonly (readonly [what: string, damage: (text: string) => string, says: RegExp])[] = [
      [
        'a line was changed',
        (text) => text.replace('"subject":"2"', '"subject":"9"'),
        /line 3: its hash of the previous line/,
      ],
      ['a line was removed', (text) => text.replace(/.*\n/, ''), /line 1: expected sequence 1, found 2/],
      ['the last line is not an entry', (text) => `${text}nonsense\n`, /its last line is not an entry: it is not JSON/],
      ['a line in between is not an entry', (text) => text.replace(/\n/, '\nnonsense\n'), /line 2: it is not JSON/],
    ];
    for (const [what, damage, says] of damages) {
      it(`where ${what}, by this process and the next`, async () => {
        const trail = new FileAuditTrail({ file });
        for (const subject of ['1', '2', '3']) await trail.append({ ...entry, subject });
        const text = damage(await readFile(file, 'utf8'));
        await writeFile(file, text);
        expect((await refusalOf(new FileAuditTrail({ file }))).detail).to.match(says);
        expect((await new FileAuditTrail({ file }).state()).fault).to.match(says);
        expect(await readFile(file, 'utf8'), 'nothing is appended').to.equal(text);
      });
    }

    it('where entries that this process knows were cut off, or replaced', async () => {
      const trail = new FileAuditTrail({ file });
      for (const subject of ['1', '2']) await trail.note({ ...entry, subject });
      const text = await readFile(file, 'utf8');
      await truncate(file, text.indexOf('\n') + 1);
      expect((await refusalOf(trail)).detail).to.match(/entries are missing/);
      await writeFile(file, text.replace('"subject":"2"', '"subject":"9"'));
      expect((await refusalOf(trail)).detail).to.match(/its last line was replaced/);
      await writeFile(file, text);
      await trail.record(entry, async () => {});
      expect(await verifyAuditTrail(file)).to.include({ entries: 4 });
    });
  });

  it('whose outcome cannot be written are told of, and the next entry brings it along', async () => {
    const late: unknown[] = [];
    const trail = new FileAuditTrail({ file, onOutcomeLate: (error) => late.push(error) });
    const text = await trail.record(entry, async () => {
      const written = await readFile(file);
      await rm(file);
      await mkdir(file);
      return written;
    });
    expect(late).to.have.length(1);
    await refusalOf(trail);
    await rm(file, { recursive: true });
    await writeFile(file, text);
    expect((await verifyAuditTrail(file)) as object).to.have.nested.property('unfinished[0].sequence', 1);
    await trail.record({ ...entry, subject: 'user NEXT' }, async () => {});
    expect((await linesOf()).map(({ subject, stage, intent }) => [subject, stage, intent])).to.deep.equal([
      ['user KOLB', 'intended', undefined],
      ['user KOLB', 'done', 1],
      ['user NEXT', 'intended', undefined],
      ['user NEXT', 'done', 3],
    ]);
  });

  it('go on where others append in between', async () => {
    const [one, other] = [new FileAuditTrail({ file }), new FileAuditTrail({ file })];
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([one.record(entry, async () => {}), other.record(entry, async () => {})]);
    }
    expect(await verifyAuditTrail(file))
      .to.include({ entries: 12 })
      .and.not.have.property('unfinished');
  });

  it('are followed back 16 MiB by who appends, and to the beginning by verification', async () => {
    const trail = new FileAuditTrail({ file });
    const after = 'x'.repeat(60_000);
    const most = (16 * 1024 * 1024) / 60_000;
    for (let number = 0; number < 3; number += 1) await trail.append({ ...entry, subject: `${number}`, after });
    const [first = ''] = (await readFile(file, 'utf8')).split('\n', 1);
    for (let number = 3; number < most + 5; number += 1) await trail.append({ ...entry, after });
    const text = (await readFile(file, 'utf8')).replace(first, first.replace('"subject":"0"', '"subject":"9"'));
    await writeFile(file, text);
    await new FileAuditTrail({ file }).record(entry, async () => {});
    expect(await verifyAuditTrail(file)).to.have.nested.property('fault.line', 2);
  });

  describe('of a process that is killed', () => {
    const run = (code: string) =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { FileAuditTrail } from '${moduleUrl('access/audit/file-audit-trail')}';
           import { UserAdministration } from '${moduleUrl('access/users/user-administration')}';
           import { FileUserStore } from '${moduleUrl('access/users/file-user-store')}';
           import { silentLog } from '${moduleUrl('lib/log/log')}';
           const [folder] = process.argv.slice(1);
           const trail = new FileAuditTrail({ file: folder + '/audit.jsonl' });
           const users = new FileUserStore({ file: folder + '/security.yaml', log: silentLog, lockAfter: 5, lockMinutes: 5 });
           await users.open();
           const actor = { who: 'ADMIN', from: '192.0.2.7' };
           ${code}`,
          folder,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );

    it('between intent and outcome are told by verification and by the state of the trail', async () => {
      const child = run(`await trail.append({ ...actor, what: 'user.added', subject: 'user KOLB' });
        await trail.record({ ...actor, what: 'user.changed', subject: 'user KOLB' }, () => {
          process.stdout.write('in between');
          return new Promise(() => setInterval(() => {}, 1000));
        });`);
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'close');
      const expected = { sequence: 2, stage: 'intended', what: 'user.changed', subject: 'user KOLB' };
      const { fault, unfinished } = await new FileAuditTrail({ file }).state();
      expect([fault, unfinished.length]).to.deep.equal([undefined, 1]);
      expect(unfinished[0]).to.include(expected);
      const verified = (await verifyAuditTrail(file)) as { unfinished: readonly AuditLine[] };
      expect(verified.unfinished).to.have.length(1);
      expect(verified.unfinished[0]).to.include(expected);
    });

    it('whenever that is have at least their intent in the trail', async () => {
      const code = `for (let number = 0; ; number++) {
        await new UserAdministration(users, trail).addGroup(actor, 'G' + process.pid + '-' + number);
        process.stdout.write('.');
      }`;
      for (let round = 0; round < 6; round += 1) {
        const child = run(code);
        await once(child.stdout, 'data');
        await pause(round * 3);
        child.kill('SIGKILL');
        await once(child, 'close');
      }
      await appendFile(file, '');
      const users = new FileUserStore({
        file: join(folder, 'security.yaml'),
        log: silentLog,
        lockAfter: 5,
        lockMinutes: 5,
      });
      await users.open();
      await new FileAuditTrail({ file }).append(entry);
      const lines = await linesOf();
      const intended = new Set(lines.filter(({ stage }) => stage === 'intended').map(({ subject }) => subject));
      const done = lines.filter(({ stage }) => stage === 'done').map(({ subject }) => subject);
      const groups = (await users.groups()).map((name) => `group ${name}`);
      expect(groups.length).to.be.at.least(6);
      for (const group of groups) expect(intended.has(group), group).to.equal(true);
      for (const group of done) expect(groups, 'what is said to be done is').to.include(group);
      const verified = (await verifyAuditTrail(file)) as { unfinished?: readonly AuditLine[] };
      const open = new Set(verified.unfinished?.map(({ subject }) => subject));
      for (const subject of intended) expect(open.has(subject), subject).to.equal(!done.includes(subject));
    });
  });
});
