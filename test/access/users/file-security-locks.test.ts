import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { passwordMatches } from '../../../src/access/users/password-hash.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { eventually } from '../../support/eventually.js';
import { plainUser, usersFileForEachTest } from './users-file.js';

describe('locks in the file of users and groups', () => {
  const usersFile = usersFileForEachTest();

  it('locks after wrong passwords in a row, many at once among them, and ends the lock in time', async () => {
    const locked: string[] = [];
    const { database, logged, isLocked } = await usersFile().opened({ lockAfter: 3, lockMinutes: 30 }, locked);
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    const tries = await Promise.all([1, 2, 3, 4, 5, 6].map(() => database.signOn('ANNA', 'wrong-canary')));
    expect(tries.map(({ kind }) => kind)).to.deep.equal(new Array(6).fill('refused'));
    await isLocked();
    expect(locked).to.deep.equal(['ANNA']);
    expect(usersFile().written().users.ANNA?.locked).to.equal('2026-11-21T12:00:00.000Z');
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
    usersFile().now += 30 * 60_000 - 1;
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
    usersFile().now += 1;
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('signedOn');
    expect(logged()).to.not.include('wrong-canary').and.not.include('correct horse');
  });

  it('has stored a lock that has begun when it is closed', async () => {
    const locked: string[] = [];
    const { database } = await usersFile().opened({ lockAfter: 1 }, locked);
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    await database.signOn('ANNA', 'wrong');
    await database.close();
    expect(locked).to.deep.equal(['ANNA']);
    expect(usersFile().written().users.ANNA?.locked).to.equal('2026-11-21T12:00:00.000Z');
  });

  it('counts no password that was turned away unchecked', async () => {
    const { database } = await usersFile().opened({ lockAfter: 1 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    let isOver = false;
    const crowd = Array.from({ length: 300 }, async (_, at) => {
      while (!isOver) {
        await passwordMatches('guess', undefined, `10.20.${at}.1`, CHEAP_PASSWORDS).catch(
          () => new Promise(setImmediate),
        );
      }
    });
    const turnedAway = () =>
      database.signOn('ANNA', 'correct horse', '10.20.1.1').then(
        () => undefined,
        ({ code }) => code === 'SVC_ERR_SERVICE_BUSY' || undefined,
      );
    await eventually(turnedAway);
    isOver = true;
    await Promise.all(crowd);
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('signedOn');
  });

  it('looks at no more passwords at once than may be wrong, the right one neither', async () => {
    const { database } = await usersFile().opened({ lockAfter: 3 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    const wrong = [1, 2, 3].map((number) => database.signOn('ANNA', `wrong-${number}`));
    // reads the file as they do: behind these they are under way, or over
    for (let read = 0; read < 5; read++) await database.findUser('ANNA');
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
    expect((await Promise.all(wrong)).map(({ kind }) => kind)).to.deep.equal(['refused', 'refused', 'refused']);
  });

  it('counts the wrong passwords of a browser for it alone, for as long as a lock lasts', async () => {
    const { database, isLocked } = await usersFile().opened({ lockAfter: 2, lockMinutes: 10 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    const fromDevice = async (password: string) =>
      (await database.signOn('ANNA', password, '192.0.2.1', 'device of a test')).kind;
    const lock = async (times: number) => {
      for (let tries = 0; tries < 2; tries++) await database.signOn('ANNA', 'wrong');
      await isLocked(times);
      expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
    };
    await lock(1);
    expect(await fromDevice('wrong')).to.equal('refused');
    expect(await fromDevice('correct horse')).to.equal('signedOn');
    // a right one starts the count anew
    for (let tries = 0; tries < 2; tries++) expect(await fromDevice('wrong')).to.equal('refused');
    expect(await fromDevice('correct horse'), 'like everybody').to.equal('refused');
    usersFile().now += 10 * 60_000;
    await lock(2);
    expect(await fromDevice('correct horse')).to.equal('signedOn');
    await database.removeUser('ANNA');
    expect(await fromDevice('correct horse')).to.equal('refused');
  });

  it('neither locks nor unlocks where the clock of the wall is set ahead or back', async () => {
    const { database, isLocked } = await usersFile().opened({ lockAfter: 1, lockMinutes: 30 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    await database.signOn('ANNA', 'no');
    await isLocked();
    const kind = async () => (await database.signOn('ANNA', 'correct horse')).kind;
    expect(await kind()).to.equal('refused');
    for (const hours of [24, -48]) {
      usersFile().now += hours * 3_600_000;
      usersFile().wallWasSet -= hours * 3_600_000;
      expect(await kind(), `set by ${hours} hours`).to.equal('refused');
    }
    // the half hour passes, on both clocks
    usersFile().now += 30 * 60_000 - 1;
    expect(await kind()).to.equal('refused');
    usersFile().now += 1;
    expect(await kind()).to.equal('signedOn');
    usersFile().now -= 10 * 3_600_000;
    usersFile().wallWasSet += 10 * 3_600_000;
    expect(await kind(), 'and is over for good').to.equal('signedOn');
  });

  it('counts a lock of the future, which was written before the clock was set back, from when it is seen', async () => {
    const { database } = await usersFile().opened({ lockMinutes: 30 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    const { file } = usersFile();
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('role: user', 'locked: 2099-01-01T00:00:00Z\n    role: user'),
    );
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
    usersFile().now += 30 * 60_000;
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('signedOn');
  });

  it('counts only what fails in a row', async () => {
    const { database } = await usersFile().opened({ lockAfter: 3 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    for (const password of ['no', 'no', 'correct horse', 'no', 'no']) await database.signOn('ANNA', password);
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('signedOn');
  });

  it('keeps a lock until an administrator ends it where it does not end by itself', async () => {
    const { database, isLocked } = await usersFile().opened({ lockAfter: 1, lockMinutes: 0 });
    await database.addUser({ ...plainUser, name: 'ANNA' }, 'correct horse');
    await database.signOn('ANNA', 'no');
    await isLocked();
    usersFile().now += 1_000 * 86_400_000;
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('refused');
    await database.unlock('anna');
    expect((await database.signOn('ANNA', 'correct horse')).kind).to.equal('signedOn');
    await database.signOn('ANNA', 'no');
    await isLocked(2);
    await database.setPassword('ANNA', 'battery staple');
    expect((await database.signOn('ANNA', 'battery staple')).kind).to.equal('signedOn');
  });
});
