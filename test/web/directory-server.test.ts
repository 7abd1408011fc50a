import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needSlapd, passwords, Slapd } from '../access/ldap/slapd.js';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';

/** Users of a real directory server at the lines of a real server. */
describe('a server with a directory server', () => {
  let slapd: Slapd | undefined;
  let site: PortalSite | undefined;
  let folder: string;

  before(async function () {
    needSlapd(this);
    slapd = await Slapd.start();
    folder = mkdtempSync(join(tmpdir(), 'sallyport-ldap-'));
    writeFileSync(join(folder, 'password'), `${passwords.reader}\n`);
    const { bindDn = '', userBase, groupBase } = slapd.definition();
    const ldap = [
      `url: '${slapd.url('ldaps')}'`,
      `ca: '${slapd.certificate.cert}'`,
      `bindDn: '${bindDn}'`,
      `bindPasswordFile: '${join(folder, 'password')}'`,
      `userBase: '${userBase}'`,
      `groupBase: '${groupBase}'`,
      "userFilter: '(|(uid={user})(mail={user}))'",
      'defaultGroupAttribute: departmentNumber',
      'administratorGroup: admins',
      'operatorGroup: operators',
      'connectSeconds: 2',
      'timeoutSeconds: 2',
    ];
    site = await startPortalSite({ crypts: '', security: `ldap: { ${ldap.join(', ')} }` });
  });
  after(async () => {
    await site?.stop();
    await slapd?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const secure = '/SECURE/capabilityCode.json+USRCAP';
  async function look(user: string, password: string, query = 'USER=bob') {
    const headers = basic(user, password);
    return new SignOnClient(site?.portalUrl ?? '').request(`${secure}?${query}`, { headers });
  }
  async function atTerminal(user: string, password: string) {
    const client = new SignOnClient(site?.clientUrl ?? '');
    return { client, reply: await client.signOn('/TERMINAL.HTML+TSO4', user, password) };
  }

  it('signs its users on, with their groups and roles', async () => {
    expect((await look('alice', passwords.alice)).status).to.equal(200);
    expect((await look('bob', passwords.bob)).status).to.equal(403);
    const { client, reply } = await atTerminal('ALICE', passwords.alice);
    expect(reply.status).to.equal(303);
    const terminal = await client.request('/TERMINAL.HTML+TSO4');
    expect(terminal.text).to.include('data-user="Alice"').and.include('data-group="writers"');
    const portal = new SignOnClient(site?.portalUrl ?? '');
    expect((await portal.signOn('/', 'bob', passwords.bob)).status).to.equal(303);
    expect((await portal.request('/')).text).to.match(/bob<\/[a-z]+>, operator/);
  });

  it('refuses wrong and empty passwords, and names that are filters', async () => {
    for (const [user, password] of [
      ['alice', passwords.wrong],
      ['alice', ''],
      ['*', passwords.alice],
      ['alice)(uid=*', passwords.alice],
      ['nobody', passwords.wrong],
    ] as const) {
      expect((await look(user, password)).status, user).to.equal(401);
    }
    expect((await atTerminal('alice', '')).reply.status).to.equal(401);
  });

  it('looks up keys for its users and groups, and shows them in the portal without changing them', async () => {
    const admin = [ADMINISTRATOR.name, ADMINISTRATOR.password] as const;
    expect((await look(...admin, 'USER=alice&GROUP=writers')).status).to.equal(200);
    expect((await look(...admin, 'GROUP=nosuch')).status).to.equal(404);
    const portal = new SignOnClient(site?.portalUrl ?? '');
    await portal.signOn('/', ...admin);
    const list = await portal.request('/users');
    expect(list.text).to.include('Alice').and.include('admin');
    const page = await portal.request('/users/Alice');
    expect([page.status, page.text.includes('name="ROLE"')]).to.deep.equal([200, false]);
    const token = /name="TOKEN" value="([^"]*)"/.exec(list.text)?.[1] ?? '';
    const changed = await portal.post('/users/Alice', { TOKEN: token, ROLE: 'user', GROUPS: '', EXPIRES: '' });
    expect(changed.status).to.be.within(400, 404);
  });

  it('answers 503 while it cannot be asked, to its users; local administrators still get in', async () => {
    await slapd?.kill();
    try {
      const gone = await look('alice', passwords.alice.toUpperCase());
      expect(gone.status).to.equal(503);
      expect(gone.headers.get('retry-after')).to.match(/^\d+$/);
      expect(gone.text).to.include('Users cannot be checked at the moment');
      const { reply } = await atTerminal('night', passwords.night);
      expect([reply.status, reply.text.includes('Users cannot be checked at the moment')]).to.deep.equal([503, true]);
      expect((await look(ADMINISTRATOR.name, ADMINISTRATOR.password, 'USER=ANNA')).status).to.equal(200);
      const portal = new SignOnClient(site?.portalUrl ?? '');
      expect((await portal.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password)).status).to.equal(303);
      expect((await portal.request('/users')).status).to.equal(200);
    } finally {
      await slapd?.start();
    }
    expect((await atTerminal('night', passwords.night)).reply.status).to.equal(303);
  });

  it('has written nothing of a password anywhere', () => {
    const logged = site?.log() ?? '';
    for (const password of Object.values(passwords)) expect(logged).to.not.include(password);
  });
});
