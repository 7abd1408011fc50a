// npm run looks -- FOLDER [--only STATE]...: walks the states of the terminal in Chromium, has axe look at each of them in three
// widths and four kinds of colours, and writes a picture of each at five widths into the folder. Exit code 1: axe found something.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';

const AXE_WIDTHS = [390, 1024, 1440];
const PICTURE_WIDTHS = [390, 1024, 1440, 1920, 2560];
const HEIGHTS = { 390: 844, 1024: 768, 1440: 900, 1920: 1080, 2560: 1440 };
/** A4 without its margins, at 96 pixels an inch. */
const PAPER = { width: 703, height: 1032 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    'without-axe': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write('Usage: npm run looks -- FOLDER [--only STATE]... [--without-axe]\n');
  process.exit(2);
}
ensureInstalled();
ensureBuilt();
const compiled = (...names) => import(join(projectFolder, 'dist', 'test', ...names));
const { chromiumPath, launchChromium } = await compiled('support', 'chromium.js');
const { startTerminalSite, TerminalPage } = await compiled('browser', 'terminal-page.js');
const { colourRules, violations } = await compiled('browser', 'axe.js');
const { resized } = await compiled('browser', 'resized.js');

mkdirSync(folder, { recursive: true });
const site = await startTerminalSite({
  transactions: [
    'TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML, description: Payroll }',
    'CICS: { applicationType: 1, application: SIM, page: TERMINAL.HTML, description: Orders }',
    'w2h: { applicationType: 4, application: W2H-DIR }',
  ].join('\n      '),
});
// the clipboard and the service of macros are for pages that browsers call secure
const at = (path) => new URL(path, site.url.replace('127.0.0.1', 'localhost')).href;
const browser = await launchChromium(chromiumPath());
let faults = 0;

/** The socket of the page, for what a host or an operator would send. */
const KEEP_SOCKET = `(() => {
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      window.socket = this;
    }
  };
})()`;

const MACROS = JSON.stringify({
  macros: [
    { name: 'Look up an account', rev: 2, def: [{ txt: '2' }, 'ENTER'], mapping: { key: 'alt', keycode: 71 } },
    { name: 'Sign on', rev: 1, def: [{ txt: 'DEMO' }, 'Tab', { txt: '', prompt: 'Password' }, 'ENTER'] },
    {
      name: 'Somewhere else',
      rev: 1,
      def: [
        {
          txt: '',
          screen: [
            { text: 'CLAIMS', row: 1, column: 2 },
            { text: 'Claim number', row: 4, column: 2 },
          ],
        },
        'ENTER',
      ],
    },
  ],
  fmt: 2,
});

const states = {
  'sign-on screen': { start: async (terminal) => terminal.shows('Userid') },
  menu: {},
  keypad: { go: ({ page }) => page.getByRole('button', { name: 'Keys', exact: true }).click() },
  palette: { go: (terminal) => terminal.press('Control+k') },
  'palette, search': {
    go: async (terminal) => {
      await terminal.press('Control+k');
      await terminal.type('cop');
    },
  },
  settings: { go: (terminal) => openSettings(terminal) },
  'settings, own colours': {
    go: async (terminal) => {
      await openSettings(terminal);
      await terminal.page.getByLabel('Colours', { exact: true }).selectOption('own');
    },
  },
  'key editor': { go: (terminal) => openKeys(terminal) },
  'key editor, conflict': {
    go: async (terminal) => {
      await openKeys(terminal);
      await terminal.page.getByRole('button', { name: 'Add a key for Erase input' }).focus();
      await terminal.press('Enter', 'Alt+g');
      await terminal.page.getByRole('button', { name: 'Take Alt+G' }).waitFor();
    },
  },
  help: { go: (terminal) => terminal.press('Control+F1') },
  find: {
    go: async (terminal) => {
      await terminal.press('Control+f');
      await terminal.page.keyboard.type('a', { delay: 20 });
    },
  },
  'screens before': {
    go: async (terminal) => {
      await terminal.choose('2', 'ACCT');
      await terminal.press('F3');
      await terminal.shows('Option ===>');
      await terminal.free();
      await terminal.press('Alt+PageUp');
      await terminal.page.getByRole('heading', { name: 'Screens of this session' }).waitFor();
    },
  },
  selection: {
    go: async (terminal) => {
      await terminal.press('Home');
      for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight'])
        await terminal.press(key);
    },
  },
  macros: { go: (terminal) => openMacros(terminal) },
  'macros, what can be done': {
    go: async (terminal) => {
      await openMacros(terminal);
      await terminal.page.getByRole('button', { name: 'More about Sign on' }).click();
    },
  },
  'macro editor': { go: (terminal) => more(terminal, 'Sign on', 'Edit') },
  'macro, name and hot key': { go: (terminal) => more(terminal, 'Look up an account', 'Rename, hot key') },
  'macro, delete': { go: (terminal) => more(terminal, 'Sign on', 'Delete') },
  'macro, other screen': {
    go: async (terminal) => {
      await openMacros(terminal);
      await terminal.page.getByRole('button', { name: 'Run Somewhere else' }).click();
      await terminal.page.getByRole('heading', { name: /stopped/ }).waitFor();
    },
  },
  'macro, step by step': { go: (terminal) => more(terminal, 'Look up an account', 'Step through') },
  recording: { go: ({ page }) => page.getByRole('button', { name: 'Record', exact: true }).click() },
  'operator error': {
    go: async (terminal) => {
      await terminal.choose('3', 'FORM');
      await terminal.type('x');
      await terminal.says('X o NUM');
    },
  },
  'program check': {
    go: async (terminal) => {
      await terminal.type('6');
      await terminal.press('Enter');
      await terminal.says('X PROG 755');
    },
  },
  'silent host': {
    go: async (terminal) => {
      await terminal.page.evaluate('socket.send = () => {}');
      await terminal.press('Enter');
      await terminal.page.getByText('The host has not answered yet').first().waitFor({ timeout: 30_000 });
    },
  },
  'not connected': {
    go: async (terminal) => {
      await terminal.page.context().setOffline(true);
      await terminal.page.evaluate('socket.close()');
      await terminal.says('Not connected');
    },
  },
  'message of an operator': {
    go: (terminal) =>
      tell(terminal, {
        k: 'n',
        i: 1,
        b: 'OPERA',
        m: 'The system goes down for an hour at 18:00. Please finish what you do.',
      }),
  },
  watched: { go: (terminal) => tell(terminal, { k: 'v', b: ['OPERA'] }) },
  disconnect: { go: ({ page }) => page.getByRole('button', { name: 'Disconnect' }).click() },
  'ended session': {
    go: async (terminal) => {
      await terminal.press('F3');
      await terminal.alert.getByRole('link').first().waitFor();
    },
  },
  colours: { go: (terminal) => terminal.choose('4', 'COLOURS') },
  apl: { go: (terminal) => terminal.choose('5', 'APL') },
  home: { go: ({ page }) => page.goto(at('/')) },
  tabs: { go: (terminal) => openTabs(terminal) },
  'side by side': {
    go: async (terminal) => {
      await openTabs(terminal);
      await terminal.page.keyboard.press('Control+Alt+KeyS');
    },
  },
  'page that there is not': { go: ({ page }) => page.goto(at('/NOSUCH.HTML')) },
  'last page': {
    go: async ({ page }) => {
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('button', { name: 'End the session' }).click();
      await page.getByRole('heading', { name: 'Good bye' }).waitFor();
    },
  },
  'on paper': { isPaper: true, go: (terminal) => terminal.choose('4', 'COLOURS') },
  'on paper, all screens': { isPaper: true, go: (terminal) => printAll(terminal, false) },
  'on paper, as seen': { isPaper: true, go: (terminal) => printAll(terminal, true) },
};

async function openSettings(terminal) {
  await terminal.press('Control+,');
  await terminal.page.getByRole('heading', { name: 'Settings' }).waitFor();
}

async function openKeys(terminal) {
  await openSettings(terminal);
  await terminal.page.getByText('Keys of your own').click();
}

async function openMacros({ page }) {
  await page.locator('#macro-list').click();
  await page.getByRole('heading', { name: /^Macros \(/ }).waitFor();
}

async function more(terminal, name, action) {
  await openMacros(terminal);
  await terminal.page.getByRole('button', { name: `More about ${name}` }).click();
  await terminal.page.getByRole('button', { name: action, exact: true }).click();
}

/** As the server would tell it. */
function tell({ page }, message) {
  const data = JSON.stringify(JSON.stringify(message));
  return page.evaluate(`socket.dispatchEvent(new MessageEvent('message', { data: ${data} }))`);
}

async function openTabs({ page }) {
  await page.goto(at('/TERMINAL.HTML+CICS'));
  await page.locator('#screen .row').first().waitFor();
  await page.goto(at('/w2h/sessions'));
  await page.locator('iframe').first().waitFor();
  await page.frameLocator('iframe').first().locator('#screen .row').first().waitFor();
}

async function printAll(terminal, isAsSeen) {
  await states['screens before'].go(terminal);
  const { page } = terminal;
  // the sheet stays: nobody prints here
  await page.evaluate('window.print = () => {}');
  await page.getByLabel(/all \d+ screens/).check();
  if (isAsSeen) await page.getByLabel('print in colour').check();
  await page.getByRole('button', { name: 'Print', exact: true }).click();
}

async function walk(name, { start, go, isPaper }) {
  const terminal = await TerminalPage.open(browser, 'about:blank', { colorScheme: 'dark', locale: 'en-GB' });
  const { page } = terminal;
  await page.addInitScript(KEEP_SOCKET);
  await page.addInitScript(`localStorage.setItem('sallyport-macros', ${JSON.stringify(MACROS)})`);
  await page.goto(at('/TERMINAL.HTML+TSO'));
  if (start === undefined) {
    await terminal.signOn();
    await terminal.free();
  } else await start(terminal);
  await go?.(terminal);
  const slug = name.replaceAll(/[^a-z]+/g, '-');
  if (isPaper) {
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await resized(page, PAPER.width, PAPER.height);
    await page.screenshot({ path: join(folder, `${slug}.png`), fullPage: true });
    await page.pdf({
      path: join(folder, `${slug}.pdf`),
      preferCSSPageSize: true,
      printBackground: isPaper && name.endsWith('seen'),
    });
  } else {
    for (const width of PICTURE_WIDTHS) {
      await resized(page, width, HEIGHTS[width]);
      const path = join(folder, `${slug}-${width}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
    if (!values['without-axe']) await lookWithAxe(page, name);
  }
  await terminal.close();
}

/** All rules at each width, and those of colours in each kind of colours. */
async function lookWithAxe(page, name) {
  const kinds = [
    ['dark', { colorScheme: 'dark' }, ''],
    ['light', { colorScheme: 'light' }, ''],
    ['high contrast', { colorScheme: 'dark' }, 'high-contrast'],
    ['forced colours', { colorScheme: 'dark', forcedColors: 'active' }, ''],
  ];
  for (const width of AXE_WIDTHS) {
    await resized(page, width, HEIGHTS[width]);
    for (const [kind, media, theme] of kinds) {
      await page.emulateMedia({ forcedColors: 'none', ...media });
      const before = await page.evaluate('document.documentElement.dataset.theme ?? ""');
      await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme || before)}`);
      const found = await violations(page, kind === 'dark' ? [] : colourRules);
      await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(before)}`);
      const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (overhang > 0) found.push(`${overhang} pixels wider than the window`);
      for (const fault of found) process.stdout.write(`  ${name}, ${width} pixels, ${kind}: ${fault}\n`);
      faults += found.length;
    }
  }
}

try {
  for (const [name, state] of Object.entries(states)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue;
    process.stdout.write(`${name}\n`);
    try {
      await walk(name, state);
    } catch (error) {
      faults++;
      process.stdout.write(`  ${name} was not reached: ${error.message.slice(0, 600)}\n`);
    }
  }
} finally {
  await browser.close();
  await site.stop();
}
process.stdout.write(faults === 0 ? 'axe found nothing\n' : `${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;
