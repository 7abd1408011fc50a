import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { installationFolder } from '../../src/config/installation.js';
import { loadedBytes } from '../../test/browser/loaded-bytes.js';
import { startTerminalSite, TerminalPage } from '../../test/browser/terminal-page.js';
import { chromiumPath, launchChromium } from '../../test/support/chromium.js';
import { installPeers, versionOf } from '../scenario/peer-packages.js';
import { busyScreen } from './busy-screens.js';
import { type MainThreadWork, mainThreadWork } from './main-thread.js';
import { MEASURING, percentile } from './measured-page.js';

const USAGE = `Usage: npm run bench:terminal -- [--screens N] [--keys N] [--enters N] [--seconds N]
  --screens  screens of 62 × 160 that memory is looked at over (default 10000)
  --keys     keys typed (default 400)
  --enters   times that Enter is pressed (default 40)
  --seconds  seconds of 20 screens of 62 × 160 each (default 10)
`;
const WRITES_A_SECOND = 20;
const LONGEST_FRAME = 50;
const xtermFolder = join(installationFolder, 'bench', 'node_modules', '@xterm', 'xterm');

interface Measured {
  readonly keys: readonly number[];
  readonly answers: readonly { readonly whole: number; readonly host: number }[];
  readonly longTasks: readonly number[];
  readonly gaps: readonly number[];
}

export async function benchmarkTerminal(argv: readonly string[]): Promise<number> {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: { help: { type: 'boolean' }, screens: number, keys: number, enters: number, seconds: number },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const count = (text: string | undefined, usual: number) => Math.max(1, Number.parseInt(text ?? '', 10) || usual);
  const executable = chromiumPath();
  if (executable === undefined) throw new Error('there is no Chromium on this machine');
  installPeers();
  const site = await startTerminalSite();
  const browser = await launchChromium(executable);
  try {
    const address = `${site.url}/TERMINAL.HTML+TSO`;
    print(`Chromium ${browser.version()}, Node ${process.version}, xterm.js ${versionOf(xtermFolder)}`);
    const paints: number[] = [];
    for (let run = 0; run < 5; run++) paints.push((await loadedBytes(browser, address, 'gzip')).firstPaint);
    print(`first paint of the terminal page: ${milliseconds(percentile(paints, 0.5))}`);
    for (const encoding of ['gzip', 'br'] as const) {
      const { all, scripts } = await loadedBytes(browser, address, encoding);
      print(`the page loads ${kilobytes(all)} as they travel (${encoding}), of which scripts ${kilobytes(scripts)}`);
    }
    const terminal = await TerminalPage.open(browser, 'about:blank');
    await terminal.page.addInitScript(MEASURING);
    await terminal.page.goto(address);
    await terminal.signOn();
    const session = await terminal.page.context().newCDPSession(terminal.page);
    let keys: readonly number[] = [];
    const keyCount = count(values.keys, 400);
    const typed = await mainThreadWork(session, async () => {
      keys = await typing(terminal.page, keyCount);
    });
    print(`key to paint: ${spread(keys)}`);
    print(`  ${processorTime(typed, keyCount)} a key`);
    let answers: Measured['answers'] = [];
    const enterCount = count(values.enters, 40);
    const entered = await mainThreadWork(session, async () => {
      answers = await entering(terminal.page, enterCount);
    });
    const [whole, host] = [answers.map((one) => one.whole), answers.map((one) => one.host)];
    print(`Enter to painted screen: ${spread(whole)}; of it until the answer was here: ${spread(host)}`);
    const own = answers.map((one) => one.whole - one.host);
    print(`  the page's own part: ${spread(own)}`);
    print(`  ${processorTime(entered, enterCount)} a screen with the four keys before it`);
    const seconds = count(values.seconds, 10);
    const written = await mainThreadWork(session, () => busy(terminal.page, seconds));
    print(`  ${processorTime(written, seconds * WRITES_A_SECOND)} a screen`);
    await memory(terminal.page, count(values.screens, 10_000));
    await terminal.page.context().close();
    const peer = await typingInXterm(browser, count(values.keys, 400));
    print(`xterm.js, key to paint: ${spread(peer.keys)}; ${kilobytes(peer.bytes)} (script and style, gzip)`);
    print(
      `ratio of key to paint, ours to xterm.js: p50 ${ratio(keys, peer.keys, 0.5)}, p99 ${ratio(keys, peer.keys, 0.99)}`,
    );
    return 0;
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function typing(page: Page, count: number): Promise<readonly number[]> {
  const before = (await measuredOf(page)).keys.length;
  for (let at = 0; at < count; at++) {
    if (at % 6 === 5) await page.keyboard.press('Shift+Delete');
    if (at % 6 === 0) await page.keyboard.press('Home');
    await page.keyboard.press('abcdefghij'.charAt(at % 10));
  }
  await untilPainted(page);
  return (await measuredOf(page)).keys.slice(before);
}

/** Enters an invalid option: the host writes the menu again with an error message. */
async function entering(page: Page, count: number): Promise<Measured['answers']> {
  for (let at = 0; at < count; at++) {
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await page.keyboard.type(String(at % 2 === 0 ? 'q' : 'z'));
    await page.keyboard.press('Enter');
    // the content security policy of the page forbids `waitForFunction`
    await page.evaluate(
      `new Promise((resolve) => {
        const look = () => (measured.answers.length > ${at} ? resolve() : setTimeout(look, 10));
        look();
      })`,
    );
  }
  return (await measuredOf(page)).answers;
}

/** Simulates a host that writes 20 times a second: the messages are given to the page's WebSocket handler. */
async function busy(page: Page, seconds: number): Promise<void> {
  const screens = Array.from({ length: WRITES_A_SECOND }, (_, at) => busyScreen(1_000 + at));
  const before = (await measuredOf(page)).longTasks.length;
  await page.evaluate(
    `((screens, count) => new Promise((resolve) => {
      watchFrames();
      let at = 0;
      const timer = setInterval(() => {
        if (at >= count) {
          clearInterval(timer);
          window.isWatching = false;
          resolve();
          return;
        }
        const text = screens[at % screens.length].replace(/"r":\\d+/, '"r":' + (2000 + at++));
        socket.dispatchEvent(new MessageEvent('message', { data: text }));
      }, ${1000 / WRITES_A_SECOND});
    }))(${JSON.stringify(screens)}, ${seconds * WRITES_A_SECOND})`,
  );
  const { gaps, longTasks } = await measuredOf(page);
  const long = gaps.filter((gap) => gap > LONGEST_FRAME).length;
  print(
    `62 × 160 in colours, ${WRITES_A_SECOND} screens a second for ${seconds} s: ${gaps.length} frames, ${long} over ${LONGEST_FRAME} ms ` +
      `(longest ${milliseconds(Math.max(...gaps))}, p99 ${milliseconds(percentile(gaps, 0.99))}); tasks over 50 ms: ${longTasks.length - before}`,
  );
}

async function memory(page: Page, count: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const heaps: number[] = [await heapOf(session)];
  const quarter = Math.max(1, Math.floor(count / 4));
  for (let done = 0; done < count; done += quarter) {
    const screens = Array.from({ length: 10 }, (_, at) => busyScreen(100_000 + done + at));
    await page.evaluate(
      `(async (screens, from, count) => {
        for (let at = 0; at < count; at++) {
          const text = screens[at % screens.length].replace(/"r":\\d+/, '"r":' + (from + at));
          socket.dispatchEvent(new MessageEvent('message', { data: text }));
          await new Promise(requestAnimationFrame);
        }
      })(${JSON.stringify(screens)}, ${100_000 + done}, ${Math.min(quarter, count - done)})`,
    );
    heaps.push(await heapOf(session));
  }
  print(`memory over ${count} screens of 62 × 160, at each quarter: ${heaps.map(kilobytes).join(', ')}`);
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** The same 80 × 24 text in a canvas terminal with local echo. */
async function typingInXterm(browser: Browser, count: number): Promise<{ keys: readonly number[]; bytes: number }> {
  const files = new Map([
    ['/xterm.js', join(xtermFolder, 'lib', 'xterm.js')],
    ['/xterm.css', join(xtermFolder, 'css', 'xterm.css')],
  ]);
  const html = `<!DOCTYPE html><link rel="stylesheet" href="/xterm.css"><div id="place"></div><script src="/xterm.js"></script>
<script>
const terminal = new Terminal({ cols: 80, rows: 24, fontSize: 16 });
terminal.open(document.getElementById('place'));
for (let row = 1; row < 23; row++) terminal.write('\\x1b[' + row + ';1H\\x1b[3' + (row % 7 + 1) + 'mRow ' + row + ' ' + 'text '.repeat(14));
terminal.write('\\x1b[24;1H');
terminal.onData((data) => terminal.write(data));
terminal.focus();
</script>`;
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url);
    const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.css') ? 'text/css' : 'text/html';
    response.setHeader('Content-Type', type).end(file === undefined ? html : readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(MEASURING);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
  for (let at = 0; at < count; at++) await page.keyboard.press('abcdefghij'.charAt(at % 10));
  await untilPainted(page);
  const { keys } = await measuredOf(page);
  await context.close();
  server.close();
  const bytes = [...files.values()].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  return { keys, bytes };
}

function measuredOf(page: Page): Promise<Measured> {
  return page.evaluate<Measured>('measured');
}

async function untilPainted(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => painted(() => painted(resolve)))');
}

function spread(values: readonly number[]): string {
  return `p50 ${milliseconds(percentile(values, 0.5))}, p99 ${milliseconds(percentile(values, 0.99))} (${values.length})`;
}

function processorTime({ tasks, longest, parts }: MainThreadWork, count: number): string {
  const shares = [...parts].sort(([, one], [, other]) => other - one);
  const said = shares.map(([name, time]) => `${name} ${milliseconds(time / count, 2)}`).join(', ');
  return `processor time of the main thread ${milliseconds(tasks / count, 2)} (${said}; longest task ${milliseconds(longest)})`;
}

function ratio(ours: readonly number[], theirs: readonly number[], share: number): string {
  return (percentile(ours, share) / percentile(theirs, share)).toFixed(2);
}

function milliseconds(value: number, digits = 1): string {
  return `${value.toFixed(digits)} ms`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
