import { expect } from 'chai';
import { LdapFilter, withValue } from '../../../src/access/ldap/ldap-user-store.js';

describe('search filters (RFC 4515)', () => {
  // section 3 and its examples: asterisk, parentheses, backslash and NUL are written as two hexadecimal digits
  for (const [value, escaped] of [
    ['alice', 'alice'],
    ['Parens R Us (for all your parenthetical needs)', 'Parens R Us \\28for all your parenthetical needs\\29'],
    ['*', '\\2a'],
    ['C:\\MyFile', 'C:\\5cMyFile'],
    ['\0\0\0\u0004', '\\00\\00\\00\u0004'],
    ['Lučić', 'Lučić'],
    ['$&$1', '$&$1'],
    ['{dn}', '{dn}'],
  ] as const) {
    it(`takes ${JSON.stringify(value)} for nothing but text`, () => {
      const filter = new LdapFilter('filter', '(|(a={user})(b={dn}))', ['user']);
      expect(filter.fill({ user: value, dn: 'cn=x' })).to.equal(`(|(a=${escaped})(b=cn=x))`);
      expect(filter.fill({ user: 'x', dn: value })).to.equal(`(|(a=x)(b=${escaped}))`);
      expect(withValue('cn', value, '(a=b)')).to.equal(`(&(cn=${escaped})(a=b))`);
    });
  }

  for (const [template, forAnybody] of [
    ['uid={user}', '(uid=*)'],
    ['(&(objectClass=user)(|(uid={user})(member={dn})))', '(&(objectClass=user)(|(uid=*)(member=*)))'],
    ['(mail={user}@example.org)', '(mail=*@example.org)'],
    ['(member:1.2.840.113556.1.4.1941:={dn})', '(member=*)'],
    ['(ou:dn:caseIgnoreMatch:={user})', '(ou=*)'],
  ] as const) {
    it(`asks with ${template} for anybody as ${forAnybody}`, () => {
      expect(new LdapFilter('filter', template, ['user', 'dn']).forAnybody).to.equal(forAnybody);
    });
  }
});
