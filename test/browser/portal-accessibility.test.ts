import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { BERT, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { ALL_WIDTHS_LIMIT, faultsAsItStands, faultsAtAllWidths, hasAxe, violations } from './axe.js';
import { PortalPage } from './portal-page.js';
import { browserFor, leaveBrowser } from './shared-browser.js';

const long = 'a-name-of-64-characters-which-is-the-longest-that-anybody-can-have';
const fileOf = (step: string) =>
  JSON.stringify({
    macros: [
      { name: 'SDSF <LOG>', rev: 2, def: ['move(435)', 'ENTER', { txt: step.repeat(40) }] },
      { name: long, def: ['PF3'], mapping: { key: 'alt', keycode: 112 } },
    ],
    fmt: 2,
  });

/** No two have the same title. */
const pagesOfMenu = [
  '/',
  '/sessions',
  '/macros',
  '/macros/group/OPS?done=uploaded',
  '/users',
  '/users/BERT',
  '/new/user',
  '/groups',
  '/tokens',
  '/drafts',
  '/log',
  '/audit',
];

/** What another page has as well: nothing found, no macros yet, a version that differs from none, a question before something is removed. */
const pagesOfKnownKinds = [
  '/sessions?search=nobody&sort=host',
  '/macros/global',
  '/macros/group/OPS/versions/2',
  '/macros/group/OPS/remove',
  '/users/BERT/remove',
  '/groups/OPS/remove',
  '/log?level=error&text=nothing',
];

describe('the portal for everybody', () => {
  let browser: Browser | undefined;
  let site: PortalSite | undefined;

  before(async function () {
    browser = await browserFor(this);
    site = await startPortalSite();
    const named = { name: long.slice(0, 64), role: 'user', groups: ['OPS', 'DEV'], expires: '2020-01-01' } as const;
    await site.users.addUser(named, undefined);
    for (let wrong = 0; wrong < 10; wrong++) await site.users.signOn(BERT.name, 'wrong');
    const portal = await PortalPage.signedOn(browser, site);
    for (const step of ['=M', 'other']) {
      await portal.go('/macros/group/OPS');
      await portal.drop(fileOf(step));
      await portal.says('The macros were uploaded.');
    }
    await portal.close();
  });

  after(async () => {
    await leaveBrowser();
    await site?.stop();
  });

  it('has no fault that axe knows, fits light and dark on a desk and on a phone, and shows page and focus', async () => {
    const titles = new Set<string>();
    const portal = await PortalPage.signedOn(browser as Browser, site as PortalSite);
    const { page } = portal;
    await hasAxe(page);
    for (const path of [
      '/',
      '/sessions',
      '/sessions?search=nobody&sort=host',
      '/macros',
      '/macros?open=user&name=nobody',
      '/macros/global',
      '/macros/group/OPS?done=uploaded',
      '/macros/group/OPS/versions/1',
      '/macros/group/OPS/versions/2',
      '/macros/group/OPS/versions/1/restore',
      '/macros/group/OPS/remove',
      '/users',
      '/users?search=nobody',
      '/users/BERT',
      `/users/${named}`,
      '/users/BERT/remove',
      '/users/BERT/password',
      '/new/user',
      '/groups',
      '/groups/OPS/remove',
      '/tokens',
      '/drafts',
      '/log',
      '/log?level=error&text=nothing',
      '/audit',
    ]) {
      await portal.go(path);
      if (pagesOfMenu.includes(path)) await hasTitleAndFocus(path);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await check(path);
    }
    expect(titles.size).to.equal(pagesOfMenu.length);
    await portal.go('/new/user');
    await portal.press('Make a password');
    await check('made password');
    await portal.go('/groups');
    await page.getByLabel('Name', { exact: true }).fill('-');
    await portal.press('Add the group');
    await portal.warns('is not a valid group name');
    await check('refused form');
    await portal.close();

    async function hasTitleAndFocus(path: string): Promise<void> {
      titles.add(await page.title());
      expect(await page.getByRole('heading', { level: 1 }).count(), path).to.equal(1);
      await portal.keys('Tab', 'Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), path).to.equal('solid');
    }

    async function check(name: string): Promise<void> {
      const isKnown = pagesOfKnownKinds.includes(name);
      const faults = isKnown ? await faultsAsItStands(page) : await faultsAtAllWidths(page, [1280, 390], 844);
      expect(faults, name).to.deep.equal([]);
    }
  }).timeout(ALL_WIDTHS_LIMIT);

  it('has none for operators either, nor for those without a role', async () => {
    const operator = await PortalPage.signedOn(browser as Browser, site as PortalSite, OPERATOR);
    await hasAxe(operator.page);
    for (const path of ['/', '/macros/group/OPS', '/macros/group/OPS/versions/1', '/users/BERT', '/groups']) {
      await operator.go(path);
      expect(await violations(operator.page), path).to.deep.equal([]);
    }
    await operator.close();
  });

  const named = long.slice(0, 64);
});
