import { expect } from 'chai';
import type { LdapDefinition } from '../../../src/access/ldap/ldap-server.js';
import { LdapUserStore } from '../../../src/access/ldap/ldap-user-store.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { ldapFailures } from './ldap-failures.js';
import { needSlapd, passwords, Slapd } from './slapd.js';

const MOST_ENTRIES = 10_000;

describe('a directory server of many entries (slapd)', () => {
  const { log, texts } = recordingLog();
  const { failures, isUnavailable } = ldapFailures();
  const open: LdapUserStore[] = [];
  let crowded: Slapd;

  before(async function () {
    needSlapd(this);
    crowded = await Slapd.start({ crowd: MOST_ENTRIES + 1 });
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    await crowded.quiet();
  });

  after(async () => {
    await crowded?.stop();
  });

  const crowd = (groupFilter: string, changes: Partial<LdapDefinition> = {}) => {
    const definition = crowded.definition({ groupBase: 'ou=crowd,dc=example,dc=org', groupFilter, ...changes });
    const database = new LdapUserStore(definition, log);
    open.push(database);
    return database;
  };

  it('are listed up to 10,000, page by page', async () => {
    const groups = await crowd('(&(memberUid={user})(!(cn=crowd10000)))').groups();
    expect(groups).to.have.length(MOST_ENTRIES);
    expect(new Set(groups).size).to.equal(MOST_ENTRIES);
  });

  it('are a fault past that, and no list that lacks some', async () => {
    await isUnavailable(crowd('(memberUid={user})').groups(), /more than 10000 entries$/);
    await isUnavailable(crowd('(memberUid={user})').findUser('alice'), /more than 10000 entries$/);
  });

  it('are a fault where the server gives fewer', async () => {
    const changes = { bindDn: undefined, bindPassword: undefined, groupBase: 'ou=open,dc=example,dc=org' };
    const lines = Array.from({ length: 501 }, (_, n) => [
      `dn: cn=g${n},ou=open,dc=example,dc=org`,
      'changetype: add',
      'objectClass: posixGroup',
      `gidNumber: ${n}`,
      'memberUid: guest',
      '',
    ]);
    await crowded.modify(...lines.flat());
    await isUnavailable(crowd('(memberUid={user})', changes).groups(), /sizeLimitExceeded \(4\)$/);
  });

  it('have told nobody a password', () => {
    expect(failures).to.have.length(3);
    const told = [...texts, ...failures].join('\n');
    for (const password of Object.values(passwords)) expect(told).not.to.include(password);
  });
});
