import { expect } from 'chai';
import { siteInBrowser } from './site-in-browser.js';
import { startTerminalSite, TerminalPage } from './terminal-page.js';

const languages = [
  { locale: 'fr-CA', lang: 'fr', disconnect: 'Déconnecter', keys: 'Touches', refusal: /Impossible de saisir ici/ },
  { locale: 'de-AT', lang: 'de', disconnect: 'Trennen', keys: 'Tasten', refusal: /Hier kann nichts eingegeben werden/ },
  { locale: 'it-IT', lang: 'en', disconnect: 'Disconnect', keys: 'Keys', refusal: /Nothing can be typed here/ },
] as const;

/** What stands in French and German was written by their speakers for this; the codes of languages are those of BCP 47. */
describe('the language of the terminal page', () => {
  const here = siteInBrowser(startTerminalSite);

  for (const { locale, lang, disconnect, keys, refusal } of languages) {
    it(`is ${lang} in a browser that asks for ${locale}: of what the server wrote, and of what the script says`, async () => {
      const terminal = await TerminalPage.open(here.browser, `${here.site.url}/TERMINAL.HTML+TSO`, { locale });
      const { page } = terminal;
      expect(await page.evaluate('document.documentElement.lang')).to.equal(lang);
      await page.getByRole('button', { name: disconnect }).waitFor();
      expect(await page.locator('#keypad-toggle').textContent()).to.equal(keys);
      // the cursor leaves the field for protected ground
      await page.locator('#screen .row').first().waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.type('x');
      await page.locator('#information').getByText(refusal).waitFor();
      expect(terminal.complaints).to.deep.equal([]);
      await page.context().close();
    });
  }

  it('is the one that was chosen, and no part of the page is left in another', async () => {
    const terminal = await TerminalPage.open(here.browser, here.site.url, { locale: 'fr-FR' });
    const { page } = terminal;
    await page.context().addCookies([{ name: 'sallyport-language', value: 'de', url: here.site.url }]);
    await page.goto(`${here.site.url}/TERMINAL.HTML+TSO`);
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de');
    await page.getByRole('button', { name: 'Makros (dieser Browser)' }).waitFor();
    await page.keyboard.press('Alt+m');
    await page.getByRole('heading', { name: 'Makros (dieser Browser)' }).waitFor();
    await page.getByRole('button', { name: 'Makro aufzeichnen' }).waitFor();
    expect(terminal.complaints).to.deep.equal([]);
    await page.context().close();
  });
});
