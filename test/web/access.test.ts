import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import WebSocket from 'ws';
import { securityLevels } from '../../src/lines/entry-point/transaction.js';
import { macroLevels } from '../../src/macros/macro-directory.js';
import { FileDraftStore } from '../../src/services/file-draft-store.js';
import { fileMethods } from '../../src/web/files/file-router.js';
import { macroMethods } from '../../src/web/macros/macro-router.js';
import { secureTransactions } from '../../src/web/macros/secure-answer.js';
import { recordingAnswers } from '../../src/web/recordings/recording-router.js';
import { adminRoutes, portalRoutes } from '../../src/web/routes.js';
import { settingsMethods } from '../../src/web/settings/settings-router.js';
import { draft } from '../services/contract/draft-store-contract.js';
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { basic, SignOnClient, type SignOnReply } from '../support/sign-on-client.js';

const MACROS = '{"macros":[{"name":"one","rev":1,"def":["ENTER"]}],"fmt":2}';
const newTrace = { KIND: 'line', SUBJECT: 'C-HTTP', SECONDS: '600', KIBIBYTES: '4' };
const roles = ['nobody', 'user', 'operator', 'administrator'] as const;
type Role = (typeof roles)[number];
const credentials = { nobody: undefined, user: ANNA, operator: OPERATOR, administrator: ADMINISTRATOR } as const;

interface Row {
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: Readonly<Record<Role, number>>;
}

/** What a page of the portal needs to be there. */
interface Prepared {
  readonly name: string;
  readonly asked: string;
  readonly newToken: Readonly<Record<string, string>>;
}

/** The tables of docs/run/access.md, by the line that their sections name. */
const table: readonly Row[] = readFileSync(join(projectFolder, 'docs', 'run', 'access.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const line = section.split(' ', 1)[0]?.toLowerCase() ?? '';
    const rows = section.matchAll(/^\| `(\w+) ([^`]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/gm);
    return [...rows].map(([, method = '', path = '', ...statuses]) => {
      const [nobody = 0, user = 0, operator = 0, administrator = 0] = statuses.map(Number);
      return { line, method, path, statuses: { nobody, user, operator, administrator } };
    });
  });

/** All ways in, made of the tables that requests are led by. */
const waysIn: readonly string[] = [
  ...portalRoutes.map(({ method, path }) => `portal ${method} ${path}`),
  ...adminRoutes.map(({ method, path }) => `portal ${method} ${path}`),
  ...[...secureTransactions].map(([name, method]) => `portal ${method} /SECURE/:page+${name}`),
  'portal POST /signoff',
  ...macroLevels.flatMap((level) => macroMethods(level).map((method) => `client ${method} /w2h/${level}/macros.json`)),
  ...['GET', 'HEAD'].map((method) => `client ${method} /w2h/group/publishing.json`),
  ...settingsMethods.map((method) => `client ${method} /w2h/user/settings.json`),
  ...Object.keys(recordingAnswers).map((name) => `client POST /w2h/services/${name}`),
  'client GET /w2h/sessions',
  'client POST /w2h/sessions',
  'client POST /:page+UPLUSR',
  'client POST /signoff',
  ...Object.values(securityLevels).flatMap((level) => [
    ...['GET', 'HEAD', 'POST'].map((method) => `client ${method} /:page+transaction of security ${level}`),
    `client GET /directory of security ${level}/:page`,
  ]),
  'client GET /:page',
  ...fileMethods.map((method) => `client ${method} /:page++transfer`),
  ...['GET', 'POST', 'UPGRADE'].map((method) => `client ${method} /:page++session`),
];

const transactions = Object.values(securityLevels)
  .flatMap((level) => [
    `      T${level}: { applicationType: 2, security: ${level} }`,
    `      d${level}: { applicationType: 4, application: W2H-DIR, security: ${level} }`,
  ])
  .join('\n');

describe('access', () => {
  let site: PortalSite;
  let pages: string;
  const browsers = new Map<string, SignOnClient>();
  let made = 0;
  /** For the row that is asked for, as long as nobody has changed it. */
  let prepared: Prepared | undefined;

  before(async () => {
    pages = mkdtempSync(join(tmpdir(), 'sallyport-pages-'));
    cpSync(join(projectFolder, 'templates', 'pages'), pages, { recursive: true });
    const tag = 'SET-HEADER (GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID) "x-Svc-user-Directory:"';
    writeFileSync(join(pages, 'KEY.HTML'), `<!--SVC start="{{{" end="}}}" -->{{{${tag}}}}key`);
    writeFileSync(join(pages, 'probe.yaml'), 'service: probe\nscenario: PROBE\n');
    writeFileSync(
      join(pages, 'PROBE.scn'),
      '         SCENARIO INITIAL\n         ACTION$ TO-CLIENT\n         SCENARIO END\n',
    );
    for (const name of ['screens.yaml', 'sign-on.yaml']) {
      cpSync(join(projectFolder, 'templates', 'services', name), join(pages, name));
    }
    const pool = 'host: SIM, ready: 0, most: 1, signOn: sign-on, home: MENU, users: [{ user: DEMO, password: demo }]';
    site = await startPortalSite({
      crypts: '',
      transactions,
      pages,
      yaml: `services: '${pages}'\nscenarios: '${pages}'\npools: { DESK: { ${pool} } }`,
    });
    for (const role of roles) {
      const user = credentials[role];
      for (const [line, url, path] of [
        ['portal', site.portalUrl, '/'],
        ['client', site.clientUrl, '/TERMINAL.HTML+TSO4'],
      ] as const) {
        browsers.set(`${line} ${role}`, await browserOf(url, path, user));
      }
    }
  });
  after(async () => {
    await site?.stop();
    if (pages !== undefined) rmSync(pages, { recursive: true });
  });

  async function browserOf(
    url: string,
    path: string,
    user: typeof ANNA | typeof OPERATOR | typeof ADMINISTRATOR | undefined,
  ) {
    const client = new SignOnClient(url);
    if (user !== undefined) expect((await client.signOn(path, user.name, user.password)).status).to.equal(303);
    return client;
  }

  it('has a row for every way in, and none besides', () => {
    const rows = table.map(({ line, method, path }) => `${line} ${method} ${path}`);
    expect([...rows].sort()).to.deep.equal([...waysIn].sort());
    expect(new Set(rows).size).to.equal(rows.length);
  });

  for (const { line, method, path, statuses } of table) {
    it(`${line} ${method} ${path}: ${roles.map((role) => `${role} ${statuses[role]}`).join(', ')}`, async () => {
      prepared = undefined;
      for (const role of roles) {
        const reply = await ask(line, method, path, role);
        // who is refused leaves everything as it was
        if (reply.status < 400 && method !== 'GET') prepared = undefined;
        expect(reply.status, `${role}: ${reply.text.slice(0, 400)}`).to.equal(statuses[role]);
      }
    });
  }

  async function ask(line: string, method: string, path: string, role: Role): Promise<SignOnReply> {
    const user = credentials[role];
    // /SECURE/ looks at HTTP Basic, everything else at the cookie
    const headers: Record<string, string> =
      path.startsWith('/SECURE/') && user !== undefined ? { ...basic(user.name, user.password) } : {};
    const client =
      path === '/signoff' ? await freshBrowser(line, user) : (browsers.get(`${line} ${role}`) as SignOnClient);
    if (path.startsWith('/SECURE/')) return askSecure(client, path, headers, role);
    if (line === 'portal') return askPortal(client, method, path);
    if (path === '/:page+UPLUSR') return askOwnUpload(client, role);
    const asked = path
      .replace(/^\/:page\+transaction of security (\d)$/, '/BYE.HTML+T$1')
      .replace(/^\/directory of security (\d)\/:page$/, '/d$1/favicon.svg')
      .replace('/:page++session', `/w2h/WEB2SUB.HTML++SvcSession=${'A'.repeat(32)}`)
      .replace('/:page++transfer', `/w2h/x++TransferSvcSession=${'A'.repeat(32)}`)
      .replace('/:page', '/CLIWHOST.HTML');
    if (method === 'UPGRADE') return askSocket(client, asked);
    if (path.startsWith('/w2h/services/')) {
      const json = { 'Content-Type': 'application/json' };
      return client.request(asked, { method, headers: json, body: '{"session":"AAAA"}' });
    }
    if (path === '/w2h/sessions' && method === 'POST') {
      return client.post(path, { SESSION: 'AAAAAAAA', ACTION: 'END' }, { Origin: site.clientUrl });
    }
    if (path === '/w2h/group/macros.json' && method === 'PUT' && user !== undefined) {
      await site.users.changeUser(user.name, { groups: ['OPS'] });
    }
    const content = path.endsWith('/settings.json') ? '{}' : MACROS;
    const body = method === 'PUT' ? { body: content, headers: { 'Content-Type': 'application/json' } } : {};
    return client.request(asked, { method, ...body });
  }

  async function askSocket(client: SignOnClient, path: string): Promise<SignOnReply> {
    const socket = new WebSocket(site.clientUrl.replace('http', 'ws') + path, { headers: { Cookie: client.cookie } });
    const status = await new Promise<number>((resolve, reject) => {
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.once('open', () => resolve(101));
      socket.once('error', reject);
    });
    return { status, headers: new Headers(), text: '' };
  }

  function freshBrowser(line: string, user: (typeof credentials)[Role]): Promise<SignOnClient> {
    return line === 'portal'
      ? browserOf(site.portalUrl, '/', user)
      : browserOf(site.clientUrl, '/TERMINAL.HTML+TSO4', user);
  }

  function upload(fields: Readonly<Record<string, string>> = {}): FormData {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([MACROS], { type: 'application/json' }), 'macros.json');
    return form;
  }

  async function askSecure(client: SignOnClient, path: string, headers: Record<string, string>, role: Role) {
    const transaction = path.slice(path.indexOf('+') + 1);
    const look = (what: string) => client.request(`/SECURE/capabilityCode.json+USRCAP?${what}`, { headers });
    if (transaction === 'USRCAP') return look('GROUP=OPS');
    let key = '';
    if (transaction !== 'UPLGLB' && role === 'administrator') {
      const [what, header] = transaction === 'UPLGRP' ? ['GROUP=OPS', 'group'] : ['USER=ANNA', 'user'];
      key = `+x-Svc-${header}-Directory:${(await look(what)).headers.get(`x-svc-${header}-directory`)}`;
    }
    return client.request(`/SECURE/upload.txt+${transaction}${key}`, { method: 'POST', headers, body: upload() });
  }

  async function askOwnUpload(client: SignOnClient, role: Role): Promise<SignOnReply> {
    const key = (await client.request('/KEY.HTML+TSO4')).headers.get('x-svc-user-directory');
    expect(key === null, role).to.equal(role === 'nobody');
    const path = `/UPLOAD.TXT+UPLUSR+x-Svc-user-Directory:${key ?? 'A'.repeat(32)}`;
    return client.request(path, { method: 'POST', body: upload() });
  }

  async function tokenOf(browser: SignOnClient, page: string): Promise<string> {
    return /name="TOKEN" value="([^"]*)"/.exec((await browser.request(page)).text)?.[1] ?? '';
  }

  /** Makes everything that the page needs. */
  async function prepare(path: string): Promise<Prepared> {
    const name = `NEW${++made}`;
    const isGroup = path.startsWith('/groups/') || path.startsWith('/macros/group/');
    if (isGroup) await site.users.addGroup(name);
    else if (path.includes(':name') && !/^\/(?:tokens|lines|loaded|pools|traces)\//.test(path)) {
      await site.users.addUser({ name, role: 'user', groups: [], expires: undefined }, undefined);
    }
    if (path.endsWith('/unlock')) await site.users.changeUser(name, { locked: new Date().toISOString() });
    let asked = path.replace(':name', path.startsWith('/loaded/') ? 'probe' : name);
    if (path.startsWith('/drafts/')) {
      const one = draft({ user: name });
      expect(await new FileDraftStore(join(site.folder, 'data', 'services-drafts')).add(one)).to.equal(true);
      asked = asked.replace(':id', one.id);
    }
    const admin = browsers.get('portal administrator') as SignOnClient;
    const sessionOfUser = async () => {
      const user = browsers.get('client user') as SignOnClient;
      expect((await user.request('/TERMINAL.HTML+TSO4')).status).to.equal(200);
      const [, id = ''] = /"\/sessions\/([^"]+)"/.exec((await admin.request('/sessions')).text) ?? [];
      return id;
    };
    if (path.startsWith('/sessions/')) asked = asked.replace(':id', await sessionOfUser());
    const newToken = { NAME: name, SCOPES: 'sessions', DAYS: '1' };
    if (path.startsWith('/tokens/')) {
      const added = await admin.post('/tokens', { TOKEN: await tokenOf(admin, '/tokens'), ...newToken });
      expect(added.status, added.text).to.equal(200);
    }
    if (path.startsWith('/traces')) {
      const first = { TOKEN: await tokenOf(admin, '/traces') };
      const traces = async () => [
        ...(await admin.request('/traces')).text.matchAll(/"(\/traces\/[^"/]+)\/trace\.txt"/g),
      ];
      for (const [, one] of await traces()) {
        await admin.post(`${one}/stop`, first);
        await admin.post(`${one}/remove`, first);
      }
      if (path !== '/traces') {
        const wish = path.endsWith('.trc')
          ? { ...newTrace, KIND: 'session', SUBJECT: await sessionOfUser() }
          : newTrace;
        const added = await admin.post('/traces', { ...first, ...wish });
        expect(added.status, added.text).to.equal(303);
        const [[, one = ''] = []] = await traces();
        if (path.endsWith('/remove')) await admin.post(`${one}/stop`, first);
        asked = path.replace('/traces/:name', one);
      }
    }
    if (path.startsWith('/macros/')) {
      const directory = asked.replace(/\/(?:remove|versions|macros\.json).*$/, '');
      const stored = await admin.request(directory, {
        method: 'POST',
        body: upload({ TOKEN: await tokenOf(admin, directory) }),
      });
      expect(stored.status, stored.text).to.equal(303);
      const newest = /\/versions\/(\d+)/.exec((await admin.request(directory)).text)?.[1] ?? '1';
      asked = asked.replace(':number', newest);
    }
    if (path.startsWith('/lines/')) {
      // the portal's own, which cannot be stopped: drained, it serves on
      asked = path.replace(':name', 'W-HTTP');
      // so that the one that is asked for can be done
      const before = { start: 'drain', drain: 'start', stop: 'start' }[path.split('/')[3] ?? ''];
      const first = { TOKEN: await tokenOf(admin, '/tokens') };
      if (before !== undefined) await admin.post(`/lines/W-HTTP/${before}`, first);
    }
    if (path.startsWith('/pools/')) {
      asked = path.replace(':name', 'DESK');
      const before = path.endsWith('/drain') ? 'resume' : 'drain';
      await admin.post(`/pools/DESK/${before}`, { TOKEN: await tokenOf(admin, '/tokens') });
    }
    return { name, asked, newToken };
  }

  /** With everything that the page needs to be there, and a form that is filled in right. */
  async function askPortal(client: SignOnClient, method: string, path: string): Promise<SignOnReply> {
    if (path === '/signoff') return client.post(path, {});
    prepared ??= await prepare(path);
    const { name, asked, newToken } = prepared;
    if (method === 'GET') return client.request(asked);
    // the token is that of the browser, of whatever page; who may see none has none
    const page = await client.request(asked);
    const shown = (field: string) =>
      (new RegExp(`name="${field}" value="([^"]*)"`).exec(page.text)?.[1] ?? '')
        .replaceAll('&quot;', '"')
        .replaceAll('&#34;', '"');
    const fields: Record<string, string> = { TOKEN: shown('TOKEN') || (await tokenOf(client, '/')) };
    // the form of whoever has not signed on is that of the sign-on, which is not meant here
    const isSignOn = page.status === 401;
    for (const field of isSignOn ? [] : ['SEEN', 'SIGNON-CODE']) if (shown(field) !== '') fields[field] = shown(field);
    if (path === '/new/user') Object.assign(fields, { USERID: `${name}X`, ROLE: 'user', GROUPS: '' });
    if (path === '/users/:name') Object.assign(fields, { ROLE: 'user', GROUPS: 'OPS', EXPIRES: '' });
    if (path === '/traces') Object.assign(fields, newTrace);
    if (path === '/tokens') Object.assign(fields, newToken);
    if (path === '/sessions/:id/message') fields.MESSAGE = 'Please sign off.';
    if (path === '/language') Object.assign(fields, { LANGUAGE: 'en', BACK: '/' });
    if (path === '/groups') fields.GROUP = `${name}X`;
    if (path.endsWith('/password') || path === '/new/user') {
      Object.assign(fields, { PASSWORD: 'new-password-1', 'PASSWORD-AGAIN': 'new-password-1' });
    }
    const isUpload = portalRoutes.find((route) => route.method === 'POST' && route.path === path)?.takes === 'upload';
    return isUpload ? client.request(asked, { method: 'POST', body: upload(fields) }) : client.post(asked, fields);
  }
});
