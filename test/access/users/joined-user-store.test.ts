import { expect } from 'chai';
import { LdapUserStore } from '../../../src/access/ldap/ldap-user-store.js';
import { JoinedUserStore } from '../../../src/access/users/joined-user-store.js';
import type { SecurityUser, UserStore } from '../../../src/access/users/user-store.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { needSlapd, passwords, Slapd } from '../ldap/slapd.js';

const LOCAL_PASSWORD = 'known to the file';
const localUsers: readonly SecurityUser[] = [
  { name: 'Alice', role: 'user', groups: ['house'] },
  { name: 'zoe', role: 'administrator', groups: ['house', 'WRITERS'] },
];

/** Stands for the users of the file. */
const local: UserStore = {
  async signOn(name, password) {
    const user = await this.findUser(name);
    return user && password === LOCAL_PASSWORD ? { kind: 'signedOn', user } : { kind: 'refused' };
  },
  findUser: async (name) => localUsers.find((user) => user.name.toLowerCase() === name.toLowerCase()),
  findGroup: async (name) => ['house', 'WRITERS'].find((group) => group.toLowerCase() === name.toLowerCase()),
  identityOf: async (kind, name) => {
    const names = kind === 'group' ? ['house', 'WRITERS'] : localUsers.map((user) => user.name);
    return names.find((one) => one.toLowerCase() === name.toLowerCase()) && `local ${kind}`;
  },
  users: async () => localUsers,
  groups: async () => ['house', 'WRITERS'],
};

describe('users of a file and of a directory', () => {
  let slapd: Slapd;
  let directory: LdapUserStore;
  let joined: JoinedUserStore;

  before(async function () {
    needSlapd(this);
    slapd = await Slapd.start();
  });

  beforeEach(() => {
    const userFilter = '(|(uid={user})(mail={user}))';
    directory = new LdapUserStore(slapd.definition({ userFilter }), recordingLog().log);
    joined = new JoinedUserStore(local, directory);
  });

  afterEach(() => directory?.close());

  after(() => slapd?.stop());

  it('asks the directory for those whom the file does not know', async () => {
    const user = { name: 'bob', role: 'operator', groups: ['operators', 'writers'] };
    expect(await joined.signOn('bob', passwords.bob)).to.deep.equal({ kind: 'signedOn', user });
    expect(await joined.findUser('BOB')).to.deep.equal(user);
    expect(await joined.signOn('bob', passwords.wrong)).to.include({ kind: 'refused' });
    expect(await joined.signOn('nobody', passwords.wrong)).to.include({ kind: 'refused' });
    expect(await joined.findUser('nobody')).to.equal(undefined);
  });

  it('never tells the directory of those whom the file knows', async () => {
    const from = slapd.log.length;
    expect(await joined.signOn('alice', LOCAL_PASSWORD)).to.deep.equal({ kind: 'signedOn', user: localUsers[0] });
    for (const password of [passwords.alice, passwords.wrong, ''])
      expect(await joined.signOn('ALICE', password)).to.include({ kind: 'refused' });
    expect(await joined.findUser('alice')).to.equal(localUsers[0]);
    expect(slapd.lines('conn=', from)).to.deep.equal([]);
  });

  it('takes nobody of the directory for a user of the file, by whatever name it finds him', async () => {
    expect(await directory.signOn('alice@example.org', passwords.alice)).to.have.property('kind', 'signedOn');
    expect(await joined.signOn('alice@example.org', passwords.alice)).to.include({ kind: 'refused' });
    expect(await joined.findUser('alice@example.org')).to.equal(undefined);
  });

  it('has the users and the groups of both, each once, as the file writes them', async () => {
    const users = await joined.users();
    expect(users.map(({ name }) => name)).to.deep.equal(['Alice', 'bob', 'dave', 'erin', 'night', 'zoe']);
    expect(users[0]).to.equal(localUsers[0]);
    expect(await joined.groups()).to.deep.equal(['admins', 'house', 'Nightshift', 'operators', 'WRITERS']);
    expect(await joined.findGroup('writers')).to.equal('WRITERS');
    expect(await joined.findGroup('nightshift')).to.equal('Nightshift');
    expect(await joined.findGroup('none')).to.equal(undefined);
    expect(await joined.identityOf('group', 'writers')).to.equal('local group');
    expect(await joined.identityOf('group', 'nightshift')).to.equal(await directory.identityOf('group', 'Nightshift'));
    expect(await joined.identityOf('user', 'ALICE')).to.equal('local user');
    expect(await joined.identityOf('user', 'bob')).to.equal(await directory.identityOf('user', 'bob'));
    expect(await joined.identityOf('user', 'alice@example.org')).to.equal(undefined);
    expect(await joined.identityOf('group', 'none')).to.equal(undefined);
  });

  it('lets users of the file in while the directory is gone', async () => {
    await slapd.kill();
    try {
      expect(await joined.signOn('zoe', LOCAL_PASSWORD)).to.deep.equal({ kind: 'signedOn', user: localUsers[1] });
      expect(await joined.signOn('zoe', passwords.wrong)).to.include({ kind: 'refused' });
      expect(await joined.findUser('zoe')).to.equal(localUsers[1]);
      expect(await joined.findGroup('house')).to.equal('house');
      for (const ask of [
        () => joined.signOn('bob', passwords.bob),
        () => joined.findUser('bob'),
        () => joined.findGroup('admins'),
        () => joined.users(),
        () => joined.groups(),
      ]) {
        const error: unknown = await ask().catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(ServiceError).with.property('code', 'SVC_ERR_SECURITY_UNAVAILABLE');
      }
    } finally {
      await slapd.start();
    }
    expect(await joined.signOn('bob', passwords.bob)).to.have.property('kind', 'signedOn');
  });
});
