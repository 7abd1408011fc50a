import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type SessionSite, type SessionSiteOptions, startSessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { projectFolder } from '../support/project.js';
import { freshPage, leaveFresh } from './fresh-page.js';
import { HOST_NAME } from './shared-browser.js';

const terminal = (name: string, further = '') =>
  `${name}: { applicationType: 1, application: SIM, page: TERMINAL.HTML${further} }`;
const transactions = [
  terminal('TSO', ', crypt: CRYPT3270, description: Simulated host'),
  terminal('NULL', ', crypt: CRYPTNULL'),
  terminal('GCM', ', crypt: CRYPTGCM'),
  terminal('CLEAR'),
  'MENU: { applicationType: 1, application: MENU, crypt: CRYPT3270, page: TERMINAL.HTML }',
  'w2h: { applicationType: 4, application: W2H-DIR }',
].join('\n      ');

export interface TerminalSiteOptions extends Omit<SessionSiteOptions, 'pages'> {
  /** The shipped pages with something else in them. */
  readonly replace?: readonly (readonly [from: string, to: string])[];
}

/** A server with the shipped pages and the simulated host. */
export async function startTerminalSite({
  replace = [],
  hosts = '',
  ...options
}: TerminalSiteOptions = {}): Promise<SessionSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pages-'));
  cpSync(join(projectFolder, 'templates', 'pages'), folder, { recursive: true });
  // the page of an entry point has its name
  cpSync(join(folder, 'CLIWHOST.HTML'), join(folder, 'CLI.HTML'));
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      replace.reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
    );
  }
  const site = await startSessionSite({
    transactions,
    entryPoint: 'lastPage: BYE.HTML',
    // a key for each table that nobody asks for would take more of the processor than the page
    sessions: '{ keysReady: 0 }',
    ...options,
    hosts: options.transactions === undefined ? `MENU: { simulated: true, start: MENU }\n  ${hosts}` : hosts,
    pages: folder,
  });
  return {
    ...site,
    stop: async () => {
      await site.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** An address of the site under the name that is not loopback. */
export function named(url: string, path = '/'): string {
  return new URL(path, url.replace(/127\.0\.0\.1|localhost/, HOST_NAME)).href;
}

/** Before a test says what it sees instead of what it waits for. */
const PATIENCE = 45_000;

/** What the host has on the screen and what was typed, row by row; a password as the characters it has. */
const SHOWN = `[...document.querySelectorAll('#screen .row')].map((row) => [...row.childNodes].map((node) =>
  node.nodeName === 'INPUT' ? node.value.padEnd(node.size) : node.textContent).join(''))`;

const INFORMATION = "(document.querySelector('#information')?.textContent ?? '')";

/** A page whose clock stands still, or whose inputs have changed without a mutation, is looked at again. */
const LOOK_AGAIN = 500;

function includesAll(texts: readonly string[]): string {
  return `(text) => ${JSON.stringify(texts)}.every((one) => text.includes(one))`;
}

/** A page of the terminal in a browser, as its user sees it. */
export class TerminalPage {
  readonly page: Page;
  /** Errors of the console, and what was thrown. */
  readonly complaints: string[] = [];
  readonly sent: string[] = [];
  readonly received: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => this.sent.push(String(payload)));
      socket.on('framereceived', ({ payload }) => this.received.push(String(payload)));
    });
  }

  /** A browser of its own, with cookies of its own. */
  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<TerminalPage> {
    const opened = new TerminalPage(await freshPage(browser, { viewport: { width: 1280, height: 800 }, ...options }));
    await opened.page.goto(url);
    return opened;
  }

  /** Past the sign-on, at the menu of the host. For +MENU there is none: its host begins there. */
  static async atMenu(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<TerminalPage> {
    const opened = await TerminalPage.open(browser, url, options);
    if (url.includes('+MENU')) await opened.connectedAtMenu();
    else await opened.signOn();
    return opened;
  }

  /** What the server has written into the page is there before it is connected, and takes keys. */
  async connectedAtMenu(): Promise<void> {
    await this.shows('Option ===>');
    await eventually(() => this.received.some((text) => text.startsWith('{"k":"w"')) || undefined);
    await this.free();
  }

  /** The submits that were sent. */
  get submits(): Readonly<Record<string, unknown>>[] {
    return this.sent.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>).filter(({ k }) => k === 'k');
  }

  get alert(): Locator {
    return this.page.getByRole('alert');
  }

  async lines(): Promise<readonly string[]> {
    return this.page.evaluate(SHOWN);
  }

  async text(): Promise<string> {
    return (await this.lines()).join('\n');
  }

  /** The line below the screen. */
  async information(): Promise<string> {
    return (await this.page.locator('#information').textContent()) ?? '';
  }

  /** The row of the screen that begins with a label, behind it. */
  async valueOf(label: string): Promise<string> {
    const line = (await this.lines()).find((one) => one.trimStart().startsWith(label)) ?? '';
    return line.slice(line.indexOf(label) + label.length).trim();
  }

  /** @throws with what is shown instead */
  async shows(...texts: readonly string[]): Promise<void> {
    await this.#becomes(`(${SHOWN}).join('\\n')`, includesAll(texts), texts.join(', '));
  }

  async says(...texts: readonly string[]): Promise<void> {
    await this.#becomes(INFORMATION, includesAll(texts), texts.join(', '));
  }

  /** The keyboard is free. */
  async free(): Promise<void> {
    await this.#becomes(INFORMATION, "(text) => !text.startsWith('X')", 'free keyboard');
  }

  /** A connection that was lost is there again. */
  async connected(): Promise<void> {
    await this.#becomes(INFORMATION, "(text) => !text.startsWith('X COMM')", 'connection');
  }

  /** The page itself looks whenever it has changed: asking it again and again would cost more than all that it does. */
  async #becomes(look: string, isSo: string, words: string): Promise<void> {
    const end = Date.now() + PATIENCE;
    const watch = `new Promise((resolve) => {
      const isSo = () => (${isSo})(${look});
      if (isSo()) return resolve(true);
      const observer = new MutationObserver(() => {
        if (!isSo()) return;
        observer.disconnect();
        resolve(true);
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    })`;
    for (;;) {
      // a page that is being left has nothing to look at
      const found = await Promise.race([this.page.evaluate<boolean>(watch).catch(() => false), wait(LOOK_AGAIN)]);
      if (found === true) return;
      if (found === false) await wait(10);
      if (Date.now() > end)
        throw new Error(`no ${words} in:\n${await this.text()}\n${await this.information()}\n${this.received.at(-1)}`);
    }
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async signOn(user = 'demo', password = 'demo'): Promise<void> {
    await this.shows('Userid');
    await this.free();
    const inputs = this.page.locator('#screen input');
    await inputs.nth(0).fill(user);
    await inputs.nth(1).fill(password);
    await this.press('Enter');
    await this.shows('Option ===>');
  }

  /** From the menu to an application that shows its name. */
  async choose(option: string, name: string): Promise<void> {
    await this.shows('Option ===>');
    await this.free();
    await this.type(option);
    await this.press('Enter');
    await this.shows(`${name} `);
    await this.free();
  }

  close(): Promise<void> {
    return leaveFresh(this.page);
  }
}
