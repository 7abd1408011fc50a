import { expect } from 'chai';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { CookieClient } from '../support/cookie-client.js';

interface Listed {
  readonly label: string;
  readonly name: string;
  readonly transaction: string;
  readonly host: string;
  readonly logicalUnit: string;
  readonly path: string;
  readonly sinceSeconds: number;
  readonly idleSeconds: number;
}

const MENU = [
  '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}',
  '{{{FOR-EACH-VALUE-IN "$SESSION-LABEL$"}}}<{{{CURRENT-VALUE-OF "$SESSION-LABEL$"}}}|{{{CURRENT-VALUE-OF "$SESSION-NAME$"}}}|',
  '{{{CURRENT-VALUE-OF "$SESSION-HOST$"}}}|{{{CURRENT-VALUE-OF "$SESSION-LU$"}}}|{{{CURRENT-VALUE-OF "$SESSION-SINCE$"}}}|',
  '{{{CURRENT-VALUE-OF "$SESSION-IDLE$"}}}>{{{END-FOR "$SESSION-LABEL$"}}}',
  '{{{FOR-EACH-VALUE-IN "$MENU-PATH$"}}}[{{{CURRENT-VALUE-OF "$MENU-PATH$"}}}|{{{CURRENT-VALUE-OF "$MENU-STATE$"}}}]{{{END-FOR "$MENU-PATH$"}}}',
].join('');

const ADDRESS = '/w2h/sessions';
const OPENING = '/WEB2SUB.HTML+TSO';

describe('the open sessions of a browser', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      transactions: [
        "TSO: { applicationType: 1, application: SIM, page: WEB2SUB.HTML, description: 'Simulated <host>' }",
        'SECRET: { applicationType: 1, application: SIM, page: WEB2SUB.HTML, security: 4 }',
        'ALONE: { applicationType: 1, application: SIM }',
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
      furtherPages: { 'MENU.HTML': MENU, 'PLAIN.HTML': 'plain' },
    });
  });
  after(() => site?.stop());

  const browser = () => new CookieClient(site.url);
  const codeOf = (action: string) => action.slice(action.indexOf('=') + 1);

  async function listOf(client: CookieClient): Promise<readonly Listed[]> {
    const { status, text } = await client.get(ADDRESS);
    expect(status, text).to.equal(200);
    return (JSON.parse(text) as { sessions: Listed[] }).sessions;
  }

  /** As the browser sends the form of a page. */
  const change = async (client: CookieClient, fields: Readonly<Record<string, string>>, headers: object = {}) => {
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(site.url + ADDRESS, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { Cookie: cookie, Origin: site.url, ...headers },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('are those whose cookies it sends, with what they are, and without their codes', async () => {
    const [mine, other] = [browser(), browser()];
    const actions = [await mine.open(OPENING), await mine.open('/WEB2SUB.HTML+ALONE'), await other.open(OPENING)];
    const list = await listOf(mine);
    expect(list.map(({ name, transaction, host }) => [name, transaction, host])).to.deep.equal([
      ['Simulated <host>', 'TSO', 'SIM'],
      ['ALONE', 'ALONE', 'SIM'],
    ]);
    for (const { label, logicalUnit, path, sinceSeconds, idleSeconds } of list) {
      expect(label).to.match(/^[A-Za-z0-9_-]{8}$/);
      expect(logicalUnit).to.match(/^SIM\d{5}$/);
      expect(path).to.equal(`/w2h/WEB2SUB.HTML++$UseCookieSession$=${label}`);
      expect([sinceSeconds, idleSeconds]).to.satisfy((all: number[]) => all.every((one) => one >= 0 && one < 60));
    }
    const answers = [await mine.get(ADDRESS), await mine.get('/MENU.HTML')];
    for (const { text, headers } of answers) {
      for (const action of actions) expect(text).to.not.include(codeOf(action));
      expect(headers['cache-control']).to.equal('no-store');
    }
    expect(answers[1]?.text).to.include(
      `&lt;${list[0]?.label}|Simulated &lt;host&gt;|SIM|${list[0]?.logicalUnit}|a few seconds|a few seconds&gt;`.replace(
        /^&lt;|&gt;$/g,
        (sign) => (sign === '&lt;' ? '<' : '>'),
      ),
    );
    expect((await browser().get('/MENU.HTML')).text).to.not.include('SIM0');
    expect(await listOf(browser())).to.deep.equal([]);
  });

  it('are each found by its label, with the cookie of that one alone', async () => {
    const mine = browser();
    await mine.open(OPENING);
    await mine.open(OPENING);
    const [first, second] = await listOf(mine);
    const shown = async (path: string) => {
      const { status, text } = await mine.get(path);
      return status === 200 ? codeOf((JSON.parse(text) as { action: string }).action) : status;
    };
    const [one, two] = [await shown(first?.path ?? ''), await shown(second?.path ?? '')];
    expect(one).to.not.equal(two);
    const label = first?.label ?? '';
    expect((await browser().get(first?.path ?? '')).status, 'without the cookie').to.equal(404);
    for (const wrong of ['AAAAAAAA', label.slice(1), `${label}A`, '']) {
      expect(await shown(`/w2h/WEB2SUB.HTML++$UseCookieSession$=${wrong}`), wrong).to.equal(404);
    }
    // what changes something needs the code
    expect((await mine.post(first?.path ?? '', { pf: 'DISCONNECT' })).status).to.equal(405);
    expect(await listOf(mine)).to.have.length(2);
  });

  it('are named by their user: 40 characters, which pages show as text', async () => {
    const mine = browser();
    await mine.open(OPENING);
    const [{ label = '' } = {}] = await listOf(mine);
    const name = (text: string) => change(mine, { SESSION: label, ACTION: 'NAME', NAME: text });
    const longest = '<'.repeat(40);
    expect((await name(longest)).status).to.equal(303);
    expect((await listOf(mine))[0]?.name).to.equal(longest);
    expect((await mine.get('/MENU.HTML')).text)
      .to.include('&lt;'.repeat(40))
      .and.not.include('<<');
    for (const wrong of ['x'.repeat(41), 'a\u0007b']) {
      const refused = await change(
        mine,
        { SESSION: label, ACTION: 'NAME', NAME: wrong },
        { Accept: 'application/json' },
      );
      expect([refused.status, refused.text]).to.satisfy(([status, text]: [number, string]) => {
        return status === 400 && text.includes('SVC_ERR_REQUEST_PARAMETERS') && text.includes('The name ');
      });
    }
    expect((await listOf(mine))[0]?.name).to.equal(longest);
    expect((await name(' ')).status).to.equal(303);
    expect((await listOf(mine))[0]?.name).to.equal('Simulated <host>');
  });

  it('are ended one at a time, with their cookie; the answer leads to the menu', async () => {
    const mine = browser();
    await mine.open(OPENING);
    await mine.open(OPENING);
    const [first, second] = await listOf(mine);
    const ended = await change(mine, { SESSION: first?.label ?? '', ACTION: 'END' });
    expect([ended.status, ended.headers.get('location')]).to.deep.equal([303, '/']);
    expect(ended.headers.get('set-cookie')).to.match(new RegExp(`^SvcSession-${first?.label}=;.*Max-Age=0`));
    expect((await listOf(mine)).map(({ label }) => label)).to.deep.equal([second?.label]);
    expect((await change(mine, { SESSION: first?.label ?? '', ACTION: 'END' })).status, 'once').to.equal(404);
    const json = await change(mine, { SESSION: second?.label ?? '', ACTION: 'END' }, { Accept: 'application/json' });
    expect((JSON.parse(json.text) as { sessions: unknown[] }).sessions).to.deep.equal([]);
  });

  it('are touched by no page but our own, whatever it has sent along', async () => {
    const [mine, other] = [browser(), browser()];
    await mine.open(OPENING);
    const [{ label = '' } = {}] = await listOf(mine);
    const end = { SESSION: label, ACTION: 'END' };
    const { host, hostname } = new URL(site.url);
    for (const foreign of [
      { Origin: 'null' },
      { Origin: `http://${hostname}:1` },
      { Origin: 'http://evil.example' },
      { Origin: '' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      expect((await change(mine, end, foreign)).status, JSON.stringify(foreign)).to.equal(403);
    }
    expect((await mine.post(ADDRESS, end)).status, 'nobody says where it comes from').to.equal(403);
    await other.open(OPENING);
    expect((await change(other, end)).status, 'another browser').to.equal(404);
    expect((await change(mine, { SESSION: label, ACTION: 'STEAL' })).status).to.equal(400);
    expect(await listOf(mine)).to.have.length(1);
    expect((await change(mine, end, { 'Sec-Fetch-Site': 'same-origin', Origin: `http://${host}` })).status).to.equal(
      303,
    );
  });

  it('come with the applications that the user may use, and what is known of their hosts', async () => {
    const mine = browser();
    await mine.open(OPENING);
    const { applications } = JSON.parse((await mine.get(ADDRESS)).text) as { applications: object[] };
    const known = { host: 'SIM', state: 'reached' };
    // what has no page is not on the menu
    expect(applications).to.deep.equal([
      {
        path: '/WEB2SUB.HTML+TSO',
        transaction: 'TSO',
        description: 'Simulated <host>',
        needsSignOn: false,
        ...known,
      },
      { path: '/WEB2SUB.HTML+SECRET', transaction: 'SECRET', description: '', needsSignOn: true, ...known },
    ]);
    expect((await mine.get('/MENU.HTML')).text).to.include('[/WEB2SUB.HTML+TSO|reached]');
  });

  it('may be framed by a page of this server, and the page of the tabs frames nothing else', async () => {
    const page = new CookieClient(site.url, 'text/html');
    const shown = await page.get(OPENING);
    expect(shown.headers['content-security-policy']).to.include("frame-ancestors 'self'");
    expect(shown.headers['x-frame-options']).to.equal('SAMEORIGIN');
    const tabs = await page.get(ADDRESS);
    expect(tabs.status).to.equal(200);
    expect(tabs.headers['content-security-policy'])
      .to.include("frame-src 'self'")
      .and.include("frame-ancestors 'none'");
    expect(tabs.headers['x-frame-options']).to.equal('DENY');
    expect(tabs.text).to.include('Simulated &lt;host&gt;').and.not.include('SvcSession=');
  });

  it('refuses other methods', async () => {
    const response = await fetch(site.url + ADDRESS, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'GET, POST']);
  });
});
