// npm run pictures: takes the pictures of the README from the running product, in a Chromium of this machine.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';

const MOST_BYTES = 150 * 1024;
const picturesFolder = join(projectFolder, 'docs', 'pictures');
const client = 'http://127.0.0.1:41002';
const portal = 'http://127.0.0.1:41001';

ensureInstalled();
ensureBuilt();
const { chromiumPath, launchChromium } = await import(join(projectFolder, 'dist', 'test', 'support', 'chromium.js'));
const { devices } = createRequire(import.meta.url)('playwright-core');
const executable = chromiumPath();
if (executable === undefined) {
  process.stderr.write('There is no Chromium on this machine to make pictures with.\n');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'sallyport-pictures-'));
const server = await startProduct();
const browser = await launchChromium(executable);
mkdirSync(picturesFolder, { recursive: true });
try {
  await picture('terminal', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }, toMenu);
  await picture('phone', { ...devices['iPhone 13'], colorScheme: 'dark', deviceScaleFactor: 2 }, toMenu);
  await picture('portal', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }, toPortal);
  await picture('side-by-side', { viewport: { width: 1600, height: 680 }, colorScheme: 'dark' }, toTwoSessions);
} finally {
  await browser.close();
  server.process.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}

async function startProduct() {
  const text = readFileSync(join(projectFolder, 'sallyport.yaml'), 'utf8')
    .replaceAll(/(?<=[\s'])\.\/data\b/g, join(folder, 'data'))
    .replaceAll(/(?<=[\s'])\.\/(?=(?:templates|public)\b)/g, `${projectFolder}/`);
  const file = join(folder, 'sallyport.yaml');
  writeFileSync(file, text);
  const command = join(projectFolder, 'scripts', 'sallyport.mjs');
  const password = randomBytes(12).toString('base64url');
  const user = ['user', 'add', 'admin', '--role', 'administrator', '--password-stdin', '--config', file];
  execFileSync(process.execPath, [command, ...user], { input: password });
  const child = spawn(process.execPath, [command, 'serve', '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  const take = (chunk) => {
    said += chunk;
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const isReady = async () => {
    for (;;) {
      try {
        if ((await fetch(client)).ok) return;
      } catch {
        if (child.exitCode !== null) throw new Error(`The product did not start:\n${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await isReady();
  return { process: child, ended, password };
}

async function picture(name, options, go) {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  await go(page);
  await page.evaluate('document.fonts.ready');
  const file = join(picturesFolder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  await context.close();
  const { length } = readFileSync(file);
  process.stdout.write(`${file}: ${length} bytes\n`);
  if (length > MOST_BYTES) process.exitCode = 1;
}

async function signOn(place) {
  const first = place.locator('#screen input').first();
  await first.waitFor();
  await first.fill('DEMO');
  const password = place.locator('#screen input[type="password"]').first();
  await password.fill('demo');
  await password.press('Enter');
  await place.locator('#screen').getByText('MENU').first().waitFor();
}

async function toMenu(page) {
  await page.goto(`${client}/TERMINAL.HTML+TSO`);
  await signOn(page);
}

async function toPortal(page) {
  await page.goto(portal);
  await page.getByLabel('User id').fill('admin');
  await page.getByLabel('Password').fill(server.password);
  await page.getByRole('button', { name: 'Sign on' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function toTwoSessions(page) {
  for (let session = 0; session < 2; session++) await toMenu(page);
  await page.goto(`${client}/w2h/sessions`);
  await page.locator('iframe').first().waitFor();
  await page.keyboard.press('Control+Alt+s');
  await page.locator('iframe').nth(1).waitFor();
  const [left, right] = page.frames().slice(1);
  for (const [frame, option, name] of [
    [right, '4', /COLOURS/],
    [left, '1', /BROWSE/],
  ]) {
    const screen = frame.locator('#screen');
    await screen.getByText('MENU').first().waitFor();
    await screen.locator('input').first().click();
    await page.keyboard.press('Home');
    await page.keyboard.type(option);
    await page.keyboard.press('Enter');
    await screen.getByText(name).first().waitFor();
  }
}
