import { expect } from 'chai';
import { DocumentUserStore } from '../../../src/access/users/document-user-store.js';
import type { UserBounds } from '../../../src/access/users/users-document.js';
import { Database } from '../../../src/cluster/postgresql/database.js';
import {
  PostgresqlUsersDocuments,
  postgresqlUserBounds,
} from '../../../src/cluster/postgresql/postgresql-users-documents.js';
import type { ServiceError } from '../../../src/lib/errors.js';
import { silentLog } from '../../../src/lib/log/log.js';
import type { PostgresqlServer } from '../../support/postgresql.js';

const plain = { role: 'user', groups: [], expires: undefined } as const;

/** Many users in a database, and what two processes see of each other's changes. */
export function itKeepsManyUsers(running: () => PostgresqlServer): void {
  const opened: Database[] = [];
  beforeEach(() => running().empty());
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  function node(bounds?: UserBounds): DocumentUserStore {
    const database = new Database(running().definition(), silentLog);
    opened.push(database);
    const documents = new PostgresqlUsersDocuments(database, bounds);
    return new DocumentUserStore(documents, { log: silentLog, lockAfter: 3, lockMinutes: 0 });
  }

  /** As a program that knows nothing of the column `changed`. */
  const run = (statements: string, versions = 1) =>
    running().run(`${statements}; update sallyport.users_version set version = version + ${versions}`);
  const fill = (count: number) =>
    run(`insert into sallyport.users (name, folded, role, groups)
      select 'U' || to_char(n, 'FM000000'), 'u' || to_char(n, 'FM000000'), 'user', '{}' from generate_series(1, ${count}) n`);
  const refusal = async (work: Promise<unknown>) =>
    ((await work.catch((thrown: unknown) => thrown)) as ServiceError).detail;
  const namesIn = async (database: DocumentUserStore) => (await database.records()).map(({ name }) => name);

  it('takes 200,000 users and not one more, and lists them page by page', async function () {
    this.timeout(300_000);
    await fill(199_999);
    const [here, there] = [node(), node()];
    expect(await here.findUser('u199999')).to.include({ name: 'U199999' });
    await there.addUser({ ...plain, name: 'U200000' }, undefined);
    expect(await refusal(there.addUser({ ...plain, name: 'MORE' }, undefined))).to.equal(
      'This store has reached the maximum of 200000 users.',
    );
    const page = await here.recordPage({ search: '', group: '', from: 199_900, most: 100 });
    expect(page.count).to.equal(200_000);
    expect(page.records).to.have.length(100);
    expect(page.records.at(-1)).to.include({ name: 'U200000', hasPassword: false });
    const found = await here.recordPage({ search: 'u19999', group: '', from: 5, most: 3 });
    expect(found.count).to.equal(10);
    expect(found.records.map(({ name }) => name)).to.deep.equal(['U199995', 'U199996', 'U199997']);
  });

  it('takes 10,000 groups and not one more', async () => {
    await run(`insert into sallyport.groups (name, folded) select 'G' || n, 'g' || n from generate_series(1, 9999) n`);
    const here = node();
    await here.addGroup('LAST');
    expect(await refusal(here.addGroup('MORE'))).to.equal('This store has reached the maximum of 10000 groups.');
    expect(postgresqlUserBounds).to.deep.equal({ users: 200_000, groups: 10_000 });
  });

  it('reads what others have added, changed and removed, and what is added again', async () => {
    const [here, there] = [node(), node()];
    for (const name of ['A', 'B', 'C']) await there.addUser({ ...plain, name }, undefined);
    expect(await namesIn(here)).to.deep.equal(['A', 'B', 'C']);
    await there.changeUser('a', { role: 'operator', groups: ['OPS'] });
    await there.removeUser('b');
    await there.removeUser('c');
    await there.addUser({ ...plain, name: 'C', groups: ['DEV'] }, undefined);
    expect(await here.findRecord('a')).to.deep.include({ role: 'operator', groups: ['OPS'] });
    expect(await namesIn(here)).to.deep.equal(['A', 'C']);
    expect(await here.findRecord('c')).to.deep.include({ groups: ['DEV'] });
    // and what servers of an earlier version write, with the same numbers of versions
    await run(`update sallyport.users set role = 'administrator' where name = 'A'`);
    await run(`delete from sallyport.users where name = 'C'`);
    await run(`insert into sallyport.users (name, folded, role, groups) values ('D', 'd', 'user', '{}')`);
    expect(await namesIn(here)).to.deep.equal(['A', 'D']);
    expect(await here.findRecord('a')).to.include({ role: 'administrator' });
  });

  it('reads everything again after so many changes that names of removed users were forgotten', async () => {
    const here = node();
    for (const name of ['A', 'B']) await here.addUser({ ...plain, name }, undefined);
    expect(await namesIn(here)).to.deep.equal(['A', 'B']);
    await run(`delete from sallyport.users where name = 'A'; delete from sallyport.removed_users`, 1_000);
    expect(await namesIn(here)).to.deep.equal(['B']);
    // a database that was restored
    await run(
      `delete from sallyport.users; delete from sallyport.removed_users; update sallyport.users_version set version = 0`,
    );
    expect(await namesIn(here)).to.deep.equal([]);
  });

  it('forgets names of removed users after 1,000 changes, and not before', async () => {
    const here = node();
    await here.addUser({ ...plain, name: 'A' }, undefined);
    await here.removeUser('A');
    const removed = async () => (await running().run('select name, changed from sallyport.removed_users')).length;
    for (const [version, left] of [
      [1_000, 1],
      [2_000, 0],
    ] as const) {
      await running().run(`update sallyport.users_version set version = ${version}`);
      await here.addGroup(`G${version}`);
      expect(await removed(), `${version}`).to.equal(left);
    }
  });
}
