import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { hashPassword, isPasswordHash, passwordMatches } from '../../../src/access/users/password-hash.js';
import { fileUserBounds } from '../../../src/access/users/users-document.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { needCommand } from '../../support/need.js';
import { rounds } from '../../support/rounds.js';
import { plainUser, usersFileForEachTest } from './users-file.js';

const MOST_GROUPS_OF_USER = 64;

describe('the file of users and groups', () => {
  const usersFile = usersFileForEachTest();
  const [databaseUrl, logUrl] = ['access/users/file-user-store', 'lib/log/log'].map(
    (name) => new URL(`../../../src/${name}.js`, import.meta.url).href,
  );

  it('signs a user on in any case of the name, with the right password and no other', async () => {
    const { database } = await usersFile().opened();
    await database.addUser({ ...plainUser, name: 'Anna', groups: ['OPS', 'DEV'] }, 'correct horse');
    expect(await database.signOn('aNNA', 'correct horse')).to.deep.include({ kind: 'signedOn' });
    for (const wrong of ['correct hors', 'correct horse ', '', 'Correct horse']) {
      expect((await database.signOn('Anna', wrong)).kind, wrong).to.equal('refused');
    }
    expect((await database.signOn('nobody', 'correct horse')).kind).to.equal('refused');
    expect(await database.findUser('ANNA')).to.deep.include({ name: 'Anna', role: 'user', groups: ['OPS', 'DEV'] });
    expect(await database.findGroup('ops')).to.equal('OPS');
  });

  it('takes composed and decomposed characters for the same password', async () => {
    const { database } = await usersFile().opened();
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'pa\u00dfw\u00f6rter');
    expect((await database.signOn('ANNA', 'pa\u00dfwo\u0308rter')).kind).to.equal('signedOn');
  });

  it('stores a salted scrypt hash that OpenSSL makes, too', async function () {
    needCommand(this, 'openssl');
    const { database } = await usersFile().opened();
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    await database.addUser({ ...plainUser, name: 'BERT' }, 'correct horse');
    const [anna = '', bert = ''] = Object.values(usersFile().written().users).map(({ password }) => password);
    expect(anna).to.not.equal(bert);
    const [, n, r, p, salt = '', hash = ''] = anna.split('$');
    const options = ['pass:correct horse', `hexsalt:${Buffer.from(salt, 'base64url').toString('hex')}`];
    const sizes = [`n:${n}`, `r:${r}`, `p:${p}`, 'maxmem_bytes:1073741824'];
    const made = spawnSync('openssl', [
      'kdf',
      '-keylen',
      '32',
      ...[...options, ...sizes].flatMap((option) => ['-kdfopt', option]),
      '-binary',
      'SCRYPT',
    ]);
    expect(made.status, String(made.stderr)).to.equal(0);
    expect(made.stdout.toString('base64url')).to.equal(hash);
  });

  it('takes no hash that asks for more than a machine should give', async () => {
    const [salt, hash] = ['a'.repeat(22), 'b'.repeat(43)];
    expect(isPasswordHash(`scrypt$131072$8$1$${salt}$${hash}`)).to.equal(true);
    expect(isPasswordHash(`scrypt$262144$8$1$${salt}$${hash}`)).to.equal(false);
    expect(isPasswordHash(`scrypt$32768$8$8$${salt}$${hash}`)).to.equal(true);
    expect(isPasswordHash(`scrypt$32768$8$9$${salt}$${hash}`)).to.equal(false);
    expect(isPasswordHash(`scrypt$32767$8$1$${salt}$${hash}`)).to.equal(false);
    const stored = await hashPassword('x');
    expect(await passwordMatches('x', stored)).to.equal(true);
    expect(await passwordMatches('x', undefined)).to.equal(false);
  });

  it('removes what a process that was killed has left half written, when it opens and before it writes', async () => {
    const { database } = await usersFile().opened();
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    const { file } = usersFile();
    const left = [`${file}.4711.new`, `${file}.1.new`];
    const others = [`${file}.bak.new`, `${file}.old`, join(dirname(file), 'other.yaml.1.new')];
    const leave = () => {
      for (const path of [...left, ...others]) writeFileSync(path, readFileSync(file), { mode: 0o600 });
    };
    leave();
    await usersFile().opened();
    for (const path of left) expect(existsSync(path), path).to.equal(false);
    leave();
    await database.addGroup('OPS');
    for (const path of left) expect(existsSync(path), path).to.equal(false);
    for (const path of others) expect(existsSync(path), path).to.equal(true);
  });

  it('leaves no copy of the hashes behind that others may read, whenever it is killed', async () => {
    const { file } = usersFile();
    const folderOfFile = dirname(file);
    const code = `import { FileUserStore } from '${databaseUrl}';
      import { silentLog } from '${logUrl}';
      const [file] = process.argv.slice(1);
      const users = new FileUserStore({ file, log: silentLog, lockAfter: 3, lockMinutes: 30 });
      await users.open();
      for (let number = 0; ; number++) { await users.addGroup('G' + process.pid + '-' + number); process.stdout.write('.'); }`;
    for (let round = 0; round < rounds(8, 3); round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'close');
      for (const name of readdirSync(folderOfFile).filter((one) => one.endsWith('.new'))) {
        expect(statSync(join(folderOfFile, name)).mode & 0o777, name).to.equal(0o600);
      }
    }
    await usersFile().opened();
    expect(readdirSync(folderOfFile).filter((name) => /^security\.yaml\.\d+\.new$/.test(name))).to.deep.equal([]);
  });

  it('refuses a user from the day after the last one on', async () => {
    const { database } = await usersFile().opened();
    await database.addUser({ ...plainUser, name: 'ANNA', expires: '2026-11-21' }, 'correct horse');
    usersFile().now = Date.parse('2026-11-21T23:59:59.999Z');
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('signedOn');
    usersFile().now += 1;
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
  });

  it('takes what others write into the file at once, and goes on with what it had where that is faulty', async () => {
    const { database, logged } = await usersFile().opened();
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    const other = (await usersFile().opened()).database;
    await other.addUser({ ...plainUser, name: 'BERT' }, 'correct horse');
    expect((await database.users()).map(({ name }) => name)).to.deep.equal(['ANNA', 'BERT']);
    const sound = readFileSync(usersFile().file, 'utf8');
    writeFileSync(usersFile().file, sound.replace('role: user', 'role: emperor-canary'));
    expect((await database.users()).length).to.equal(2);
    expect(logged()).to.include('/users/ANNA/role').and.not.include('canary');
    writeFileSync(usersFile().file, sound.replace('ANNA', 'CARL'));
    expect((await database.users()).map(({ name }) => name)).to.deep.equal(['BERT', 'CARL']);
  });

  it('loses no change of several writers at once, and leaves nothing beside the file', async () => {
    const [one, other] = [(await usersFile().opened()).database, (await usersFile().opened()).database];
    const names = Array.from({ length: 20 }, (_, index) => `GROUP${index}`);
    await Promise.all(names.map((name, index) => (index % 2 === 0 ? one : other).addGroup(name)));
    expect((await one.groups()).length).to.equal(20);
    expect(readdirSync(dirname(usersFile().file))).to.deep.equal(['security.yaml']);
    expect(statSync(usersFile().file).mode & 0o777).to.equal(0o600);
  });

  const malformed: readonly (readonly [words: string, text: string, fault: string])[] = [
    ['no YAML', 'users: [', 'it is not YAML'],
    ['an alias bomb', 'version: 1\ngroups: &a [x]\nusers: *a\n', 'it is not YAML'],
    ['another version', 'version: 2\n', '/version'],
    ['an unknown member', 'version: 1\nuser: {}\n', '"user"'],
    ['an unknown member of a user', 'version: 1\nusers: { ANNA: { role: user, lock: now } }\n', '"lock"'],
    ['a group twice', 'version: 1\ngroups: [OPS]\nusers: { ANNA: { role: user, groups: [OPS, OPS] } }\n', 'duplicate'],
    ['a name that leads elsewhere', 'version: 1\nusers: { "../x": { role: user } }\n', 'is not a valid user ID'],
    ['two users of one name', 'version: 1\nusers: { anna: { role: user }, ANNA: { role: user } }\n', 'twice'],
    ['a group that is not there', 'version: 1\nusers: { anna: { role: user, groups: [OPS] } }\n', 'no group "OPS"'],
    ['a clear password', 'version: 1\nusers: { anna: { role: user, password: canary } }\n', 'it is not a scrypt hash'],
  ];
  for (const [words, text, fault] of malformed) {
    it(`is not opened with ${words}`, async () => {
      await (await usersFile().opened()).database.addGroup('X');
      writeFileSync(usersFile().file, text);
      const failed = await usersFile()
        .opened()
        .then(
          () => 'opened',
          (error: Error) => error.message,
        );
      expect(failed).to.include(fault).and.not.include('canary');
    });
  }

  describe('changes', () => {
    const refused: readonly (readonly [string, (database: FileUserStore) => Promise<unknown>, string])[] = [
      [
        'a name taken in another case',
        (database) => database.addUser({ ...plainUser, name: 'ADMIN' }, 'x'),
        'The user admin already exists.',
      ],
      [
        'a path for a name',
        (database) => database.addUser({ ...plainUser, name: '../x' }, 'x'),
        'is not a valid user ID',
      ],
      [
        'a name of 65',
        (database) => database.addUser({ ...plainUser, name: 'x'.repeat(65) }, 'x'),
        'is not a valid user ID',
      ],
      ['a day that is none', (database) => database.changeUser('admin', { expires: '2026-02-30' }), 'is not a date'],
      ['the end of the last administrator', (database) => database.removeUser('admin'), 'last administrator'],
      ['another role for the last', (database) => database.changeUser('admin', { role: 'user' }), 'last administrator'],
      ['a past day for the last', (database) => database.changeUser('admin', { expires: '2026-11-20' }), 'last admin'],
      ['a group with users', (database) => database.removeGroup('OPS'), 'has 1 user (admin)'],
      ['a group that is there', (database) => database.addGroup('ops'), 'The group OPS already exists.'],
      ['somebody who is not there', (database) => database.unlock('nobody'), 'no user nobody'],
      [
        'too many groups',
        (database) =>
          database.changeUser('admin', {
            groups: Array.from({ length: MOST_GROUPS_OF_USER + 1 }, (_, at) => `G${at}`),
          }),
        'at most 64 groups',
      ],
    ];
    for (const [words, change, fault] of refused) {
      it(`refuses ${words}, and changes nothing`, async () => {
        const { database } = await usersFile().opened();
        await database.addUser({ name: 'admin', role: 'administrator', groups: ['OPS'], expires: undefined }, 'secret');
        const before = readFileSync(usersFile().file, 'utf8');
        const error = await change(database).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).to.be.instanceOf(ServiceError);
        expect((error as ServiceError).code).to.equal('SVC_ERR_SECURITY_CHANGE');
        expect((error as ServiceError).detail).to.include(fault);
        expect(readFileSync(usersFile().file, 'utf8')).to.equal(before);
      });
    }

    it('takes 5,000 users and not one more', async () => {
      const users = Array.from(
        { length: fileUserBounds.users - 1 },
        (_, index) => `  U${index}: { role: user, groups: [] }`,
      );
      await (await usersFile().opened()).database.addGroup('X');
      writeFileSync(usersFile().file, `version: 1\ngroups: []\nusers:\n${users.join('\n')}\n`);
      const { database } = await usersFile().opened();
      await database.addUser({ ...plainUser, name: 'LAST' }, undefined);
      expect((await database.users()).length).to.equal(5_000);
      const error = await database.addUser({ ...plainUser, name: 'ONEMORE' }, undefined).catch((thrown) => thrown);
      expect(error.detail).to.equal('This store has reached the maximum of 5000 users.');
    });

    it('takes 1,000 groups and not one more, whatever makes them', async () => {
      const { database } = await usersFile().opened();
      await database.addGroup('X');
      await database.addUser({ ...plainUser, name: 'ANNA' }, undefined);
      const groups = Array.from({ length: fileUserBounds.groups - 1 }, (_, index) => `G${index}`);
      writeFileSync(
        usersFile().file,
        `version: 1\ngroups: [${groups.join(', ')}]\nusers: { ANNA: { role: user, groups: [] } }\n`,
      );
      const refusal = async (work: Promise<unknown>) =>
        ((await work.catch((thrown: unknown) => thrown)) as ServiceError).detail;
      await database.addGroup('LAST');
      expect((await database.groups()).length).to.equal(1_000);
      const words = 'This store has reached the maximum of 1000 groups.';
      expect(await refusal(database.addGroup('MORE'))).to.equal(words);
      expect(await refusal(database.changeUser('ANNA', { groups: ['MORE'] }))).to.equal(words);
      expect(await refusal(database.addUser({ ...plainUser, name: 'B', groups: ['MORE'] }, undefined))).to.equal(words);
    });

    it('says for the audit trail what there was and what there is, and nothing of a password', async () => {
      const { database } = await usersFile().opened();
      const added = await database.addUser({ ...plainUser, name: 'ANNA', groups: ['OPS'] }, 'canary-password');
      const changed = await database.changeUser('anna', { role: 'operator', groups: ['ops', 'DEV'] });
      const removed = await database.removeUser('anna');
      expect(added).to.deep.equal({ before: undefined, after: { name: 'ANNA', role: 'user', groups: ['OPS'] } });
      expect(changed.after).to.deep.equal({ name: 'ANNA', role: 'operator', groups: ['OPS', 'DEV'] });
      expect(removed).to.deep.equal({ before: changed.after, after: undefined });
      expect(JSON.stringify([added, changed, removed]))
        .to.not.include('canary')
        .and.not.include('scrypt');
    });
  });
});
