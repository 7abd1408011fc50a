import { expect } from 'chai';
import { ALL_WIDTHS_LIMIT, faultsAtAllWidths } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

describe('the pages for everybody', () => {
  const here = siteInBrowser(startTerminalSite);

  it('have no fault that axe knows, and fit, dark and light, on a desk and on a phone', async () => {
    const terminal = await TerminalPage.open(here.browser, at('/'), { viewport: { width: 360, height: 740 } });
    const { page } = terminal;
    await check('menu');
    await page.goto(at('/SIGNON.HTML+TSO'));
    await check('sign-on page');
    await page.goto(at('/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    await check('sign-on screen');
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await check('keypad');
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await page.getByRole('textbox', { name: 'Userid' }).focus();
    await terminal.signOn();
    await check('host menu');
    for (const [option, name] of [
      ['4', 'COLOURS'],
      ['5', 'APL'],
      ['3', 'FORM'],
    ] as const) {
      await terminal.choose(option, name);
      await check(name);
      if (name !== 'FORM') await terminal.press('F3');
    }
    await terminal.type('x');
    await terminal.says('X o NUM');
    await check('operator error');
    await terminal.press('Escape', 'F3');
    await terminal.shows('Option ===>');
    await terminal.free();
    await terminal.press('F3');
    await terminal.alert.getByRole('link').first().waitFor();
    await check('ended session');
    await page.goto(at('/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('heading', { name: 'Goodbye' }).waitFor();
    await check('last page');
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();

    async function check(name: string): Promise<void> {
      expect(await faultsAtAllWidths(page, [1280, 360], 740), name).to.deep.equal([]);
    }
  }).timeout(ALL_WIDTHS_LIMIT);

  it('have none either where they tell of an error', async () => {
    const { page } = await TerminalPage.open(here.browser, at('/NONE.HTML'));
    expect(await faultsAtAllWidths(page, [360], 740)).to.deep.equal([]);
    await page.goto(at('/w2h/TERMINAL.HTML++SvcSession=nobody'));
    expect(await faultsAtAllWidths(page, [360], 740)).to.deep.equal([]);
    await page.context().close();
  });

  it('name the fields of the host by the words before them', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+TSO'));
    await terminal.choose('3', 'FORM');
    for (const name of ['From account * . . (8 digits)', 'Amount *', 'Remark']) {
      expect(await terminal.page.getByRole('textbox', { name }).count(), name).to.equal(1);
    }
    await terminal.close();
  });

  it('say aloud what the host has changed', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+TSO'));
    await terminal.press('F1');
    await terminal.page.getByRole('status').getByText('This key is not active').waitFor();
    await terminal.close();
  });

  it('keep to a policy that allows no inline script, and load nothing from elsewhere', async () => {
    const terminal = await TerminalPage.open(here.browser, at('/'));
    const origins = new Set<string>();
    terminal.page.on('request', (request) => origins.add(new URL(request.url()).origin));
    const answer = await terminal.page.goto(at('/TERMINAL.HTML+TSO'));
    expect(answer?.headers()['content-security-policy']).to.include("script-src 'self'").and.not.include('unsafe');
    await terminal.signOn();
    expect([...origins]).to.deep.equal([new URL(at('/')).origin]);
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  function at(path: string): string {
    return named(here.site.url, path);
  }
});
