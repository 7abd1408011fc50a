import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ADMINISTRATOR, startPortalSite } from '../support/portal-site.js';
import { siteInBrowser } from './site-in-browser.js';

describe('error pages and sign-on pages in Chromium', () => {
  const here = siteInBrowser(startPortalSite);

  /** What somebody sees of a page at first sight. */
  function lookOf(page: Page): Promise<Record<string, string>> {
    return page.evaluate(`(() => {
      const style = (selector, ...names) => names.map((name) => getComputedStyle(document.querySelector(selector))[name]).join();
      return {
        page: style('body', 'backgroundColor', 'color', 'fontFamily', 'fontSize', 'lineHeight', 'margin'),
        heading: style('h1', 'fontSize', 'letterSpacing', 'margin'),
        link: style('a', 'color'),
        left: String(Math.round(document.querySelector('h1').getBoundingClientRect().left)),
      };
    })()`);
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`look like the others, ${colorScheme}`, async () => {
      const page = await here.browser.newPage({ colorScheme });
      const refused: string[] = [];
      page.on('console', (message) => refused.push(message.text()));
      await page.goto(`${here.site.clientUrl}/DEMO.HTML`);
      const others = await lookOf(page);
      for (const path of ['/NOSUCH.HTML', '/BYE.HTML+NOSUCH']) {
        await page.goto(`${here.site.clientUrl}${path}`);
        expect(await lookOf(page), path).to.deep.equal(others);
      }
      expect(refused.filter((text) => !text.includes('404'))).to.deep.equal([]);
      await page.close();
    });
  }

  it('lead back from a transaction that there is not, as from a page that there is not', async () => {
    const page = await here.browser.newPage();
    for (const path of ['/NOSUCH.HTML', '/BYE.HTML+NOSUCH']) {
      expect((await page.goto(`${here.site.clientUrl}${path}`))?.status(), path).to.equal(404);
      await page.getByRole('link', { name: 'Home page' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(page.url()).pathname, path).to.equal('/');
    }
    await page.close();
  });

  it('show a user id as it was typed, also after a wrong password', async () => {
    const page = await here.browser.newPage();
    await page.goto(`${here.site.portalUrl}/`);
    const userId = page.getByLabel('User ID');
    const shown = () =>
      page.evaluate<string>(`(() => {
        const input = document.querySelector('[name=USERID]');
        return input.value + ' ' + getComputedStyle(input).textTransform;
      })()`);
    await userId.fill(ADMINISTRATOR.name);
    expect(await shown()).to.equal('admin none');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign on' }).click();
    await page.getByText('The user ID or the password is wrong').waitFor();
    expect(await shown()).to.equal('admin none');
    await page.close();
  });
});
