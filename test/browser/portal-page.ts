import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { ADMINISTRATOR, type PortalSite } from '../support/portal-site.js';
import { freshPage, leaveFresh } from './fresh-page.js';

type Account = { readonly name: string; readonly password: string };

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Where a portal is. */
type Site = Pick<PortalSite, 'portalUrl'>;

/** Of the users of each site, by their names. */
const signOns = new WeakMap<Site, Map<string, Cookies>>();

/** The portal in a browser, and what the browser complains of. */
export class PortalPage {
  readonly complaints: string[] = [];
  /** Bodies of all forms that were sent. */
  readonly sent: string[] = [];

  private constructor(
    readonly site: Site,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => this.sent.push(request.postData() ?? ''));
  }

  static async open(browser: Browser, site: Site, options: BrowserContextOptions = {}): Promise<PortalPage> {
    const page = await freshPage(browser, { locale: 'en-GB', ...options });
    return new PortalPage(site, page.context(), page);
  }

  /** Signed on: the first time with the form, then by what the site has given the browser. */
  static async signedOn(
    browser: Browser,
    site: Site,
    account: Account = ADMINISTRATOR,
    options: BrowserContextOptions = {},
  ): Promise<PortalPage> {
    const known = signOns.get(site) ?? new Map<string, Cookies>();
    signOns.set(site, known);
    const cookies = known.get(account.name);
    if (cookies === undefined) {
      const first = await PortalPage.signedOnByForm(browser, site, account, options);
      known.set(account.name, await first.context.cookies());
      return first;
    }
    const portal = await PortalPage.open(browser, site, options);
    await portal.context.addCookies(cookies);
    await portal.go('/');
    await portal.page.locator('nav#sections').waitFor({ state: 'attached' });
    return portal;
  }

  /** Signed on with the form: whoever signs off again takes nobody else along. */
  static async signedOnByForm(
    browser: Browser,
    site: Site,
    { name, password }: Account = ADMINISTRATOR,
    options: BrowserContextOptions = {},
  ): Promise<PortalPage> {
    const portal = await PortalPage.open(browser, site, options);
    const { page } = portal;
    await portal.go('/');
    await page.getByLabel('User ID').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign on' }).click();
    await portal.heading('Overview');
    // that nobody has signed on yet is an error to the browser
    portal.complaints.length = 0;
    return portal;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.site.portalUrl}${path}`);
  }

  async heading(name: string): Promise<void> {
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  async says(words: string): Promise<void> {
    await this.page.getByRole('status').getByText(words).waitFor();
  }

  async warns(words: string): Promise<void> {
    await this.page.getByRole('alert').getByText(words).waitFor();
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  async choose(file: string): Promise<void> {
    const chosen = { name: 'macros.json', mimeType: 'application/json', buffer: Buffer.from(file) };
    await this.page.locator('input[type="file"]').setInputFiles(chosen);
  }

  /** Lets a file go over the form for uploads. */
  async drop(...files: readonly string[]): Promise<void> {
    const transfer = await this.page.evaluateHandle((texts) => {
      const { DataTransfer, File } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: unknown): void } };
        File: new (parts: string[], name: string, options: object) => unknown;
      };
      const transfer = new DataTransfer();
      for (const text of texts) transfer.items.add(new File([text], 'macros.json', { type: 'application/json' }));
      return transfer;
    }, files);
    const form = this.page.locator('form[data-upload]');
    for (const event of ['dragover', 'drop']) await form.dispatchEvent(event, { dataTransfer: transfer });
  }

  /**
   * Tab until the focus is on what has that text or that name, and no further than a page has places. From the begin of a
   * page past its navigation, where what is looked for stands behind that.
   */
  async tabTo(name: string): Promise<void> {
    const isCalled = `(({ ariaLabel, name, textContent }) => [ariaLabel, name, textContent.trim()].includes(${JSON.stringify(name)}))`;
    const isInContent = await this.page.evaluate<boolean>(
      `document.activeElement === document.body && ![...document.querySelectorAll('header a, nav a, header button')].some(${isCalled})`,
    );
    for (let tabs = 0; tabs < 60; tabs++) {
      await this.page.keyboard.press('Tab');
      if (await this.page.evaluate<boolean>(`${isCalled}(document.activeElement)`)) return;
      if (tabs === 0 && isInContent && (await this.page.evaluate("document.activeElement.className === 'skip'")))
        await this.page.keyboard.press('Enter');
    }
    throw new Error(`the Tab key does not come to ${name} at ${this.page.url()}`);
  }

  /** Goes to another page by the keyboard. */
  async follow(name: string, heading: string): Promise<void> {
    await this.tabTo(name);
    await this.page.keyboard.press('Enter');
    await this.heading(heading);
  }

  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  close(): Promise<void> {
    return leaveFresh(this.page);
  }
}
