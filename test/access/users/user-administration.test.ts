import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { FileSettingsStore } from '../../../src/access/users/file-settings-store.js';
import { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { lockRecording } from '../../../src/access/users/security-change.js';
import { UserAdministration } from '../../../src/access/users/user-administration.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { eventually } from '../../support/eventually.js';

const PASSWORD = 'correct horse';
const plain = { role: 'user', groups: [], expires: undefined } as const;

describe('what is done with users and groups', () => {
  const actor = { who: 'root', from: '192.0.2.1' };
  let folder: string;
  let users: FileUserStore;
  let audit: FileAuditTrail;
  let administration: UserAdministration;
  let settings: FileSettingsStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-users-'));
    audit = new FileAuditTrail({ file: join(folder, 'audit.jsonl') });
    const recordLock = lockRecording(audit);
    users = new FileUserStore({
      passwordCost: CHEAP_PASSWORDS,
      file: join(folder, 'security.yaml'),
      log: silentLog,
      lockAfter: 2,
      lockMinutes: 0,
      recordLock,
    });
    await users.open();
    settings = new FileSettingsStore(join(folder, 'settings'));
    administration = new UserAdministration(users, audit, settings);
  });
  // what writes the last entry may still take its lock away
  afterEach(() => rmSync(folder, { recursive: true, maxRetries: 10 }));

  const reasonOf = async (change: Promise<unknown>) => {
    const error = await change.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ServiceError);
    return (error as ServiceError).detail;
  };
  const entries = async () =>
    (await audit.latest(50)).map(({ who, what, subject }) => `${who} ${what} ${subject}`).reverse();

  it('removes with a user how he has the terminal, and nothing of others', async () => {
    await administration.addUser(actor, { ...plain, name: 'ANNA', groups: [] }, PASSWORD);
    for (const name of ['ANNA', 'BERT']) await settings.write(name, '{"bell":true}', null);
    await reasonOf(administration.removeUser(actor, 'CARL'));
    expect((await settings.read('ANNA'))?.text).to.equal('{"bell":true}');
    await administration.removeUser(actor, 'anna');
    expect(await settings.read('ANNA')).to.equal(undefined);
    expect((await settings.read('BERT'))?.text).to.equal('{"bell":true}');
  });

  it('is on record in order, the groups that come into being before what needs them', async () => {
    await administration.addUser(actor, { ...plain, name: 'ANNA', groups: ['OPS'] }, PASSWORD);
    await administration.changeUser(actor, 'anna', { groups: ['DEV'] });
    await administration.setPassword(actor, 'anna', 'battery staple');
    await administration.unlock(actor, 'anna');
    await administration.removeUser(actor, 'anna');
    await administration.addGroup(actor, 'NIGHT');
    await administration.removeGroup(actor, 'night');
    expect(await entries()).to.deep.equal([
      'root group.added group OPS',
      'root user.added user ANNA',
      'root group.added group DEV',
      'root user.changed user ANNA',
      'root user.passwordSet user ANNA',
      'root user.unlocked user ANNA',
      'root user.removed user ANNA',
      'root group.added group NIGHT',
      'root group.removed group NIGHT',
    ]);
  });

  it('locks a user after wrong passwords, which is on record as well', async () => {
    await administration.addUser(actor, { ...plain, name: 'ANNA' }, PASSWORD);
    for (const wrong of ['wrong-1', 'wrong-2']) await users.signOn('ANNA', wrong);
    await eventually(async () => (await users.findRecord('ANNA'))?.locked);
    const locked = async () => (await audit.latest(50)).find(({ what }) => what === 'user.locked');
    await eventually(async () => (await locked())?.stage === 'done' || undefined);
    expect(await entries()).to.include('Sallyport user.locked user ANNA');
  });

  it('takes passwords of 8 to 256 characters, whoever asks', async () => {
    await administration.addUser(actor, { ...plain, name: 'ANNA' }, '12345678');
    await administration.setPassword(actor, 'ANNA', 'x'.repeat(256));
    const [short, long] = ['1234567', 'x'.repeat(257)];
    expect(await reasonOf(administration.addUser(actor, { ...plain, name: 'BERT' }, short))).to.include('at least 8');
    expect(await reasonOf(administration.setPassword(actor, 'ANNA', short))).to.include('at least 8');
    expect(await reasonOf(administration.addUser(actor, { ...plain, name: 'BERT' }, long))).to.include('at most 256');
    expect(await reasonOf(administration.setPassword(actor, 'ANNA', long))).to.include('at most 256');
    expect((await users.records()).map(({ name }) => name)).to.deep.equal(['ANNA']);
    expect((await users.signOn('ANNA', 'x'.repeat(256))).kind).to.equal('signedOn');
  });

  it('lets nobody change a role of their own, in any case of the name', async () => {
    for (const name of ['root', 'other']) {
      await administration.addUser(actor, { ...plain, name, role: 'administrator' }, PASSWORD);
    }
    const own = administration.changeUser({ ...actor, who: 'ROOT' }, 'root', { role: 'user' });
    expect(await reasonOf(own)).to.equal('You cannot change your own role. Ask another administrator.');
    await administration.changeUser(actor, 'root', { role: 'administrator', expires: '2099-12-31' });
    await administration.changeUser({ who: 'other', from: '' }, 'root', { role: 'user' });
    expect((await users.findRecord('root'))?.role).to.equal('user');
  });

  it('makes a first administrator, whose password is nowhere but in the answer', async () => {
    expect(await administration.hasAdministrator()).to.equal(false);
    const password = await administration.addFirstAdministrator();
    expect(await administration.hasAdministrator()).to.equal(true);
    expect((await users.signOn('admin', password)).kind).to.equal('signedOn');
    expect(await entries()).to.deep.equal(['Sallyport user.added user admin']);
    const kept = ['audit.jsonl', 'security.yaml'].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(kept.join('')).to.not.include(password);
  });

  it('does nothing that cannot be put on record', async () => {
    mkdirSync(join(folder, 'audit.jsonl'));
    const error = await administration.addGroup(actor, 'OPS').catch((thrown: unknown) => thrown);
    expect((error as ServiceError).code).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(await users.groups()).to.deep.equal([]);
  });
});
