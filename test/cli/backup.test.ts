import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { FileSettingsStore } from '../../src/access/users/file-settings-store.js';
import { snapshotData } from '../../src/cli/backup/data-snapshot.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { openUsers } from '../../src/config/open-users.js';
import { withFileLock } from '../../src/lib/files/file-lock.js';
import { FileMacroStore } from '../../src/macros/file-macro-store.js';
import { FileIdempotencyStore } from '../../src/services/file-idempotency-store.js';
import { uploadText } from '../macros/upload-text.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { commandScript } from '../support/project.js';
import { BACKED_UP_CONFIGURATION } from './backed-up-configuration.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess, sallyport } from './sallyport-process.js';

const actor = { who: 'ADMIN', from: '192.0.2.7' };

describe('sallyport backup and restore', function () {
  this.timeout(120_000);
  let folder: string;
  let state: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-backup-'));
    state = join(folder, 'state');
    await writeFile(join(folder, 'sallyport.yaml'), BACKED_UP_CONFIGURATION);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) => sallyportInProcess(args, { folder });

  it('backs up a moment while users, tokens, settings, macros, answers and the trail are being changed', async () => {
    const { configuration: loaded } = await loadConfiguration(join(folder, 'sallyport.yaml'));
    const users = await openUsers(loaded);
    const settings = new FileSettingsStore(join(state, 'terminal-settings'));
    const answers = new FileIdempotencyStore(join(state, 'idempotency.jsonl'));
    const macros = new FileMacroStore({ folder: join(state, 'macros') });
    await macros.open();
    const trail = new FileAuditTrail({ file: join(state, 'audit.jsonl') });
    // not there when the backup begins: it is told by the trail alone
    await users.administration.addGroup(actor, 'FIRST');
    let isOver = false;
    let changes = 0;
    const writer = async (change: (number: number) => Promise<unknown>) => {
      for (let number = 0; !isOver; number += 1) {
        await change(number);
        changes += 1;
      }
    };
    const value = (number: number) => JSON.stringify({ number, filling: `${number} `.repeat(5_000) });
    const writers = [
      writer((number) =>
        number % 3 === 2
          ? users.administration.removeGroup(actor, `G${number - 1}`)
          : users.administration.addGroup(actor, `G${number}`),
      ),
      writer((number) =>
        users.tokens
          .add(actor, { name: `T${number}`, scopes: ['services'], days: 1 })
          .then(() => users.tokens.revoke(actor, `T${number}`)),
      ),
      writer((number) => settings.write(`USER${number % 7}`, value(number), undefined)),
      writer((number) => answers.begin({ id: `${number}`, caller: 'c', content: 'x' }, Date.now())),
      writer((number) => macros.write({ level: 'global' }, Buffer.from(uploadText(number)))),
    ];
    const backup = new SallyportProcess(['backup', 'one.tar.gz'], folder);
    const { code, stdout, stderr } = await backup.finished;
    isOver = true;
    await Promise.all(writers);
    await Promise.all([answers.close(), macros.close(), users.close()]);
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    expect(changes).to.be.above(20);
    expect(stdout).to.match(
      /one\.tar\.gz: \d+ files, \d+ bytes before compression, SHA-256 [0-9a-f]{64}\nThe audit trail in the backup is unbroken: /,
    );
    expect((await stat(join(folder, 'one.tar.gz'))).mode & 0o777).to.equal(0o600);
    const noted = (await trail.latest(1_000)).filter(({ what }) => what === 'data.backedUp');
    expect(noted.map(({ subject }) => subject)).to.deep.equal(['one.tar.gz']);

    await rm(state, { recursive: true });
    expect(await run('restore', 'one.tar.gz')).to.include({ code: 0, stderr: '' });
    const verified = await run('audit', 'verify');
    expect(verified.code, verified.stderr).to.equal(0);
    const entries = (await readFile(join(state, 'audit.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.at(-1)).to.include({ what: 'data.restored', subject: 'one.tar.gz' });

    const listed = async (command: string) =>
      (await run(command, 'list')).stdout
        .split('\n')
        .map((line) => line.split(' ')[0])
        .filter(Boolean);
    const recorded = (added: string, removed: string) => {
      const there = new Set<string>();
      for (const { what, subject, stage } of entries) {
        if (stage !== 'done') continue;
        const name = subject.replace(/^\w+ /, '');
        if (what === added) there.add(name);
        if (what === removed) there.delete(name);
      }
      return [...there];
    };
    expect(await listed('group')).to.have.members(recorded('group.added', 'group.removed'));
    expect(await listed('token')).to.have.members(recorded('token.added', 'token.revoked'));
    for (const name of await readdir(join(state, 'terminal-settings'))) {
      const text = await readFile(join(state, 'terminal-settings', name), 'utf8');
      expect(text).to.equal(value(JSON.parse(text).number));
      expect((await stat(join(state, 'terminal-settings', name))).mode & 0o777).to.equal(0o600);
    }
    const reopened = new FileIdempotencyStore(join(state, 'idempotency.jsonl'));
    expect((await reopened.begin({ id: '0', caller: 'c', content: 'x' }, Date.now())).kind).to.equal('interrupted');
    await reopened.close();
    expect(JSON.parse(await readFile(join(state, 'macros', 'global', 'macros.json'), 'utf8'))).to.be.an('object');
  });

  it('copies anew what has changed before it has the locks', async () => {
    await mkdir(state);
    const users = join(state, 'security.yaml');
    await writeFile(users, 'as it was', { mode: 0o600 });
    await writeFile(join(state, 'gone'), 'x');
    const { configuration: loaded } = await loadConfiguration(join(folder, 'sallyport.yaml'));
    const copies = join(folder, 'copies');
    await mkdir(copies);
    let copied: ReturnType<typeof snapshotData> | undefined;
    await withFileLock(users, async () => {
      copied = snapshotData(loaded, copies, { isReadOnly: false, onLeftOut: () => {} });
      await eventually(() => readFile(join(copies, 'data', 'gone'), 'utf8').catch(() => undefined));
      await eventually(() => readFile(join(copies, 'data', 'security.yaml'), 'utf8').catch(() => undefined));
      await writeFile(`${users}.next`, 'as it is', { mode: 0o600 });
      await rename(`${users}.next`, users);
      await rm(join(state, 'gone'));
      await writeFile(join(state, 'new'), 'y');
    });
    const names = (await copied)?.map(({ path }) => path);
    expect(names).to.deep.equal(['data/new', 'data/security.yaml']);
    expect(await readFile(join(copies, 'data', 'security.yaml'), 'utf8')).to.equal('as it is');
    expect(await readdir(join(copies, 'data'))).to.have.members(['new', 'security.yaml']);
  });

  it('keeps all files of a trail that was rotated, which goes on after it was restored', async () => {
    const rotated = () => new FileAuditTrail({ file: join(state, 'audit.jsonl'), rotateBytes: 1_000 });
    const trail = rotated();
    for (let number = 1; number <= 20; number++)
      await trail.note({ ...actor, what: 'data.backedUp', subject: `${number}` });
    const files = async () => (await readdir(state)).filter((name) => name.startsWith('audit')).sort();
    const before = await files();
    expect(before.length).to.be.greaterThan(5);
    const { stdout } = await run('backup', 'one.tar.gz');
    const [, anchor = ''] = /unbroken: (\d+:[0-9a-f]{64})/.exec(stdout) ?? [];
    await rm(state, { recursive: true });
    expect(await run('restore', 'one.tar.gz')).to.include({ code: 0, stderr: '' });
    expect(await files()).to.deep.equal(before);
    expect(await run('audit', 'verify', '--entry', anchor)).to.include({ code: 0, stderr: '' });
    for (let number = 21; number <= 30; number++)
      await rotated().note({ ...actor, what: 'data.backedUp', subject: `${number}` });
    expect((await files()).length).to.be.greaterThan(before.length);
    expect(await run('audit', 'verify', '--entry', anchor)).to.include({ code: 0, stderr: '' });
    const exported = await run('audit', 'export', '--format', 'jsonl', '--what', 'data.backedUp');
    const subjects = exported.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).subject);
    expect(subjects).to.deep.equal(Array.from({ length: 30 }, (_, at) => `${30 - at}`));
  });

  it('keeps files and their permissions, leaves out locks, links and the note of the server, and keeps what was there', async () => {
    await mkdir(join(state, 'deep', 'er'), { recursive: true });
    await writeFile(join(state, 'deep', 'er', 'a'), 'one', { mode: 0o600 });
    await writeFile(join(state, 'wide'), '', { mode: 0o600 });
    await chmod(join(state, 'wide'), 0o640);
    for (const name of ['server.json', 'wide.lock', 'tokens.json.123.new'])
      await writeFile(join(state, name), 'passing');
    await symlink('/etc/passwd', join(state, 'led'));
    const made = await run('backup', 'one.tar.gz');
    expect([made.code, made.stderr]).to.deep.equal([
      0,
      `warning: ${join(state, 'led')} is skipped: it is not a regular file\n`,
    ]);

    await writeFile(join(state, 'deep', 'er', 'a'), 'two');
    const again = await run('restore', 'one.tar.gz');
    expect([again.code, again.stderr]).to.deep.equal([0, '']);
    const kept = /^The previous data is kept: (.*)$/m.exec(again.stdout)?.[1] ?? '';
    expect(await readFile(join(kept, 'deep', 'er', 'a'), 'utf8')).to.equal('two');
    expect(await readFile(join(state, 'deep', 'er', 'a'), 'utf8')).to.equal('one');
    expect((await readdir(state)).filter((name) => !name.startsWith('audit'))).to.have.members(['deep', 'wide']);
    const modes = ['deep', 'deep/er/a', 'wide'].map(async (name) => (await stat(join(state, name))).mode & 0o777);
    expect(await Promise.all(modes)).to.deep.equal([0o700, 0o600, 0o640]);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).to.deep.equal([]);

    const elsewhere = await run('restore', 'one.tar.gz', '--into', 'looked-at');
    expect([elsewhere.code, await readdir(join(folder, 'looked-at', 'data'))]).to.deep.equal([0, ['deep', 'wide']]);
    expect((await run('restore', 'one.tar.gz', '--into', 'looked-at')).stderr).to.match(/looked-at is not empty\n$/);
  });

  it('takes users and macros that are kept elsewhere, and refuses another arrangement', async () => {
    const apart = BACKED_UP_CONFIGURATION.replace('./state/security', './users/security').replace(
      './state/macros',
      './macros',
    );
    await writeFile(join(folder, 'sallyport.yaml'), apart);
    expect((await run('group', 'add', 'OPS')).code).to.equal(0);
    await mkdir(join(folder, 'macros', 'global'), { recursive: true });
    await writeFile(join(folder, 'macros', 'global', 'macros.json'), '{}');
    expect((await run('backup', 'one.tar.gz')).code).to.equal(0);
    expect((await run('group', 'remove', 'OPS', '--yes')).code).to.equal(0);
    await rm(join(folder, 'macros'), { recursive: true });
    expect((await run('restore', 'one.tar.gz')).code).to.equal(0);
    expect((await run('group', 'list')).stdout).to.match(/^OPS/);
    expect(await readFile(join(folder, 'macros', 'global', 'macros.json'), 'utf8')).to.equal('{}');

    await writeFile(join(folder, 'sallyport.yaml'), BACKED_UP_CONFIGURATION);
    expect((await run('restore', 'one.tar.gz')).stderr).to.match(
      /it has the folders data, macros, users, but the configuration has data: .* Use --into\n$/,
    );
  });

  it('refuses to restore under a server, unless told otherwise', async function () {
    skipUnless(this, process.platform === 'linux', 'the system does not tell when a process began');
    const server = new SallyportProcess(['serve'], folder);
    await server.prints(/^A-HTTP +(http\S+)/m);
    // the note is written after the lines are printed
    for (let made = await sallyport(['reload'], folder); made.code !== 0; ) made = await sallyport(['reload'], folder);
    expect((await run('backup', 'one.tar.gz')).code).to.equal(0);
    const refused = await run('restore', 'one.tar.gz');
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      `Nothing was restored: process ${server.child.pid} is running with ${state}, and would continue with the data from before the restore. ` +
        'Stop it first, or use --while-serving and restart it\n',
    ]);
    expect((await run('restore', 'one.tar.gz', '--while-serving')).stdout).to.match(/\nRestart the server: /);
    server.child.kill('SIGTERM');
    expect((await server.finished).code).to.equal(0);
    expect((await run('restore', 'one.tar.gz')).code).to.equal(0);
  });

  describe('of a folder that cannot be written', () => {
    beforeEach(async () => {
      await mkdir(state);
      const trail = new FileAuditTrail({ file: join(state, 'audit.jsonl') });
      await trail.note({ ...actor, what: 'data.restored', subject: 'it' });
    });

    it('works where its file system is read-only, and says that it is not on record', async function () {
      const isMounted = (options: string[]) => spawnSync('mount', options, { stdio: 'ignore' }).status === 0;
      skipUnless(this, isMounted(['--bind', '-o', 'ro', state, state]), 'this machine mounts nothing for us');
      try {
        const { code, stdout, stderr } = await run('backup', 'archive.tar.gz');
        expect([code, stderr]).to.deep.equal([
          0,
          `warning: ${state} is read-only: the backup is not recorded in its audit trail\n`,
        ]);
        expect(stdout).to.match(/2 files, .*\nThe audit trail in the backup is unbroken: 1:/);
      } finally {
        spawnSync('umount', [state]);
      }
      const taken = await run('restore', 'archive.tar.gz', '--into', 'taken');
      expect([taken.stderr, taken.code]).to.deep.equal(['', 0]);
      expect(await readFile(join(folder, 'taken', 'data', 'audit.jsonl'))).to.deep.equal(
        await readFile(join(state, 'audit.jsonl')),
      );
    });

    it('is refused where others may write there, with the reason', async () => {
      await chmod(folder, 0o777);
      await chmod(state, 0o555);
      await chmod(join(state, 'audit.jsonl'), 0o444);
      const words = [commandScript, 'backup', 'archive.tar.gz'];
      const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      const { status, stderr } = spawnSync(process.execPath, words, { ...nobody, cwd: folder, encoding: 'utf8' });
      await chmod(state, 0o755);
      expect([status, stderr]).to.deep.equal([
        1,
        `No backup was created: ${state}: no permission to write there. A backup pauses servers for a moment ` +
          'and is recorded in the audit trail: run it as the user of the server\n',
      ]);
    });
  });

  it('refuses what is there already, what is nowhere, and an archive within the data', async () => {
    expect((await run('backup', 'one.tar.gz')).stderr).to.match(/state: the folder does not exist yet\n$/);
    await mkdir(state);
    await writeFile(join(folder, 'one.tar.gz'), '');
    expect((await run('backup', 'one.tar.gz')).stderr).to.match(/one\.tar\.gz already exists\n$/);
    expect((await run('backup', 'none/one.tar.gz')).stderr).to.match(/: there is no folder .*none\n$/);
    expect((await run('backup', 'state/one.tar.gz')).stderr).to.match(/is in .*state, which is part of the backup\n$/);
    expect((await run('restore', 'nowhere.tar.gz')).stderr).to.match(
      /^Nothing was restored: it does not exist \(ENOENT/,
    );
  });
});
