import { expect } from 'chai';
import { siteInBrowser } from './site-in-browser.js';
import { startTerminalSite, TerminalPage } from './terminal-page.js';

describe('the theme of the terminal page', () => {
  const here = siteInBrowser(startTerminalSite);
  const address = () => `${here.site.url}/TERMINAL.HTML+TSO`;

  it('is in what the server writes, of those that there are', async () => {
    const themeFor = async (cookie: string) => {
      const response = await fetch(address(), { headers: { Cookie: cookie } });
      return /<html lang="en" data-theme="([^"]*)">/.exec(await response.text())?.[1];
    };
    expect(await themeFor('sallyport-theme=classic')).to.equal('classic');
    expect(await themeFor('a=b; sallyport-theme=3279; c=d')).to.equal('3279');
    for (const cookie of ['', 'sallyport-theme=system', 'sallyport-theme=pink', 'sallyport-theme="><b>']) {
      expect(await themeFor(cookie), cookie).to.equal('');
    }
  });

  it('is there before any script runs, once it was chosen', async () => {
    const terminal = await TerminalPage.open(here.browser, address());
    const { page } = terminal;
    await page.locator('#screen .row').first().waitFor();
    const choose = (theme: string) =>
      page.evaluate(`(() => {
        localStorage.setItem('sallyport-settings', '{"theme":"${theme}"}');
        dispatchEvent(new StorageEvent('storage', { key: 'sallyport-settings' }));
      })()`);
    await choose('solarized');
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(address());
    expect(await page.evaluate('document.documentElement.dataset.theme')).to.equal('solarized');
    await page.unroute('**/*.js');
    await page.goto(address());
    await page.locator('#screen .row').first().waitFor();
    // colours of one's own are there before anything is painted
    await page.evaluate(`(() => {
      const names = ['blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'white', 'cursor'];
      const ownColours = { background: '#102030', ...Object.fromEntries(names.map((name) => [name, '#ffeedd'])) };
      localStorage.setItem('sallyport-settings', JSON.stringify({ theme: 'own', ownColours }));
      dispatchEvent(new StorageEvent('storage', { key: 'sallyport-settings' }));
    })()`);
    const glass = () => page.evaluate("getComputedStyle(document.querySelector('#screen')).backgroundColor");
    expect(await glass()).to.equal('rgb(16, 32, 48)');
    await page.route('**/terminal.js', (route) => route.abort());
    await page.goto(address());
    expect(await glass(), 'without the script of the terminal').to.equal('rgb(16, 32, 48)');
    // what is no colour is none
    await page.evaluate(
      `localStorage.setItem('sallyport-own-colours', '{"--glass":"url(x)","--x y":"#000000","--page":1}')`,
    );
    await page.goto(address());
    expect(await page.evaluate("document.documentElement.getAttribute('style')")).to.equal(null);
    await page.unroute('**/terminal.js');
    await page.goto(address());
    await page.locator('#screen .row').first().waitFor();
    expect(await glass()).to.equal('rgb(16, 32, 48)');
    await choose('system');
    expect(await page.evaluate("localStorage.getItem('sallyport-own-colours')")).to.equal(null);
    expect(await page.evaluate('document.cookie')).to.not.include('sallyport-theme');
    await page.context().close();
  });
});
