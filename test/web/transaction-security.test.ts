import { expect } from 'chai';
import { needCommand } from '../support/need.js';
import { ADMINISTRATOR, ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';

const levels = [0, 1, 2, 3, 4, 5];
const transactions = levels
  .flatMap((level) => [
    `      T${level}: { applicationType: 2, security: ${level}, page: BYE.HTML, description: 'Level ${level}' }`,
    `      S${level}: { applicationType: 1, application: SIM, security: ${level} }`,
    `      d${level}: { applicationType: 4, application: W2H-DIR, security: ${level} }`,
  ])
  .join('\n');

/** What a transaction asks of its user before it is served (reference 1.5). */
describe('security of transactions', () => {
  let site: PortalSite;

  before(async function () {
    needCommand(this, 'openssl');
    site = await startPortalSite({ transactions });
  });
  after(() => site?.stop());

  const paths = (level: number) => [`/BYE.HTML+T${level}`, `/TERMINAL.HTML+S${level}`, `/d${level}/favicon.svg`];
  const signedOn = async () => {
    const client = new SignOnClient(site.clientUrl);
    expect((await client.signOn('/BYE.HTML+T4', 'anna', ANNA.password)).status).to.equal(303);
    return client;
  };

  /** By level: of nobody, with HTTP Basic, with a sign-on by the form. */
  const expected: Readonly<Record<number, readonly [number, number, number]>> = {
    0: [200, 200, 200],
    1: [401, 200, 200],
    2: [403, 403, 403],
    3: [403, 403, 403],
    4: [401, 200, 200],
    5: [403, 200, 200],
  };
  for (const level of levels) {
    const [nobody, byBasic, byForm] = expected[level] ?? [];
    it(`${level}: ${nobody} for nobody, ${byBasic} with HTTP Basic, ${byForm} after the form`, async () => {
      const client = await signedOn();
      for (const path of paths(level)) {
        expect((await new SignOnClient(site.clientUrl).request(path)).status, path).to.equal(nobody);
        const headers = basic(ANNA.name, ANNA.password);
        expect((await new SignOnClient(site.clientUrl).request(path, { headers })).status, path).to.equal(byBasic);
        expect((await client.request(path)).status, path).to.equal(byForm);
      }
      const [first = ''] = paths(level);
      const wrong = await new SignOnClient(site.clientUrl).request(first, { headers: basic(ANNA.name, 'wrong') });
      expect(wrong.status).to.equal({ 0: 200, 2: 403, 3: 403 }[level] ?? 401);
      if (wrong.status === 401) expect(wrong.headers.get('www-authenticate')).to.match(/^Basic realm="Sallyport"/);
    });
  }

  it('asks with a challenge that opens no window of a browser where the form is meant', async () => {
    const { headers, text } = await new SignOnClient(site.clientUrl).request('/BYE.HTML+T4');
    expect(headers.get('www-authenticate')).to.match(/^SallyportForm /);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(text).to.include('name="PASSWORD" type="password"').and.include('data-modulus');
    const json = await new SignOnClient(site.clientUrl).request('/BYE.HTML+T4', {
      headers: { Accept: 'application/json' },
    });
    expect([json.status, JSON.parse(json.text).code]).to.deep.equal([401, 'SVC_ERR_SIGNON_NEEDED']);
  });

  it('signs on by the form with an encrypted password, and leads to where the form stood, query and all', async () => {
    const client = new SignOnClient(site.clientUrl);
    const path = '/BYE.HTML+T4?A=b%20c&D=%26';
    const reply = await client.signOn(path, 'ANNA', ANNA.password);
    expect([reply.status, reply.headers.get('location')]).to.deep.equal([303, path]);
    expect(reply.headers.getSetCookie()[0]).to.match(
      /^SvcSignon=[A-Za-z0-9_-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await client.request(path)).status).to.equal(200);
  });

  it('shows the form again after a wrong password, with words for its user and nothing of the password', async () => {
    const client = new SignOnClient(site.clientUrl);
    const reply = await client.signOn('/BYE.HTML+T4', '<b>canary</b>', 'wrong-canary');
    expect(reply.status).to.equal(401);
    expect(reply.text)
      .to.match(/role="alert"[^>]*>The user ID or the password is wrong/)
      .and.not.include('canary');
    expect(client.cookies.has('SvcSignon')).to.equal(false);
    expect(site.log()).to.not.include('canary');
  });

  it('takes a form once, from the address it was given to, and encrypted alone', async () => {
    const client = new SignOnClient(site.clientUrl);
    const { text } = await client.request('/BYE.HTML+T4');
    const fields = client.fieldsFor(text, 'ANNA', ANNA.password);
    const clear = await client.post('/BYE.HTML+T4', { ...fields, PASSWORD: ANNA.password });
    expect([clear.status, client.cookies.size]).to.deep.equal([400, 0]);
    expect((await client.post('/BYE.HTML+T4', fields)).status).to.equal(303);
    const again = new SignOnClient(site.clientUrl);
    expect((await again.post('/BYE.HTML+T4', fields)).status).to.equal(401);
    expect((await again.post('/BYE.HTML+T4', { ...fields, 'SIGNON-CODE': 'A'.repeat(32) })).status).to.equal(401);
    expect(again.cookies.size).to.equal(0);
  });

  it('takes no form that a page of another site has a browser send', async () => {
    for (const headers of [{ Origin: 'http://evil.test' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const client = new SignOnClient(site.clientUrl);
      expect((await client.signOn('/BYE.HTML+T4', 'ANNA', ANNA.password, headers)).status).to.equal(403);
    }
    const picture = {
      ...basic(ANNA.name, ANNA.password),
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'no-cors',
      'Sec-Fetch-Dest': 'image',
    };
    expect((await new SignOnClient(site.clientUrl).request('/BYE.HTML+T1', { headers: picture })).status).to.equal(403);
  });

  it('takes no POST for a secured transaction that a page of another origin has a browser send', async () => {
    const user = await signedOn();
    for (const headers of [{ Origin: 'http://evil.test' }, { 'Sec-Fetch-Site': 'same-site' }]) {
      expect((await user.post('/BYE.HTML+T4', { A: 'b' }, headers)).status).to.equal(403);
      const byBasic = { ...basic(ANNA.name, ANNA.password), ...headers };
      expect((await new SignOnClient(site.clientUrl).post('/BYE.HTML+T1', { A: 'b' }, byBasic)).status).to.equal(403);
      expect((await user.post('/BYE.HTML+T0', { A: 'b' }, headers)).status).to.equal(200);
    }
  });

  it('takes POST for scenarios, and for the form alone elsewhere', async () => {
    const client = new SignOnClient(site.clientUrl);
    for (const path of ['/TERMINAL.HTML+S0', '/TERMINAL.HTML+S1', '/d1/favicon.svg', '/']) {
      const { status, headers } = await client.post(path, {});
      expect([status, headers.get('allow')?.startsWith('GET')], path).to.deep.equal([405, true]);
    }
    for (const level of levels) {
      const [nobody, byBasic, byForm] = expected[level] ?? [];
      const path = `/BYE.HTML+T${level}`;
      const user = await signedOn();
      const statuses = [
        (await client.post(path, { A: 'b' })).status,
        (await client.post(path, { A: 'b' }, basic(ANNA.name, ANNA.password))).status,
        (await user.post(path, { A: 'b' })).status,
      ];
      expect(statuses, path).to.deep.equal([nobody, byBasic, byForm]);
    }
  });

  it('ends a sign-on and its sessions when its user signs off, and with another password, and with the user', async () => {
    const client = await signedOn();
    const opened = await client.request('/TERMINAL.HTML+S4');
    const session = /action="([^"]+)"/.exec(opened.text)?.[1] ?? '';
    expect((await client.request(session)).status).to.equal(200);
    const { status, headers } = await client.post('/signoff', {});
    expect([status, headers.get('location'), client.cookies.has('SvcSignon')]).to.deep.equal([303, '/', false]);
    expect((await client.request(session)).status).to.equal(404);
    const old = await signedOn();
    await site.users.setPassword(ANNA.name, 'another-Geheim-1');
    expect((await old.request('/BYE.HTML+T4')).status).to.equal(401);
    await site.users.setPassword(ANNA.name, ANNA.password);
    await site.users.addUser({ name: 'GUEST', role: 'user', groups: [], expires: undefined }, 'guest-password');
    const guest = new SignOnClient(site.clientUrl);
    await guest.signOn('/BYE.HTML+T4', 'GUEST', 'guest-password');
    expect((await guest.request('/BYE.HTML+T4')).status).to.equal(200);
    await site.users.removeUser('GUEST');
    expect((await guest.request('/BYE.HTML+T4')).status).to.equal(401);
  });

  it('ends sessions that go on by themselves when their user is removed in the portal', async () => {
    await site.users.addUser({ name: 'LEAVER', role: 'user', groups: [], expires: undefined }, 'leaver-password');
    const [byForm, byBasic] = [new SignOnClient(site.clientUrl), new SignOnClient(site.clientUrl)];
    await byForm.signOn('/TERMINAL.HTML+S4', 'LEAVER', 'leaver-password');
    const headers = basic('LEAVER', 'leaver-password');
    const opened = [
      [byForm, await byForm.request('/TERMINAL.HTML+S4')],
      [byBasic, await byBasic.request('/TERMINAL.HTML+S1', { headers })],
    ] as const;
    const sessions = opened.map(([client, { text }]) => [client, /action="([^"]+)"/.exec(text)?.[1] ?? ''] as const);
    for (const [client, path] of sessions) expect((await client.request(path)).status).to.equal(200);
    const portal = new SignOnClient(site.portalUrl);
    await portal.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
    const { text } = await portal.request('/users/LEAVER/remove');
    const token = /name="TOKEN" value="([^"]*)"/.exec(text)?.[1] ?? '';
    expect((await portal.post('/users/LEAVER/remove', { TOKEN: token })).status).to.equal(303);
    for (const [client, path] of sessions) expect((await client.request(path)).status).to.equal(404);
  });

  it('is one thing at the portal and another at a client line, though cookies know no ports', async () => {
    const client = new SignOnClient(site.clientUrl);
    expect((await client.signOn('/BYE.HTML+T4', ADMINISTRATOR.name, ADMINISTRATOR.password)).status).to.equal(303);
    const code = client.cookies.get('SvcSignon') ?? '';
    const portal = new SignOnClient(site.portalUrl);
    portal.cookies.set('SvcSignon', code).set('SvcPortalSignon', code);
    expect((await portal.request('/')).status).to.equal(401);
  });

  it('tells pages who has signed on, and connection scripts too', async () => {
    const client = await signedOn();
    expect((await client.request('/CLIWHOST.HTML')).text).to.include('Signed on as <b>ANNA</b>');
    expect((await client.request('/')).text).to.include('Level 5');
    const nobody = await new SignOnClient(site.clientUrl).request('/');
    expect(nobody.text).to.not.include('Signed on as').and.not.include('Level 5').and.not.include('Level 3');
    expect(nobody.text).to.include('Level 4').and.include('Level 1');
    const terminal = await client.request('/TERMINAL.HTML+S4');
    expect(terminal.text).to.include('data-macros="centralized"').and.include('data-user="ANNA"');
    expect((await new SignOnClient(site.clientUrl).request('/TERMINAL.HTML+S0')).text).to.include(
      'data-macros="local"',
    );
  });
});

describe('macros on the client line', () => {
  let site: PortalSite;

  before(async () => {
    site = await startPortalSite({ crypts: '', yaml: 'macroPublishers: dev' });
  });
  after(() => site?.stop());

  const set = (name: string) => `{"macros":[{"name":"${name}","rev":1,"def":["ENTER"]}],"fmt":2}`;
  const path = (level: string) => `/w2h/${level}/macros.json`;
  const as = async ({ name, password }: { readonly name: string; readonly password: string }) => {
    const client = new SignOnClient(site.clientUrl);
    expect((await client.signOn('/TERMINAL.HTML+TSO4', name, password)).status).to.equal(303);
    return client;
  };
  const put = (client: SignOnClient, body: string, headers: Readonly<Record<string, string>> = {}, level = 'user') =>
    client.request(path(level), { method: 'PUT', body, headers: { 'Content-Type': 'application/json', ...headers } });

  it('are read by whoever has signed on, and a missing file is an empty list', async () => {
    const anna = await as(ANNA);
    for (const level of ['global', 'group', 'user', 'USER']) {
      const { status, text, headers } = await anna.request(path(level));
      expect([status, JSON.parse(text), headers.get('etag')], level).to.deep.equal([200, { macros: [], fmt: 2 }, null]);
    }
    for (const level of ['global', 'group', 'user']) {
      expect((await new SignOnClient(site.clientUrl).request(path(level))).status, level).to.equal(401);
      const headers = basic(BERT.name, BERT.password);
      expect((await new SignOnClient(site.clientUrl).request(path(level), { headers })).status, level).to.equal(200);
    }
  });

  it('of the own level are saved, once for each state that was seen', async () => {
    const [anna, bert] = [await as(ANNA), await as(BERT)];
    const first = await put(anna, set('one'), { 'If-None-Match': '*' });
    expect(first.status).to.equal(204);
    const etag = first.headers.get('etag') ?? '';
    expect((await put(anna, set('two'), { 'If-None-Match': '*' })).status).to.equal(412);
    expect((await put(anna, set('two'), { 'If-Match': '"other"' })).status).to.equal(412);
    expect((await anna.request(path('user'))).text).to.equal(set('one'));
    expect((await put(anna, set('two'), { 'If-Match': etag })).status).to.equal(204);
    expect((await anna.request(path('user'))).text).to.equal(set('two'));
    expect((await bert.request(path('user'))).text).to.equal('{"macros":[],"fmt":2}');
    const known = await anna.request(path('user'));
    const again = await anna.request(path('user'), { headers: { 'If-None-Match': known.headers.get('etag') ?? '' } });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    expect((await put(anna, `\ufeff${set('three')}`)).status).to.equal(204);
    const unmarked = await anna.request(path('user'));
    expect(unmarked.headers.get('content-length')).to.equal(String(set('three').length).padStart(8, '0'));
  });

  it("of groups, of all and of others are nobody's to save here", async () => {
    const anna = await as(BERT);
    const { status, headers } = await put(anna, set('evil'), {}, 'global');
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect((await put(anna, set('evil'), {}, 'group')).status).to.equal(403);
    for (const level of ['user/ANNA', 'user%2fanna', '../user', 'users']) {
      expect([400, 404, 405], level).to.include((await put(anna, set('evil'), {}, level)).status);
    }
  });

  it('are published to groups by who may: administrators to all, members of the group of publishers to their own', async () => {
    const [anna, bert, admin] = [await as(ANNA), await as(BERT), await as(ADMINISTRATOR)];
    await site.users.addGroup('SALES');
    const publishing = async (client: SignOnClient) => {
      const { status, text } = await client.request('/w2h/group/publishing.json');
      return [status, JSON.parse(text)];
    };
    const nobody = new SignOnClient(site.clientUrl);
    expect((await nobody.request('/w2h/group/publishing.json')).status).to.equal(401);
    expect(await publishing(bert)).to.deep.equal([200, { groups: [] }]);
    expect(await publishing(anna)).to.deep.equal([200, { groups: ['DEV', 'OPS'] }]);
    expect(await publishing(admin)).to.deep.equal([200, { groups: ['DEV', 'OPS', 'SALES'] }]);
    const to = async (client: SignOnClient, group: string, name = 'new') => {
      const address = `/w2h/group/macros.json?GROUP=${group}`;
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
      const { status, text } = await client.request(address, { method: 'PUT', body: set(name), headers });
      return [status, text === '' ? '' : (JSON.parse(text) as { message: string }).message];
    };
    const refused = [403, 'This user is not allowed to do that. You may not publish macros to this group.'];
    // a group that there is not is told to administrators alone
    for (const group of ['OPS', 'SALES', 'NONE']) expect(await to(bert, group), group).to.deep.equal(refused);
    for (const group of ['SALES', 'NONE', '..']) expect(await to(anna, group), group).to.deep.equal(refused);
    expect((await anna.request('/w2h/group/macros.json?GROUP=SALES')).status).to.equal(403);
    expect((await bert.request('/w2h/group/macros.json?GROUP=OPS')).status).to.equal(403);
    expect(await to(anna, 'dev', 'hers')).to.deep.equal([204, '']);
    expect(await to(admin, 'SALES', 'his')).to.deep.equal([204, '']);
    expect((await to(admin, 'NONE'))[0]).to.equal(404);
    const read = async (client: SignOnClient, group: string) => {
      const { headers, text } = await client.request(`/w2h/group/macros.json?GROUP=${group}`);
      return [headers.get('allow'), text];
    };
    expect(await read(anna, 'DEV')).to.deep.equal(['GET, HEAD, PUT', set('hers')]);
    expect(await read(admin, 'SALES')).to.deep.equal(['GET, HEAD, PUT', set('his')]);
    // the right ends with the membership, also for who has signed on
    await site.users.changeUser(ANNA.name, { groups: ['OPS'] });
    expect(await to(anna, 'OPS')).to.deep.equal(refused);
    await site.users.changeUser(ANNA.name, { groups: ['OPS', 'DEV'] });
  });

  it('are refused with the place of a fault, by type, by size and from elsewhere, and nothing is lost', async () => {
    const anna = await as(ANNA);
    await put(anna, set('kept'));
    const json = { Accept: 'application/json' };
    const wrong = await put(anna, '{"macros":[{"name":"","def":[]}]}', json);
    expect(wrong.status).to.equal(400);
    expect(JSON.parse(wrong.text).message).to.include('$.macros[0].name');
    expect((await put(anna, set('x'), { 'Content-Type': 'text/plain' })).status).to.equal(415);
    expect((await put(anna, `{"macros":[]}${' '.repeat(1_048_576 - 12)}`)).status).to.equal(413);
    expect((await put(anna, set('x'), { Origin: 'http://evil.test' })).status).to.equal(403);
    expect((await put(anna, set('x'), { 'Sec-Fetch-Site': 'same-site' })).status).to.equal(403);
    expect((await anna.request(path('user'))).text).to.equal(set('kept'));
    expect((await put(anna, `{"macros":[]}${' '.repeat(1_048_576 - 13)}`)).status).to.equal(204);
  });

  it('do not exist where they are not configured', async () => {
    const bare = await startPortalSite({ macros: false, crypts: '' });
    try {
      const client = new SignOnClient(bare.clientUrl);
      await client.signOn('/TERMINAL.HTML+TSO4', ANNA.name, ANNA.password);
      expect((await client.request(path('user'))).status).to.equal(404);
      expect((await client.request('/TERMINAL.HTML+TSO4')).text).to.include('data-macros="local"');
    } finally {
      await bare.stop();
    }
  });
});
