import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { LdapDefinition } from '../../../src/access/ldap/ldap-server.js';
import { LdapUserStore } from '../../../src/access/ldap/ldap-user-store.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { ldapFailures } from './ldap-failures.js';
import { needSlapd, passwords, Slapd } from './slapd.js';

const MOST_PASSWORD_BYTES = 1024;

const refused = { kind: 'refused' };
const alice = { name: 'Alice', role: 'administrator', groups: ['writers', 'admins', 'operators'] };

describe('users of a directory server (slapd)', () => {
  const { log, lines, texts } = recordingLog();
  const { failures, isUnavailable } = ldapFailures();
  let slapd: Slapd;
  const open: LdapUserStore[] = [];

  let stranger: string;

  before(async function () {
    needSlapd(this);
    stranger = readFileSync(makeCertificate().cert, 'utf8');
    slapd = await Slapd.start();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    await slapd.quiet();
  });

  after(async () => {
    await slapd?.stop();
  });

  function opened(changes: Partial<LdapDefinition> = {}): LdapUserStore {
    const database = new LdapUserStore(slapd.definition(changes), log);
    open.push(database);
    database.open();
    return database;
  }

  describe('sign-on', () => {
    it('lets in whoever knows the password', async () => {
      expect(await opened().signOn('Alice', passwords.alice)).to.deep.equal({ kind: 'signedOn', user: alice });
    });

    it('takes the name in any case, and gives it as the directory writes it', async () => {
      expect(await opened().signOn('aLiCe', passwords.alice)).to.deep.equal({ kind: 'signedOn', user: alice });
    });

    it('finds an entry whose DN has characters of filters, and its groups', async () => {
      const user = { name: 'night', role: 'user', groups: ['Nightshift'] };
      expect(await opened().signOn('night', passwords.night)).to.deep.equal({ kind: 'signedOn', user });
    });

    for (const [what, name, password] of [
      ['a wrong password', 'alice', passwords.wrong],
      ['the password in another case', 'alice', passwords.alice.toUpperCase()],
      ['the password of somebody else', 'alice', passwords.bob],
      ['an unknown user', 'nobody', passwords.alice],
      ['a user who is locked', 'dave', passwords.dave],
      ['a user without password', 'erin', passwords.wrong],
      ['a name that two entries have', 'twin', passwords.twin],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const database = opened({ userBase: 'dc=example,dc=org' });
        expect(await database.signOn(name, password)).to.include(refused);
      });
    }

    it('is sure that the user who is locked would be let in otherwise', async () => {
      await slapd.modify(
        'dn: uid=dave,ou=people,dc=example,dc=org',
        'changetype: modify',
        'delete: pwdAccountLockedTime',
      );
      expect(await opened().signOn('dave', passwords.dave)).to.have.property('kind', 'signedOn');
    });

    it('asks the server nothing without a password, who lets anybody in that way', async () => {
      const from = slapd.log.length;
      expect(await opened().signOn('alice', '')).to.include(refused);
      expect(await opened().signOn('alice', 'x'.repeat(MOST_PASSWORD_BYTES + 1))).to.include(refused);
      // the log says of what was asked next, and of nothing before it
      expect(await opened().signOn('alice', 'x'.repeat(MOST_PASSWORD_BYTES))).to.include(refused);
      await slapd.quiet();
      expect(slapd.lines(' ACCEPT ', from)).to.have.length(2);
      expect(slapd.lines('BIND dn="uid=Alice,', from)).to.have.length(1);
    });

    for (const name of [
      '*',
      'a*',
      'alice)(uid=*',
      ')(uid=*',
      '*)(|(uid=*',
      'alice\0',
      'alice\\2a',
      ' alice',
      'älice',
      '',
    ]) {
      it(`knows nobody called ${JSON.stringify(name)}, and asks for nobody`, async () => {
        const from = slapd.log.length;
        const database = opened();
        expect(await database.signOn(name, passwords.alice)).to.include(refused);
        expect(await database.findUser(name)).to.equal(undefined);
        expect(await database.findGroup(name)).to.equal(undefined);
        expect(slapd.lines('conn=', from)).to.deep.equal([]);
      });
    }

    it('asks as often for a name that nobody has as for a wrong password', async () => {
      const requests: string[][] = [];
      for (const name of ['alice', 'nobody', 'twin']) {
        const from = slapd.log.length;
        await opened({ userBase: 'dc=example,dc=org' }).signOn(name, passwords.wrong);
        await slapd.quiet();
        // slapd's threads write as they come
        requests.push((slapd.log.slice(from).match(/ACCEPT|method=128|SRCH base|RESULT|UNBIND/g) ?? []).sort());
      }
      expect(requests[1]).to.deep.equal(requests[0]).and.deep.equal(requests[2]);
      expect(requests[0]?.filter((request) => request === 'method=128')).to.have.length(2);
    });

    it('has the server compare a password for a name that nobody has, too: that of the decoy', async () => {
      const decoyDn = 'uid=erin,ou=people,dc=example,dc=org';
      for (const [name, bound] of [
        ['nobody', decoyDn],
        ['twin', decoyDn],
        ['alice', 'uid=Alice,ou=people,dc=example,dc=org'],
      ] as const) {
        const from = slapd.log.length;
        const database = opened({ userBase: 'dc=example,dc=org', decoyDn });
        expect(await database.signOn(name, passwords.wrong)).to.include(refused);
        await slapd.quiet();
        const binds = slapd.lines('method=128', from).map((line) => /BIND dn="([^"]*)"/.exec(line)?.[1]);
        expect(binds.sort(), name).to.deep.equal(['cn=reader,dc=example,dc=org', bound].sort());
      }
    });

    it('is nothing that is remembered', async () => {
      const database = opened();
      expect(await database.signOn('bob', passwords.bob)).to.have.property('kind', 'signedOn');
      expect(await database.signOn('bob', passwords.wrong)).to.include(refused);
    });
  });

  describe('groups and roles', () => {
    it('gives a member of the group of operators the role', async () => {
      const bob = { name: 'bob', role: 'operator', groups: ['operators', 'writers'] };
      expect(await opened().findUser('BOB')).to.deep.equal(bob);
    });

    it('makes nobody anything where no groups are named', async () => {
      const database = opened({ administratorGroup: undefined, operatorGroup: undefined });
      expect(await database.findUser('alice')).to.have.property('role', 'user');
    });

    it('takes for a role a group too whose name is none here, and leaves it out otherwise', async () => {
      const database = opened({ administratorGroup: 'night owls' });
      const from = texts.length;
      expect(await database.findUser('bob')).to.have.property('role', 'administrator');
      expect(await database.findUser('bob')).to.have.deep.property('groups', ['operators', 'writers']);
      expect(await database.groups()).to.deep.equal(['admins', 'Nightshift', 'operators', 'writers']);
      expect(texts.slice(from).filter((line) => line.includes('Night Owls'))).to.have.length(1);
    });

    it('puts the default group first, by its name or its DN, where the user is in it', async () => {
      const database = opened();
      expect((await database.findUser('alice'))?.groups[0]).to.equal('writers');
      expect((await database.findUser('bob'))?.groups[0]).to.equal('operators');
      expect((await database.findUser('night'))?.groups).to.deep.equal(['Nightshift']);
    });

    it('has the groups in the order of their names where there is no default group', async () => {
      const database = opened({ defaultGroupAttribute: undefined });
      expect((await database.findUser('alice'))?.groups).to.deep.equal(['admins', 'operators', 'writers']);
    });

    it('tells the entries of users and groups apart by what the server gave them', async () => {
      const database = opened();
      const identities = [
        await database.identityOf('user', 'alice'),
        await database.identityOf('user', 'bob'),
        await database.identityOf('group', 'writers'),
        await database.identityOf('group', 'Nightshift'),
      ];
      expect(new Set(identities).size).to.equal(4);
      for (const identity of identities) {
        // RFC 4530: a UUID; RFC 4512, section 3.4.1: a generalized time
        expect(identity)
          .to.match(/"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/)
          .and.match(/"\d{14}Z"/);
      }
      expect(await database.identityOf('user', 'ALICE')).to.equal(identities[0]);
      expect(await opened().identityOf('group', 'WRITERS')).to.equal(identities[2]);
      expect(await database.identityOf('user', 'nobody')).to.equal(undefined);
      expect(await database.identityOf('group', 'people')).to.equal(undefined);
    });

    it('finds groups in any case, and no others', async () => {
      const database = opened();
      expect(await database.findGroup('NIGHTSHIFT')).to.equal('Nightshift');
      expect(await database.findGroup('people')).to.equal(undefined);
    });

    it('lists users, and leaves out whose name is none here or is not theirs alone', async () => {
      const users = await opened({ userBase: 'dc=example,dc=org' }).users();
      expect(users.map(({ name }) => name)).to.deep.equal(['Alice', 'bob', 'dave', 'erin', 'guest', 'night']);
      expect(users[0]).to.deep.equal(alice);
    });

    it('finds a user by what else the filter takes', async () => {
      const database = opened({ userFilter: '(|(uid={user})(mail={user}))' });
      expect(await database.signOn('ALICE@example.org', passwords.alice)).to.deep.equal({
        kind: 'signedOn',
        user: alice,
      });
    });

    it('asks with a matching rule, and lists everybody all the same', async () => {
      const database = opened({ userFilter: '(uid:caseExactMatch:={user})', groupFilter: 'member={dn}' });
      expect(await database.findUser('alice')).to.equal(undefined);
      expect(await database.findUser('Alice')).to.have.property('name', 'Alice');
      expect(await database.users()).to.have.length(5);
      expect(await database.groups()).to.deep.equal(['admins', 'Nightshift', 'operators']);
    });

    it('remembers a user for a moment, and learns of new groups at a sign-on', async () => {
      const database = opened();
      const group = ['dn: cn=Nightshift,ou=groups,dc=example,dc=org', 'changetype: modify'];
      const member = 'member: uid=bob,ou=people,dc=example,dc=org';
      const before = await database.findUser('bob');
      await slapd.modify(...group, 'add: member', member);
      try {
        expect(await database.findUser('bob')).to.deep.equal(before);
        await database.signOn('bob', passwords.bob);
        expect((await database.findUser('bob'))?.groups).to.include('Nightshift');
      } finally {
        await slapd.modify(...group, 'delete: member', member);
      }
    });
  });

  describe('the search account', () => {
    it('may be nobody, where the directory lets nobody search', async () => {
      const database = opened({
        bindDn: undefined,
        bindPassword: undefined,
        userBase: 'ou=open,dc=example,dc=org',
        groupBase: 'ou=open,dc=example,dc=org',
      });
      const user = { name: 'guest', role: 'user', groups: [] };
      expect(await database.signOn('guest', passwords.guest)).to.deep.equal({ kind: 'signedOn', user });
    });

    it('is a fault of the directory where it is refused', async () => {
      const database = opened({ bindPassword: passwords.wrong });
      await isUnavailable(database.signOn('alice', passwords.alice), /search account: invalidCredentials \(49\)$/);
      await isUnavailable(database.users(), /search account/);
    });

    it('is a fault of the directory where it may not see the place of the users', async () => {
      const database = opened({ bindDn: undefined, bindPassword: undefined });
      await isUnavailable(database.signOn('alice', passwords.alice), /search: insufficientAccessRights \(50\)$/);
    });
  });

  describe('TLS', () => {
    const secure = (changes: Partial<LdapDefinition>, scheme: 'ldap' | 'ldaps', host?: string) =>
      opened({ url: slapd.url(scheme, host), ...changes });
    const signOn = (database: LdapUserStore) => database.signOn('alice', passwords.alice);
    const isClear = (from: number) => lines.slice(from).some(({ msg }) => String(msg).includes('clear text'));

    for (const [scheme, startTls] of [
      ['ldaps', false],
      ['ldap', true],
    ] as const) {
      describe(startTls ? 'by StartTLS' : 'from the beginning', () => {
        for (const host of ['localhost', '127.0.0.1']) {
          it(`takes a server that proves to be ${host}`, async () => {
            const from = lines.length;
            const logged = slapd.log.length;
            expect(await signOn(secure({ startTls }, scheme, host))).to.have.property('kind', 'signedOn');
            // slapd may say so after it has said that it closed the connection
            await eventually(() => slapd.lines('TLS established', logged).length === 3 || undefined);
            expect(isClear(from)).to.equal(false);
          });
        }

        for (const [what, ca] of [
          ['another certificate', () => stranger],
          ['the well-known ones only', () => undefined],
        ] as const) {
          it(`takes none that proves it to ${what}, and sends it nothing`, async () => {
            const logged = slapd.log.length;
            await isUnavailable(signOn(secure({ startTls, ca: ca() }, scheme)), /self-signed certificate(?:;|$)/);
            expect(slapd.lines(' BIND ', logged)).to.deep.equal([]);
          });

          it(`takes it with ${what} where nobody wants it verified, and says so`, async () => {
            const from = lines.length;
            const database = secure({ startTls, ca: ca(), verify: false }, scheme);
            expect(await signOn(database)).to.have.property('kind', 'signedOn');
            expect(lines.slice(from).some(({ msg }) => String(msg).includes('not verified'))).to.equal(true);
          });
        }
      });
    }

    it('takes no server of another name', async () => {
      await isUnavailable(signOn(secure({}, 'ldaps', '127.0.0.2')), /IP: 127.0.0.2 is not in the cert's list/);
    });

    it('is missed once, where passwords travel without', async () => {
      const from = lines.length;
      const database = opened();
      await signOn(database);
      await signOn(database);
      const warnings = lines.slice(from).filter(({ level }) => level === 40);
      expect(warnings.map(({ msg }) => msg)).to.deep.equal([
        'passwords are sent in clear text: the connection to the directory server has no TLS',
      ]);
    });

    it('is a fault where the port does not speak it', async () => {
      await isUnavailable(signOn(opened({ url: slapd.url('ldap').replace('ldap:', 'ldaps:') })), /bind: /);
      await isUnavailable(signOn(opened({ url: slapd.url('ldaps').replace('ldaps:', 'ldap:') })), /bind: /);
    });
  });

  describe('a server that is not well', () => {
    for (const [scheme, startTls] of [
      ['ldap', false],
      ['ldaps', false],
      ['ldap', true],
    ] as const) {
      it(`is gone, and comes back: ${scheme}${startTls ? ' with StartTLS' : ''}`, async () => {
        const database = opened({ url: slapd.url(scheme), startTls });
        expect(await database.signOn('alice', passwords.alice)).to.have.property('kind', 'signedOn');
        await slapd.kill();
        try {
          await isUnavailable(database.signOn('alice', passwords.alice), /ECONNREFUSED/);
          await isUnavailable(database.findUser('bob'), /ECONNREFUSED/);
          await isUnavailable(database.findGroup('admins'), /ECONNREFUSED/);
          await isUnavailable(database.users(), /ECONNREFUSED/);
          await isUnavailable(database.groups(), /ECONNREFUSED/);
          // asked a moment ago
          expect(await database.findUser('alice')).to.deep.equal(alice);
        } finally {
          await slapd.start();
        }
        expect(await database.signOn('alice', passwords.alice)).to.have.property('kind', 'signedOn');
      });

      it(`hangs, and goes on: ${scheme}${startTls ? ' with StartTLS' : ''}`, async () => {
        const database = opened({
          url: slapd.url(scheme),
          startTls,
          connectMilliseconds: 150,
          timeoutMilliseconds: 150,
        });
        slapd.pause();
        try {
          await isUnavailable(database.signOn('alice', passwords.alice), /time/);
        } finally {
          slapd.resume();
        }
        const patient = opened({ url: slapd.url(scheme), startTls });
        expect(await patient.signOn('alice', passwords.alice)).to.have.property('kind', 'signedOn');
      });
    }

    it('dies with requests under way', async () => {
      const database = opened({ timeoutMilliseconds: 30_000 });
      slapd.pause();
      const waiting = [1, 2, 3].map(() =>
        isUnavailable(database.signOn('alice', passwords.alice), /ECONNRESET|ECONNREFUSED|closed/),
      );
      // one that has ended says that the others were sent, or are about to be
      const hasty = opened({ timeoutMilliseconds: 100 });
      await isUnavailable(hasty.findUser('bob'), /timed out/);
      await slapd.kill();
      await Promise.all(waiting);
      await slapd.start();
      expect(await database.signOn('alice', passwords.alice)).to.have.property('kind', 'signedOn');
    });
  });

  describe('what it leaves behind', () => {
    it('has closed every connection by itself, and said goodbye', async () => {
      const from = slapd.log.length;
      await opened().signOn('alice', passwords.alice);
      await slapd.quiet();
      expect(slapd.lines('UNBIND', from)).to.have.length(3);
      expect(slapd.lines('connection lost', from)).to.deep.equal([]);
    });

    it('has told nobody a password', () => {
      expect(lines.length).to.be.greaterThan(20);
      expect(failures.length).to.be.greaterThan(20);
      const told = [...texts, ...failures].join('\n');
      for (const password of Object.values(passwords)) expect(told).not.to.include(password);
    });
  });
});
