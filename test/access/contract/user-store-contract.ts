import { expect } from 'chai';
import type { EditableUserStore } from '../../../src/access/users/editable-user-store.js';
import type { RecordSecurityChange, SecurityChange } from '../../../src/access/users/security-change.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { eventually } from '../../support/eventually.js';

/** A store without users. */
export interface EmptyUserStore {
  readonly store: EditableUserStore;
  /** Another store over the same users, as a second process has it. */
  beside(): Promise<EditableUserStore>;
  remove(): Promise<void>;
}

const PASSWORD = 'correct horse';
/** Wrong passwords in a row that lock a user of the stores that are made here. */
export const LOCK_AFTER = 3;
const plain = { role: 'user', groups: [], expires: undefined } as const;

/** What every store of users and groups does, wherever it keeps them. */
export function userStoreContract(what: string, make: () => Promise<EmptyUserStore>): void {
  describe(`${what}, as a store of users`, () => {
    let made: EmptyUserStore;
    let store: EditableUserStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    /** Why a change was refused. */
    async function refusal(change: Promise<unknown>): Promise<string> {
      const error = await change.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(ServiceError);
      expect((error as ServiceError).code).to.equal('SVC_ERR_SECURITY_CHANGE');
      return (error as ServiceError).detail ?? '';
    }

    it('holds nothing at first', async () => {
      expect(await store.records()).to.deep.equal([]);
      expect(await store.groups()).to.deep.equal([]);
      expect(await store.findRecord('ANNA')).to.equal(undefined);
      expect((await store.signOn('ANNA', PASSWORD)).kind).to.equal('refused');
    });

    it('adds users with their groups, finds them in any case, and lists them by name', async () => {
      await store.addUser({ ...plain, name: 'bert', groups: ['OPS', 'DEV'] }, PASSWORD);
      await store.addUser({ ...plain, name: 'Anna', role: 'operator', groups: ['ops'] }, undefined);
      expect((await store.records()).map(({ name }) => name)).to.deep.equal(['Anna', 'bert']);
      expect(await store.groups()).to.deep.equal(['DEV', 'OPS']);
      expect(await store.findRecord('ANNA')).to.deep.include({ role: 'operator', groups: ['OPS'], hasPassword: false });
      expect(await store.findUser('BERT')).to.deep.include({ name: 'bert', groups: ['OPS', 'DEV'] });
      expect((await store.signOn('Bert', PASSWORD)).kind).to.equal('signedOn');
      expect((await store.signOn('Anna', '')).kind, 'without a password').to.equal('refused');
    });

    it('gives each record of a user or a group an identity that no record of the same name has had', async () => {
      const other = await made.beside();
      expect(await store.identityOf('user', 'ANNA')).to.equal(undefined);
      expect(await store.identityOf('group', 'OPS')).to.equal(undefined);
      const seen = new Set<string | undefined>();
      for (let times = 1; times <= 3; times += 1) {
        await store.addUser({ ...plain, name: 'ANNA', groups: ['OPS'] }, undefined);
        const [user, group] = [await store.identityOf('user', 'anna'), await store.identityOf('group', 'ops')];
        for (const identity of [user, group]) seen.add(identity);
        expect(seen.size).to.equal(2 * times);
        await store.changeUser('ANNA', { role: 'operator', groups: ['DEV', 'OPS'] });
        await store.setPassword('ANNA', PASSWORD);
        expect(await other.identityOf('user', 'ANNA')).to.equal(user);
        expect(await other.identityOf('group', 'OPS')).to.equal(group);
        await store.removeUser('ANNA');
        await store.removeGroup('OPS');
        expect(await other.identityOf('user', 'ANNA')).to.equal(undefined);
        expect(await other.identityOf('group', 'OPS')).to.equal(undefined);
      }
    });

    it('changes, unlocks and removes; a new password takes the place of the old one', async () => {
      await store.addUser({ ...plain, name: 'ANNA', groups: ['OPS'] }, PASSWORD);
      await store.changeUser('anna', { role: 'operator', groups: ['DEV'], expires: '2099-12-31' });
      await store.changeUser('anna', { locked: '2026-11-21T12:00:00.000Z' });
      expect(await store.findRecord('ANNA')).to.deep.include({
        role: 'operator',
        groups: ['DEV'],
        expires: '2099-12-31',
      });
      await store.unlock('ANNA');
      expect(await store.findRecord('ANNA')).to.include({ locked: undefined });
      await store.changeUser('ANNA', { expires: undefined });
      expect(await store.findRecord('ANNA')).to.include({ expires: undefined, role: 'operator' });
      await store.setPassword('ANNA', 'battery staple');
      expect((await store.signOn('ANNA', PASSWORD)).kind).to.equal('refused');
      expect((await store.signOn('ANNA', 'battery staple')).kind).to.equal('signedOn');
      await store.removeUser('anna');
      expect(await store.findRecord('ANNA')).to.equal(undefined);
      expect((await store.signOn('ANNA', 'battery staple')).kind).to.equal('refused');
      await store.removeGroup('ops');
      expect(await store.groups()).to.deep.equal(['DEV']);
    });

    it('lists a part, with the number of all that were found', async () => {
      for (const name of ['carl', 'Anna', 'bert']) await store.addUser({ ...plain, name, groups: [] }, undefined);
      await store.changeUser('bert', { groups: ['OPS'] });
      await store.changeUser('carl', { groups: ['DEV', 'OPS'] });
      const page = async (search: string, group: string, from = 0, most = 10) => {
        const { count, records } = await store.recordPage({ search, group, from, most });
        return [count, records.map(({ name }) => name)];
      };
      expect(await page('', '')).to.deep.equal([3, ['Anna', 'bert', 'carl']]);
      expect(await page('', '', 1, 1)).to.deep.equal([3, ['bert']]);
      expect(await page('', '', 3, 1)).to.deep.equal([3, []]);
      expect(await page('N', '')).to.deep.equal([1, ['Anna']]);
      expect(await page('', 'ops')).to.deep.equal([2, ['bert', 'carl']]);
      expect(await page('r', 'dev')).to.deep.equal([1, ['carl']]);
      expect(await page('x', '')).to.deep.equal([0, []]);
      expect(await store.userNames()).to.deep.equal(['Anna', 'bert', 'carl']);
      expect([...(await store.memberCounts())].sort()).to.deep.equal([
        ['DEV', 1],
        ['OPS', 2],
      ]);
      expect(await store.lockedUsers(1)).to.deep.equal({ count: 0, records: [] });
      for (const name of ['bert', 'Anna']) await store.changeUser(name, { locked: '2026-11-28T00:00:00.000Z' });
      const locked = await store.lockedUsers(1);
      expect([locked.count, locked.records.map(({ name }) => name)]).to.deep.equal([2, ['Anna']]);
    });

    it('refuses what cannot be, with the reason, and stays as it was', async () => {
      await store.addUser({ ...plain, name: 'root', role: 'administrator', groups: ['OPS'] }, PASSWORD);
      const before = await store.records();
      expect(await refusal(store.addUser({ ...plain, name: 'ROOT', groups: ['NEW'] }, PASSWORD))).to.include(
        'user root',
      );
      expect(await refusal(store.addUser({ ...plain, name: '../x' }, PASSWORD))).to.include('is not a valid user ID');
      expect(await refusal(store.addUser({ ...plain, name: 'x', groups: ['a b'] }, PASSWORD))).to.include(
        'not a valid group name',
      );
      expect(await refusal(store.changeUser('root', { role: 'user' }))).to.include('last administrator');
      expect(await refusal(store.changeUser('root', { expires: '2026-02-30' }))).to.include('is not a date');
      expect(await refusal(store.removeUser('root'))).to.include('last administrator');
      expect(await refusal(store.removeGroup('OPS'))).to.include('has 1 user (root)');
      expect(await refusal(store.addGroup('ops'))).to.include('group OPS');
      for (const change of [
        () => store.changeUser('nobody', {}),
        () => store.setPassword('nobody', PASSWORD),
        () => store.unlock('nobody'),
        () => store.removeUser('nobody'),
      ]) {
        expect(await refusal(change())).to.equal('There is no user nobody.');
      }
      expect(await refusal(store.removeGroup('NONE'))).to.equal('There is no group NONE.');
      expect(await store.records()).to.deep.equal(before);
      expect(await store.groups()).to.deep.equal(['OPS']);
    });

    it('hands each change over before it makes it, new groups beside it and nothing of a password', async () => {
      const told: unknown[] = [];
      const record: RecordSecurityChange = async (change, makeIt) => {
        told.push(change, await store.groups());
        await makeIt();
      };
      const made: SecurityChange = await store.addUser(
        { ...plain, name: 'ANNA', groups: ['OPS', 'DEV'] },
        PASSWORD,
        record,
      );
      await store.setPassword('ANNA', 'battery staple', record);
      await store.addGroup('NIGHT', record);
      const anna = { name: 'ANNA', role: 'user', groups: ['OPS', 'DEV'] };
      expect(made).to.deep.equal({ before: undefined, after: anna });
      expect(told).to.deep.equal([
        { before: undefined, after: anna, newGroups: ['DEV', 'OPS'] },
        [],
        { before: anna, after: anna, newGroups: [] },
        ['DEV', 'OPS'],
        { before: undefined, after: { name: 'NIGHT' }, newGroups: [] },
        ['DEV', 'OPS'],
      ]);
    });

    it('changes nothing that cannot be put on record', async () => {
      await store.addUser({ ...plain, name: 'ANNA' }, PASSWORD);
      const before = await store.records();
      const record: RecordSecurityChange = async () => {
        throw new Error('no record');
      };
      for (const change of [
        () => store.addUser({ ...plain, name: 'BERT', groups: ['OPS'] }, PASSWORD, record),
        () => store.changeUser('ANNA', { role: 'operator' }, record),
        () => store.setPassword('ANNA', 'battery staple', record),
        () => store.unlock('ANNA', record),
        () => store.removeUser('ANNA', record),
        () => store.addGroup('OPS', record),
      ]) {
        const said = await change().catch((error: Error) => error.message);
        expect(said).to.equal('no record');
      }
      expect(await store.records()).to.deep.equal(before);
      expect(await store.groups()).to.deep.equal([]);
      expect((await store.signOn('ANNA', PASSWORD)).kind).to.equal('signedOn');
    });

    it('locks a user after as many wrong passwords in a row as may be, at every process, until it is ended', async () => {
      const other = await made.beside();
      await store.addUser({ ...plain, name: 'ANNA' }, PASSWORD);
      const outcome = async (password: string, from = store) => (await from.signOn('anna', password)).kind;
      for (let failed = 1; failed < LOCK_AFTER; failed += 1) expect(await outcome('wrong')).to.equal('refused');
      expect(await outcome(PASSWORD), 'in a row').to.equal('signedOn');
      const kinds = await Promise.all(Array.from({ length: 2 * LOCK_AFTER }, () => outcome('wrong')));
      expect(new Set(kinds)).to.deep.equal(new Set(['refused']));
      expect(await outcome(PASSWORD)).to.equal('refused');
      await eventually(async () => (await other.findRecord('ANNA'))?.locked);
      expect(await outcome(PASSWORD, other)).to.equal('refused');
      await other.unlock('ANNA');
      expect(await outcome(PASSWORD, other)).to.equal('signedOn');
    });

    it('loses no change of two processes at once, and each sees what the other has changed', async () => {
      const other = await made.beside();
      const names = Array.from({ length: 10 }, (_, number) => `G${number}`);
      await Promise.all(names.map((name, number) => (number % 2 === 0 ? store : other).addGroup(name)));
      expect(await store.groups()).to.deep.equal(names);
      expect(await other.groups()).to.deep.equal(names);
    });

    it('lets one of two win who take the last administrators away at once', async () => {
      const other = await made.beside();
      for (const name of ['ANNA', 'BERT']) await store.addUser({ ...plain, name, role: 'administrator' }, PASSWORD);
      const both = await Promise.allSettled([store.removeUser('ANNA'), other.removeUser('BERT')]);
      expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await store.records()).to.have.length(1);
    });
  });
}
