// npm run looks -- FOLDER [--only STATE]...: checks each state of the terminal in Chromium with axe, at three widths in
// four colour schemes, and writes pictures at five widths. Exit code 1 if axe reports a violation.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { MACROS, statesOf } from './looks-states.mjs';

const AXE_WIDTHS = [390, 1024, 1440];
const PICTURE_WIDTHS = [390, 1024, 1440, 1920, 2560];
/** Phone, portrait and landscape. */
const PHONE_WIDTHS = [390, 844];
const KEYBOARDS = { 390: 320, 844: 190 };
const HEIGHTS = { 390: 844, 844: 390, 1024: 768, 1440: 900, 1920: 1080, 2560: 1440 };
/** A4 without its margins, at 96 pixels per inch. */
const PAPER = { width: 703, height: 1032 };

const COLOURS = [
  ['dark', { colorScheme: 'dark' }, ''],
  ['light', { colorScheme: 'light' }, ''],
  ['high contrast', { colorScheme: 'dark' }, 'high-contrast'],
  ['forced colours', { colorScheme: 'dark', forcedColors: 'active' }, ''],
];
const DEVICES = {
  phone: { isMobile: true, hasTouch: true, deviceScaleFactor: 2, viewport: { width: 390, height: 844 } },
  'no script': { javaScriptEnabled: false },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    'without-axe': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined || values.help) {
  const out = values.help ? process.stdout : process.stderr;
  out.write('Usage: npm run looks -- FOLDER [--only STATE]... [--without-axe]\n');
  process.exit(values.help ? 0 : 2);
}
ensureInstalled();
ensureBuilt();
const compiled = (...names) => import(join(projectFolder, 'dist', 'test', ...names));
const { chromiumPath, launchChromium } = await compiled('support', 'chromium.js');
const { startTerminalSite, TerminalPage } = await compiled('browser', 'terminal-page.js');
const { colourRules, violations } = await compiled('browser', 'axe.js');
const { ADMINISTRATOR, startPortalSite } = await compiled('support', 'portal-site.js');
const { resized } = await compiled('browser', 'resized.js');

mkdirSync(folder, { recursive: true });
const site = await startTerminalSite({
  transactions: [
    'TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML, fileTransfer: {}, description: Payroll }',
    'CICS: { applicationType: 1, application: SIM, page: TERMINAL.HTML, description: Orders }',
    'w2h: { applicationType: 4, application: W2H-DIR }',
  ].join('\n      '),
});
const portal = await startPortalSite({
  crypts: '',
  transactions: Array.from(
    { length: 14 },
    (_, at) =>
      `      APP${at}: { applicationType: 1, application: SIM, page: TERMINAL.HTML, description: Application ${at + 1} }`,
  ).join('\n'),
});
// the clipboard and services from macros need a secure context, which localhost is
const at = (path) => new URL(path, site.url.replace('127.0.0.1', 'localhost')).href;
const signedOnAt = (path) => new URL(path, portal.clientUrl.replace('127.0.0.1', 'localhost')).href;
const browser = await launchChromium(chromiumPath());
let faults = 0;

const KEEP_SOCKET = `(() => {
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      window.socket = this;
    }
  };
})()`;

async function walk(name, { start, go, isPaper, path, device, hasKeyboard }) {
  const terminal = await TerminalPage.open(browser, 'about:blank', {
    colorScheme: 'dark',
    locale: 'en-GB',
    ...DEVICES[device],
  });
  const { page } = terminal;
  await page.addInitScript(KEEP_SOCKET);
  await page.addInitScript(`localStorage.setItem('sallyport-macros', ${JSON.stringify(MACROS)})`);
  await page.goto(path ?? at('/TERMINAL.HTML+TSO'));
  if (start === undefined) {
    await terminal.signOn();
    await terminal.free();
  } else await start(terminal);
  await go?.(terminal);
  const slug = name.replaceAll(/[^a-z]+/gi, '-');
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
    const widths = device === 'phone' ? PHONE_WIDTHS : PICTURE_WIDTHS;
    const hasScript = device !== 'no script';
    const picture = (suffix) =>
      page.screenshot({ path: join(folder, `${slug}-${suffix}.png`), animations: 'disabled', caret: 'hide' });
    const resize = (width) =>
      hasScript
        ? resized(page, width, HEIGHTS[width] - (hasKeyboard ? KEYBOARDS[width] : 0))
        : page.setViewportSize({ width, height: HEIGHTS[width] });
    for (const width of widths) {
      await resize(width);
      await picture(width);
    }
    if (hasScript) {
      await resize(widths.includes(1440) ? 1440 : 390);
      await inEachColours(page, (kind) => picture(kind.replace(' ', '-')));
      if (!values['without-axe']) {
        for (const width of device === 'phone' ? PHONE_WIDTHS : AXE_WIDTHS) {
          await resize(width);
          await lookWithAxe(page, `${name}, ${width} pixels`);
        }
      }
    }
  }
  await page.context().setOffline(false);
  if (device === undefined) await terminal.close();
  else await page.context().close();
}

/** Runs `look` in each colour scheme, and restores the first one. */
async function inEachColours(page, look) {
  const before = await page.evaluate('document.documentElement.dataset.theme ?? ""');
  for (const [kind, media, theme] of COLOURS) {
    await page.emulateMedia({ forcedColors: 'none', ...media });
    for (const frame of page.frames())
      await frame.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme || before)}`);
    await look(kind);
  }
  for (const frame of page.frames())
    await frame.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(before)}`);
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' });
}

/** All rules in the first colour scheme, colour rules in the others. */
async function lookWithAxe(page, name) {
  await inEachColours(page, async (kind) => {
    const found = await violations(page, kind === COLOURS[0][0] ? [] : colourRules);
    const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (overhang > 0) found.push(`${overhang} pixels wider than the window`);
    for (const fault of found) process.stdout.write(`  ${name}, ${kind}: ${fault}\n`);
    faults += found.length;
  });
}

try {
  for (const [name, state] of Object.entries(statesOf({ at, signedOnAt, users: { administrator: ADMINISTRATOR } }))) {
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
  await portal.stop();
}
process.stdout.write(faults === 0 ? 'axe found nothing\n' : `${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;
