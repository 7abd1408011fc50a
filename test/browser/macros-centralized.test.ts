import { expect } from 'chai';
import type { Browser, BrowserContext, Route } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { MacroPage } from './macro-page.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

type Level = 'user' | 'group' | 'global' | `group ${string}`;

/** Directories of macros as the server answers for them. */
class MacroDirectories {
  readonly files = new Map<Level, { readonly text: string; readonly etag: string }>();
  readonly requests: string[] = [];
  /** Answers to readings wait for it, with what was there when they came. */
  held: Promise<void> | undefined;
  /** Answers in place of the next ones. */
  readonly refusals: { readonly status: number; readonly body?: string }[] = [];
  /** That the user may publish to. */
  publishes: readonly string[] = [];
  #version = 0;

  put(level: Level, ...macros: readonly object[]): void {
    this.files.set(level, { text: JSON.stringify({ macros, fmt: 2 }), etag: `"v${++this.#version}"` });
  }

  macros(level: Level): readonly { readonly name: string; readonly def: readonly unknown[] }[] {
    return (JSON.parse(this.files.get(level)?.text ?? '{"macros":[]}') as { macros: never[] }).macros;
  }

  async answer(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    if (url.pathname.endsWith('/publishing.json')) {
      await route.fulfill({ json: { groups: this.publishes } });
      return;
    }
    const group = url.searchParams.get('GROUP');
    const level = (group === null ? /w2h\/(\w+)\//.exec(url.pathname)?.[1] : `group ${group}`) as Level;
    const file = this.files.get(level);
    this.requests.push(`${request.method()} ${level}`);
    const refusal = this.refusals.shift();
    if (refusal !== undefined) {
      await route.fulfill({ contentType: 'application/json', ...refusal });
    } else if (request.method() === 'GET') {
      await this.held;
      if (file === undefined) await route.fulfill({ status: 404, body: '' });
      else {
        await route.fulfill({ status: 200, headers: { etag: file.etag }, body: file.text });
      }
    } else {
      const headers = request.headers();
      const isMatch = file === undefined ? headers['if-none-match'] === '*' : headers['if-match'] === file.etag;
      if (isMatch && headers['content-type'] === 'application/json') {
        this.put(level);
        const etag = this.files.get(level)?.etag ?? '';
        this.files.set(level, { text: request.postData() ?? '', etag });
        await route.fulfill({ status: 204, headers: { etag } });
      } else await route.fulfill({ status: 412, body: '' });
    }
  }
}

describe('centralized macros in Chromium', () => {
  let browser: Browser | undefined;
  const sites = new Map<string, SessionSite>();
  let context: BrowserContext | undefined;
  let directories: MacroDirectories;

  before(async function () {
    browser = await browserFor(this);
  });

  after(async () => {
    await leaveBrowser();
    for (const site of sites.values()) await site.stop();
  });

  beforeEach(async () => {
    directories = new MacroDirectories();
    context = await browser?.newContext({ viewport: { width: 1280, height: 800 } });
    await context?.route(/\/w2h\/\w+\/(?:macros|publishing)\.json/, (route) => directories.answer(route));
  });

  afterEach(() => context?.close());

  async function siteOf(policy: string): Promise<SessionSite> {
    const known = sites.get(policy);
    if (known !== undefined) return known;
    const site = await startTerminalSite({
      replace: [
        ['{{{CURRENT-VALUE-OF "$MACROS$"}}}', 'centralized'],
        ['{{{CURRENT-VALUE-OF "$MACROS-REFRESH$"}}}', policy],
        ['{{{NAME-OF (USER)}}}', 'DEMO'],
        ['{{{NAME-OF (GROUP)}}}', 'SALES'],
      ],
    });
    sites.set(policy, site);
    return site;
  }

  async function open(policy = 'never'): Promise<MacroPage> {
    const macros = await openAtSignOn(policy);
    await macros.terminal.signOn();
    await macros.terminal.free();
    return macros;
  }

  /** Nobody has signed on at the host yet: macros are read all the same. */
  async function openAtSignOn(policy: string): Promise<MacroPage> {
    const site = await siteOf(policy);
    const terminal = new TerminalPage(await (context as BrowserContext).newPage());
    await terminal.page.goto(named(site.url, '/TERMINAL.HTML+TSO'));
    return new MacroPage(terminal);
  }

  /** How often directories were read until the page has its macros and its screen. */
  async function readings({ page, terminal }: MacroPage): Promise<number> {
    const isRead = "localStorage.getItem('sallyport-macros-of:DEMO') !== null";
    await eventually(async () => (await page.evaluate<boolean>(isRead)) || undefined);
    await eventually(() => terminal.received.length > 0 || undefined);
    await terminal.free();
    return directories.requests.length;
  }

  const one = { name: 'one', rev: 1, def: [{ txt: '2' }, 'ENTER'] };
  const theirs = { name: 'theirs', rev: 1, def: ['PF3'] };

  it('are listed by user, group and all; macros of others can be viewed, run and copied', async () => {
    directories.put('user', one);
    directories.put('group', theirs);
    directories.put('global', { name: 'for all', rev: 1, def: [{ txt: '2' }, 'ENTER'] });
    const macros = await open();
    const button = macros.page.locator('#macro-list');
    expect(await button.getAttribute('aria-label')).to.equal('Macros (centralized)');
    const fill = (element: string) => macros.page.evaluate<string>(`getComputedStyle(${element}).fill`);
    expect(await fill("document.querySelector('#macro-list .icon')")).to.equal('rgb(26, 79, 184)');
    await macros.openList();
    expect(await macros.dialog.getByRole('heading').allTextContents()).to.deep.equal([
      ...['Macros (centralized)', 'User DEMO', 'Group SALES', 'Global'],
    ]);
    expect(await macros.button('Import').count()).to.equal(0);
    expect(await macros.button('Export').count()).to.equal(0);
    expect(await violations(macros.page)).to.deep.equal([]);
    await macros.button('More about theirs').click();
    for (const name of ['Edit', 'Delete', 'Rename, hot key']) expect(await macros.button(name).count()).to.equal(0);
    await macros.button('View').click();
    expect(await macros.dialog.getByLabel('Commands').getAttribute('readonly')).to.not.equal(null);
    await macros.button('Close').click();
    await macros.more('theirs', 'Save as mine');
    await macros.button('Save').click();
    await eventually(() => directories.macros('user').length === 2 || undefined);
    expect(directories.macros('user')).to.deep.equal([one, theirs]);
    await macros.button('Run for all').click();
    await macros.terminal.shows('ACCT');
    expect(macros.terminal.complaints).to.deep.equal([]);
  });

  it('are published to the group by who may, who is asked where it has another one of the name', async () => {
    directories.put('user', one);
    directories.put('group', { ...one, def: ['PF3'] }, theirs);
    directories.put('global');
    const reader = await open();
    await reader.openList();
    await reader.button('More about one').first().click();
    expect(await reader.button('Publish').count()).to.equal(0);
    directories.publishes = ['SALES'];
    await reader.button('Refresh').click();
    await reader.button('Publish').click();
    await reader.dialog.getByText('The group SALES already has a macro one').waitFor();
    // somebody else saves meanwhile: nothing of it is lost
    const later = { name: 'later', rev: 1, def: ['PF4'] };
    directories.put('group', { ...one, def: ['PF3'] }, theirs, later);
    await reader.button('Replace it').click();
    await reader.dialog.getByText('The group SALES already has a macro one').waitFor();
    await reader.button('Replace it').click();
    await reader.dialog.getByText('one was published to the group SALES.').waitFor();
    expect(directories.macros('group')).to.deep.equal([one, theirs, later]);
    // to several groups, of which the server refuses one
    directories.publishes = ['DEV', 'OPS', 'SALES'];
    directories.put('group DEV');
    directories.put('group OPS', theirs);
    await reader.button('Refresh').click();
    await reader.button('More about one').first().click();
    await reader.button('Publish').click();
    expect(await reader.dialog.getByRole('checkbox', { checked: true }).count(), 'one’s own').to.equal(1);
    expect(await violations(reader.page)).to.deep.equal([]);
    await reader.dialog.getByLabel('SALES').uncheck();
    await reader.button('Publish').click();
    await reader.dialog.getByText('Choose a group.').waitFor();
    await reader.dialog.getByLabel('All groups').check();
    await reader.dialog.getByLabel('SALES').uncheck();
    directories.refusals.push({
      status: 403,
      body: '{"code":"SVC_ERR_SIGNON_ROLE","message":"You may not publish macros to this group."}',
    });
    await reader.button('Publish').click();
    const said =
      'one was published to the group OPS. DEV: Not saved. You may not publish macros to this group. (SVC_ERR_SIGNON_ROLE)';
    await reader.dialog.getByText(said).waitFor();
    expect([directories.macros('group DEV'), directories.macros('group OPS')]).to.deep.equal([[], [theirs, one]]);
    const others = /412|403/;
    expect(reader.terminal.complaints.filter((complaint) => !others.test(complaint))).to.deep.equal([]);
  });

  it('begin with an empty list, and are saved where there was no file', async () => {
    const macros = await open();
    await macros.recordButton.click();
    await macros.terminal.press('F1');
    await macros.terminal.shows('This key is not active');
    await macros.recordButton.click();
    await macros.dialog.getByLabel('Name').fill('first');
    directories.refusals.push({ status: 503, body: '{"code":"SVC_ERR_SERVICE_BUSY","message":"Please try again."}' });
    // what is small arrives although the page is left
    await macros.page.evaluate(`(() => {
      const { fetch } = window;
      window.kept = [];
      window.fetch = (address, options) => {
        if (options?.method === 'PUT') window.kept.push(options.keepalive);
        return fetch(address, options);
      };
    })()`);
    await macros.button('Save').click();
    await macros.dialog.getByText('Not saved. Please try again. (SVC_ERR_SERVICE_BUSY)').waitFor();
    await macros.button('Save').click();
    await macros.terminal.says('The macro was saved');
    expect(await macros.page.evaluate('window.kept')).to.deep.equal([true, true]);
    // in front of the key stands the screen that it was pressed on
    const [screen, ...keys] = directories.macros('user')[0]?.def ?? [];
    expect(directories.macros('user')).to.deep.equal([{ name: 'first', rev: 1, def: [screen, ...keys] }]);
    expect(keys).to.deep.equal(['PF1']);
    expect(screen).to.have.property('txt', '');
    expect(screen).to.have.nested.property('screen[0].text', 'MENU');
    expect(await macros.page.evaluate("localStorage.getItem('sallyport-macros')")).to.equal(null);
    await macros.openList();
    await macros.more('first', 'Delete');
    await macros.button('Delete').click();
    await eventually(() => directories.macros('user').length === 0 || undefined);
  });

  it('are read when the policy says so, and by the button', async () => {
    for (const [policy, reloaded, another] of [
      ['never', 0, 0],
      ['once', 0, 0],
      ['daily', 0, 0],
      ['session', 0, 3],
    ] as const) {
      directories.requests.length = 0;
      directories.put('user', one);
      const macros = await openAtSignOn(policy);
      expect(await readings(macros), `${policy}, first`).to.equal(3);
      macros.terminal.received.length = 0;
      await macros.page.reload();
      expect(await readings(macros), `${policy}, loaded again`).to.equal(3 + reloaded);
      const next = await openAtSignOn(policy);
      if (another > 0) await eventually(() => directories.requests.length > 3 + another - 1 || undefined);
      expect(await readings(next), `${policy}, another tab`).to.equal(3 + another);
      directories.put('user', { ...one, name: 'newer' });
      await next.openList();
      await next.button('Refresh').click();
      await next.button('Run newer').waitFor();
      await next.page.evaluate('localStorage.clear()');
    }
    const macros = await openAtSignOn('daily');
    await readings(macros);
    await macros.page.evaluate(`{
      const key = 'sallyport-macros-of:DEMO';
      const cache = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...cache, readAt: cache.readAt - 86400000 }));
    }`);
    directories.requests.length = 0;
    macros.terminal.received.length = 0;
    await macros.page.reload();
    await eventually(() => directories.requests.length > 2 || undefined);
    expect(await readings(macros), 'the day after').to.equal(3);
  });

  it('are those that were saved while older ones were on their way', async () => {
    directories.put('user', one);
    const macros = await open();
    await macros.openList();
    let answer = () => {};
    directories.held = new Promise((resolve) => {
      answer = resolve;
    });
    directories.requests.length = 0;
    await macros.button('Refresh').click();
    await eventually(() => directories.requests.includes('GET user') || undefined);
    await macros.more('one', 'Rename, hot key');
    await macros.dialog.getByLabel('Name').fill('renamed');
    await macros.button('Save').click();
    await macros.button('Run renamed').waitFor();
    const readAt = () =>
      macros.page.evaluate<number>("JSON.parse(localStorage.getItem('sallyport-macros-of:DEMO')).readAt");
    const before = await readAt();
    answer();
    directories.held = undefined;
    await eventually(async () => (await readAt()) > before || undefined);
    expect([await macros.button('Run renamed').count(), await macros.button('Run one').count()]).to.deep.equal([1, 0]);
    // and saved on to, without a question
    await macros.more('renamed', 'Rename, hot key');
    await macros.dialog.getByLabel('Name').fill('again');
    await macros.button('Save').click();
    await macros.button('Run again').waitFor();
    expect(directories.macros('user').map(({ name }) => name)).to.deep.equal(['again']);
  });

  it('are not those of who used the browser before', async () => {
    directories.put('user', one);
    const macros = await open();
    directories.files.clear();
    await macros.page.evaluate(`{
      const cache = localStorage.getItem('sallyport-macros-of:DEMO');
      localStorage.clear();
      localStorage.setItem('sallyport-macros-of:ANNA', cache);
    }`);
    await macros.page.reload();
    await macros.terminal.shows('Option ===>');
    await macros.openList();
    expect(await macros.button('Run one').count()).to.equal(0);
  });

  it('are shown as they were where the sign-on has ended or nobody answers', async () => {
    directories.put('user', one);
    const macros = await open();
    for (const [status, words] of [
      [401, 'Your sign-on has ended'],
      [403, 'Your sign-on has ended'],
      [500, 'The server answered with status 500.'],
    ] as const) {
      directories.refusals.push({ status }, { status }, { status });
      await macros.openList();
      await macros.button('Refresh').click();
      await macros.dialog.getByText(words).waitFor();
      await macros.dialog.getByText('This list was read at').waitFor();
      expect(await macros.button('Run one').count()).to.equal(1);
      await macros.button('Close').click();
    }
    directories.files.set('group', { text: '{"macros":5}', etag: '"x"' });
    await macros.openList();
    await macros.button('Refresh').click();
    await macros.dialog.getByText('group: this is not a macro file.').waitFor();
    expect(await macros.button('Run one').count()).to.equal(1);
  });

  it('keep an edit that could not be saved, and save it when it can be', async () => {
    directories.put('user', one);
    const macros = await open();
    await macros.openList();
    await macros.more('one', 'Edit');
    await macros.dialog.getByLabel('One command on each line').fill('key(PF9)');
    directories.refusals.push({
      status: 400,
      body: '{"code":"SVC_ERR_MACRO_CONTENT","message":"The macro file is invalid."}',
    });
    await macros.button('Save').click();
    await macros.dialog.getByText('Not saved. The macro file is invalid. (SVC_ERR_MACRO_CONTENT)').waitFor();
    directories.refusals.push({ status: 403 });
    await macros.button('Save').click();
    await macros.dialog.getByText('Not saved. Your sign-on has ended').waitFor();
    expect(directories.macros('user')).to.deep.equal([one]);
    await macros.button('Save').click();
    await eventually(() => directories.macros('user')[0]?.def[0] === 'PF9' || undefined);
  });

  it('merge what somebody else has saved meanwhile, and ask where it is the same macro', async () => {
    directories.put('user', one);
    const macros = await open();
    directories.put('user', one, theirs);
    await macros.openList();
    await macros.more('one', 'Edit');
    await macros.dialog.getByLabel('One command on each line').fill('key(PF9)');
    await macros.button('Save').click();
    await macros.button('Run theirs').waitFor();
    const edited = { ...one, rev: 2, def: ['PF9'] };
    expect(directories.macros('user')).to.deep.equal([edited, theirs]);
    const other = { ...one, rev: 7, def: ['PF7'] };
    directories.put('user', other, theirs);
    await macros.more('one', 'Edit');
    await macros.dialog.getByLabel('One command on each line').fill('key(PF8)');
    await macros.button('Save').click();
    await macros.dialog.getByText('one was changed in the meantime').waitFor();
    await macros.button('Cancel').click();
    expect(directories.macros('user')).to.deep.equal([other, theirs]);
    await macros.button('Save').click();
    await macros.button('Keep both').click();
    await macros.button('Run one (2)').waitFor();
    expect(directories.macros('user')).to.deep.equal([other, theirs, { name: 'one (2)', rev: 3, def: ['PF8'] }]);
  });
});
