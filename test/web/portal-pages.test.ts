import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { auditText, lastEntries, PortalClient, textOf } from './portal-client.js';

const PASSWORD = 'correct-Horse-9';

describe('the pages of users, groups and the audit trail', () => {
  let site: PortalSite;
  let administrator: PortalClient;
  let operator: PortalClient;

  before(async () => {
    site = await startPortalSite({ crypts: '' });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    operator = await PortalClient.signedOn(site, OPERATOR);
  });

  after(() => site?.stop());

  it('have one navigation, which says where it stands', async () => {
    const navigation = (page: string) => /<nav[\s\S]*?<\/nav>/.exec(page)?.[0] ?? '';
    const folder = join(projectFolder, 'templates', 'portal');
    const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(pages.filter((page) => page.includes('<nav id="sections"'))).to.have.lengthOf(1);
    for (const [path, name] of [
      ['/', 'Overview'],
      ['/macros', 'Macros'],
      ['/users', 'Users'],
      ['/groups', 'Groups'],
      ['/tokens', 'Tokens'],
      ['/drafts', 'Drafts'],
      ['/audit', 'Audit trail'],
    ]) {
      const { status, text } = await administrator.get(path ?? '');
      expect(status, path).to.equal(200);
      expect(navigation(text), path).to.match(new RegExp(`aria-current="page">${name}<`));
      expect(navigation(text).match(/aria-current/g), path).to.have.lengthOf(1);
    }
    for (const path of ['/users/ANNA', '/new/user', '/users/ANNA/remove']) {
      expect((await administrator.get(path)).text, path).to.include('aria-current="true">Users<');
    }
  });

  it('tell of this server, and of users who are locked', async () => {
    for (let wrong = 0; wrong < 10; wrong++) await site.users.signOn(BERT.name, 'wrong');
    await eventually(async () => (await site.users.findRecord(BERT.name))?.locked);
    const { text } = await administrator.get('/');
    expect(textOf(text))
      .to.include('W-HTTP')
      .and.match(/BERT\s*, since \d{4}-\d\d-\d\d/);
    expect(textOf((await administrator.get('/users')).text)).to.include('locked since');
    const { status, headers } = await administrator.post('/users/BERT/unlock', {});
    expect([status, headers.get('location')]).to.deep.equal([303, '/users/BERT?done=user-unlocked']);
    const [entry] = lastEntries(site, 1);
    expect(entry).to.include({ who: 'admin', what: 'user.unlocked', subject: 'user BERT' });
    expect(entry?.before).to.have.property('locked');
    expect(entry?.after).to.not.have.property('locked');
    expect((await administrator.get('/')).text).to.include('No user is locked');
  });

  it('add a user, whose groups come into being, and who signs on then', async () => {
    const fields = { USERID: 'C#$@1', ROLE: 'operator', GROUPS: 'OPS, new.Group', EXPIRES: '2099-12-31' };
    const { status, headers } = await administrator.postPassword('/new/user', PASSWORD, fields);
    expect([status, headers.get('location')]).to.deep.equal([303, '/users?done=user-added']);
    expect(await site.users.findRecord('C#$@1')).to.include({ role: 'operator', expires: '2099-12-31' });
    const [group, user] = lastEntries(site, 2);
    expect(user).to.deep.include({ who: 'admin', what: 'user.added', subject: 'user C#$@1' });
    expect(user?.after).to.deep.equal({
      name: 'C#$@1',
      role: 'operator',
      groups: ['OPS', 'new.Group'],
      expires: '2099-12-31',
    });
    expect(group).to.deep.include({ what: 'group.added', subject: 'group new.Group', after: { name: 'new.Group' } });
    const list = (await administrator.get('/users?done=user-added')).text;
    expect(list).to.include('The user was added.').and.include('href="/users/C%23%24%401"');
    expect(textOf((await administrator.get('/users/C%23%24%401')).text)).to.include('until 2099-12-31');
    const added = await PortalClient.signedOn(site, { name: 'C#$@1', password: PASSWORD });
    expect((await added.get('/users')).status).to.equal(200);
  });

  it('change one, with the default group first', async () => {
    const { status } = await administrator.post('/users/ANNA', { ROLE: 'user', GROUPS: 'dev ops', EXPIRES: '' });
    expect(status).to.equal(303);
    expect((await site.users.findUser('ANNA'))?.groups).to.deep.equal(['DEV', 'OPS']);
    const [entry] = lastEntries(site, 1);
    expect(entry).to.deep.include({ what: 'user.changed', subject: 'user ANNA' });
    expect([entry?.before?.groups, entry?.after?.groups]).to.deep.equal([
      ['OPS', 'DEV'],
      ['DEV', 'OPS'],
    ]);
  });

  it('keep what was typed where it is refused, but no password', async () => {
    const fields = { USERID: '-wrong', ROLE: 'operator', GROUPS: 'OPS <b>', EXPIRES: '2099-12-31' };
    const { status, text } = await administrator.postPassword('/new/user', PASSWORD, fields);
    expect(status).to.equal(400);
    expect(textOf(text)).to.include('"-wrong" is not a valid user ID');
    expect(text).to.include('value="-wrong"').and.include('value="OPS &lt;b&gt;"').and.include('value="2099-12-31"');
    expect(text).to.include('<option value="operator" selected>operator</option>').and.not.include(PASSWORD);
    const twice = await administrator.postPassword('/new/user', PASSWORD, { ...fields, USERID: 'anna', GROUPS: '' });
    expect([twice.status, textOf(twice.text)].join())
      .to.include('400')
      .and.include('The user ANNA already exists');
    const last = await administrator.post('/users/admin', { ROLE: 'user', GROUPS: '', EXPIRES: '' });
    expect([last.status, textOf(last.text)].join())
      .to.include('400')
      .and.include('You cannot change your own role.');
    expect(last.text).to.include('<option value="user" selected>user</option>');
    const gone = await administrator.post('/users/admin/remove', {});
    expect([gone.status, textOf(gone.text)].join())
      .to.include('400')
      .and.include('last administrator');
    for (const [name, value] of [
      ['ROLE', 'king'],
      ['EXPIRES', '2099-02-31'],
      ['GROUPS', 'a/b'],
    ] as const) {
      const refused = await administrator.post('/users/ANNA', { ROLE: 'user', GROUPS: '', EXPIRES: '', [name]: value });
      expect(refused.status, name).to.equal(400);
    }
    expect((await site.users.findUser('ANNA'))?.groups).to.deep.equal(['DEV', 'OPS']);
  });

  it('set a password that was typed twice alike, and show none', async () => {
    for (const [password, again, words] of [
      ['short', 'short', 'at least 8 characters'],
      [PASSWORD, 'another-Horse', 'The two passwords differ'],
    ] as const) {
      const { status, text } = await administrator.postPassword('/users/ANNA/password', password, {}, again);
      expect([status, textOf(text)].join())
        .to.include('400')
        .and.include(words);
      expect(text).to.not.include(password).and.not.include(again);
    }
    const before = await PortalClient.signedOn(site, ANNA);
    expect((await before.get('/')).status).to.equal(403);
    const { status, headers } = await administrator.postPassword('/users/ANNA/password', PASSWORD);
    expect([status, headers.get('location')]).to.deep.equal([303, '/users/ANNA?done=password-set']);
    expect(lastEntries(site, 1)[0]).to.include({ what: 'user.passwordSet', subject: 'user ANNA' });
    expect((await before.get('/')).status, 'her sign-on is over').to.equal(401);
    expect((await site.users.signOn('ANNA', PASSWORD)).kind).to.equal('signedOn');
    expect(
      (await administrator.post('/users/ANNA/password', { PASSWORD, 'PASSWORD-AGAIN': PASSWORD })).status,
    ).to.equal(400);
  });

  it('make a password where the browser cannot, and show it once', async () => {
    const { status, text } = await administrator.postPassword('/users/ANNA/password', '', { MAKE: 'yes' });
    expect(status).to.equal(200);
    const made = /<output[^>]*>([^<]{20})</.exec(text)?.[1] ?? '';
    expect((await site.users.signOn('ANNA', made)).kind).to.equal('signedOn');
    expect((await administrator.get('/users/ANNA')).text).to.not.include(made);
    expect(auditText(site) + site.log()).to.not.include(made);
  });

  it('remove one after a confirmation', async () => {
    const { text } = await administrator.get('/users/C%23%24%401/remove');
    expect(textOf(text)).to.include('Remove user C#$@1?').and.include('OPS, new.Group');
    expect(await site.users.findUser('C#$@1')).to.not.equal(undefined);
    const { status, headers } = await administrator.post('/users/C%23%24%401/remove', {});
    expect([status, headers.get('location')]).to.deep.equal([303, '/users?done=user-removed']);
    expect(await site.users.findUser('C#$@1')).to.equal(undefined);
    expect(lastEntries(site, 1)[0]).to.include({ what: 'user.removed', subject: 'user C#$@1' });
    expect((await administrator.get('/users/C%23%24%401')).status).to.equal(404);
  });

  it('tell before a user is removed whether macros stay behind', async () => {
    const path = '/users/BERT/remove';
    expect(textOf((await administrator.get(path)).text)).to.not.include('macros of this user stay');
    const file = '{"macros":[{"name":"one","rev":1,"def":["ENTER"]}],"fmt":2}';
    expect((await administrator.upload('/macros/user/BERT', file)).status).to.equal(303);
    expect(textOf((await administrator.get(path)).text)).to.include(
      'The macros of this user stay at /macros/user/BERT. To delete the macros, remove them before you remove the user.',
    );
    expect((await administrator.post('/macros/user/BERT/remove', {})).status).to.equal(303);
    expect(textOf((await administrator.get(path)).text)).to.not.include('macros of this user stay');
  });

  it('add and remove groups; those with members stay, and the page says who they are', async () => {
    expect((await administrator.post('/groups', { GROUP: '$A#1' })).headers.get('location')).to.equal(
      '/groups?done=group-added',
    );
    expect(lastEntries(site, 1)[0]).to.deep.include({ what: 'group.added', subject: 'group $A#1' });
    const again = await administrator.post('/groups', { GROUP: '$a#1' });
    expect([again.status, textOf(again.text)].join())
      .to.include('400')
      .and.include('The group $A#1 already exists');
    expect(again.text).to.include('value="$a#1"');
    const path = /href="([^"]+)" aria-label="Remove \$A#1"/.exec((await administrator.get('/groups')).text)?.[1] ?? '';
    expect((await administrator.get(path)).text).to.include('The group has no members.');
    expect((await administrator.post(path, {})).status).to.equal(303);
    expect(lastEntries(site, 1)[0]).to.deep.include({ what: 'group.removed', subject: 'group $A#1' });
    const page = await administrator.get('/groups/ops/remove');
    expect(textOf(page.text)).to.include('ANNA, BERT');
    expect(page.text).to.not.include('action="/groups');
    const refused = await administrator.post('/groups/OPS/remove', {});
    expect([refused.status, textOf(refused.text)].join())
      .to.include('400')
      .and.include('Group OPS has 2 users');
  });

  it('are numbered where there are several, and only there', async () => {
    expect(textOf((await administrator.get('/users')).text)).to.not.match(/Page \d+ of/);
  });

  it('find users by name and by group, a hundred to a page', async () => {
    await administrator.post('/groups', { GROUP: 'MANY' });
    for (let number = 0; number < 101; number++) {
      const name = `many${String(number).padStart(3, '0')}`;
      await site.users.addUser({ name, role: 'user', groups: ['MANY'], expires: undefined }, undefined);
    }
    const first = (await administrator.get('/users?group=many')).text;
    expect(first).to.include('many099').and.include('Page 1 of 2').and.not.include('many100');
    expect(first).to.include('href="/users?group=many&amp;page=2"');
    const second = (await administrator.get('/users?group=many&page=2')).text;
    expect(second).to.include('many100').and.not.include('many099');
    const found = textOf((await administrator.get('/users?search=ANY05')).text);
    expect(found).to.include('many050').and.not.include('many060');
    const hostile = (await administrator.get(`/users?search=${encodeURIComponent('"><b>')}`)).text;
    expect(hostile).to.include('value="&quot;&gt;&lt;b&gt;"').and.include('No user found');
    expect((await administrator.get('/users?page=9999')).text).to.include('Page 2 of 2');
  });

  it('show the audit trail, newest first, and older entries by their number', async () => {
    const { text } = await administrator.get('/audit');
    const numbers = [...text.matchAll(/data-label="No\.">(\d+)</g)].map(([, number]) => Number(number));
    expect(numbers).to.deep.equal([...numbers].sort((one, other) => other - one));
    expect(textOf(text)).to.include('groups: OPS, DEV → DEV, OPS');
    const older = (await administrator.get('/audit?before=5')).text;
    const before = [...older.matchAll(/data-label="No\.">(\d+)</g)].map(([, number]) => Number(number));
    expect(textOf(older)).to.include('Newest');
    // the first is a sign-on; the intents of changes are not shown
    expect(before.at(-1)).to.equal(1);
    expect(before.length).to.be.within(2, 3);
    expect(before[0]).to.be.lessThan(5);
    expect((await administrator.get('/audit?before=nonsense')).status).to.equal(200);
  });

  it('let operators see, and change nothing', async () => {
    for (const path of [
      '/',
      '/macros',
      '/macros/global',
      '/macros/group/OPS',
      '/users',
      '/users/ANNA',
      '/groups',
      '/tokens',
      '/drafts',
      '/audit',
    ]) {
      const { status, text } = await operator.get(path);
      expect(status, path).to.equal(200);
      const forms = [...text.matchAll(/<form[^>]*method="post"[^>]*>/g)].map(([form]) => form);
      expect(forms, path).to.deep.equal([
        '<form class="sign-off" method="post" action="/signoff">',
        '<form class="languages" method="post" action="/language">',
      ]);
      expect(text, path).to.not.match(/Remove …|Restore …|Add a user/);
    }
    for (const path of [
      '/new/user',
      '/users/ANNA/password',
      '/users/ANNA/remove',
      '/groups/OPS/remove',
      '/macros/global/remove',
      '/drafts/0/remove',
    ]) {
      expect((await operator.get(path)).status, path).to.equal(403);
      expect((await operator.post(path, {})).status, path).to.equal(403);
    }
    for (const path of ['/users/ANNA', '/users/ANNA/unlock', '/groups']) {
      expect((await operator.post(path, { GROUP: 'X', ROLE: 'user' })).status, path).to.equal(403);
    }
    expect((await operator.upload('/macros/global', '{"macros":[]}')).status).to.equal(403);
  });

  it('let users without a role see nothing, and sign off', async () => {
    await site.users.setPassword('ANNA', ANNA.password);
    const anna = await PortalClient.signedOn(site, ANNA);
    const { status, text } = await anna.get('/users');
    expect(status).to.equal(403);
    expect(text).to.include('action="/signoff"').and.not.include('BERT');
    expect((await anna.get('/users', { Accept: 'application/json' })).text).to.include('SVC_ERR_SIGNON_ROLE');
  });

  it('refuse forms that no page of theirs has sent', async () => {
    for (const token of ['', 'wrong', operator.token]) {
      const { status, text } = await administrator.post('/groups', { GROUP: 'FORGED', TOKEN: token });
      expect(status, token).to.equal(403);
      expect(text).to.not.include('FORGED');
    }
    for (const headers of [{ Origin: 'http://evil.example' }, { 'Sec-Fetch-Site': 'same-site' }] as const) {
      expect(
        (await administrator.post('/groups', { GROUP: 'FORGED' }, headers as Record<string, string>)).status,
      ).to.equal(403);
    }
    expect((await administrator.post('/users/BERT/remove', { TOKEN: '' })).status).to.equal(403);
    expect((await administrator.upload('/macros/global', '{"macros":[]}', { TOKEN: 'wrong' })).status).to.equal(403);
    expect(await site.users.groups()).to.not.include('FORGED');
  });

  it('answer scripts with JSON: where to go, or what is wrong', async () => {
    const json = { Accept: 'application/json' };
    const done = await administrator.post('/groups', { GROUP: 'SCRIPT' }, json);
    expect([done.status, JSON.parse(done.text)]).to.deep.equal([200, { next: '/groups?done=group-added' }]);
    const wrong = await administrator.post('/groups', { GROUP: 'SCRIPT' }, json);
    expect(wrong.status).to.equal(400);
    expect(JSON.parse(wrong.text)).to.include({ code: 'SVC_ERR_SECURITY_CHANGE' });
    expect(JSON.parse(wrong.text).message).to.include('The group SCRIPT already exists');
  });

  it('lead to where they are, once somebody has signed on in between', async () => {
    const stranger = new URLSearchParams({ GROUP: 'LATE' });
    const reply = await fetch(`${site.portalUrl}/groups`, { method: 'POST', body: stranger, redirect: 'manual' });
    expect([reply.status, (await reply.text()).includes('SIGNON-CODE')]).to.deep.equal([401, true]);
    const file = new FormData();
    file.set('file', new Blob(['x'.repeat(100_000)]), 'macros.json');
    const upload = await fetch(`${site.portalUrl}/macros/global`, { method: 'POST', body: file });
    expect([upload.status, (await upload.text()).includes('SIGNON-CODE')]).to.deep.equal([401, true]);
  });

  it('have the headers of private pages, and no unknown paths or methods', async () => {
    const { headers } = await administrator.get('/users');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('content-security-policy')).to.include("script-src 'self'").and.not.include('unsafe');
    expect((await administrator.get('/nothing')).status).to.equal(404);
    expect((await administrator.get('/USERS.HTML')).status).to.equal(404);
    const { status, headers: refused } = await administrator.post('/audit', {});
    expect([status, refused.get('allow')]).to.deep.equal([405, 'GET']);
    expect((await administrator.get('/users?done=%3Cb%3E')).text).to.not.include('class="notice"');
  });

  it('leave no password in any log or in the audit trail', () => {
    const kept = site.log() + auditText(site);
    for (const password of [PASSWORD, ADMINISTRATOR.password, ANNA.password]) expect(kept).to.not.include(password);
  });
});

describe('pages of the portal that a site has made itself', () => {
  const DECLARATION =
    '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}';
  let folder: string;
  let site: PortalSite;
  let administrator: PortalClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-portal-pages-'));
    const name = '{{{CURRENT-VALUE-OF "$NAME$"}}}';
    writeFileSync(join(folder, 'USER.HTML'), `${DECLARATION}\n<title>Our ${name}</title>\n<h1>Our ${name}</h1>\n`);
    writeFileSync(join(folder, 'GROUPS.HTML'), `<!DOCTYPE html>\n${DECLARATION}<title>Ours</title>\n<h1>Ours</h1>\n`);
    site = await startPortalSite({ crypts: '', portalPages: folder });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
  });

  after(async () => {
    await site?.stop();
    rmSync(folder, { recursive: true });
  });

  it('stand in the frame, where they begin with a title', async () => {
    const { text } = await administrator.get('/users/ANNA');
    expect(text)
      .to.include('<title>Our ANNA – Sallyport</title>')
      .and.match(/<main[^>]*>[\s\S]*<h1>Our ANNA<\/h1>\n<\/main>/);
    expect(text.match(/<title>/g)).to.have.lengthOf(1);
    expect(text).to.include('aria-label="Portal"');
  });

  it('are shown as they are, where they are whole documents', async () => {
    expect((await administrator.get('/groups')).text).to.equal('<!DOCTYPE html>\n<title>Ours</title>\n<h1>Ours</h1>\n');
  });
});
