// External programs for tests. They are installed by apt on Debian as root, and left out elsewhere.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectFolder } from './build.mjs';

const INSTALLATION_MILLISECONDS = 240_000;
const browserNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const commandPackages = {
  curl: 'curl',
  openssl: 'openssl',
  iconv: 'libc-bin',
  xmllint: 'libxml2-utils',
  s3270: 's3270',
  pr3287: 'pr3287',
  pdftotext: 'poppler-utils',
  hercules: 'hercules',
  slapd: 'slapd',
  ldapmodify: 'ldap-utils',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  initdb: 'postgresql',
  // uses less processor time than full Chromium, which is the fallback on Debian releases without the shell
  'chromium-headless-shell': 'chromium-headless-shell',
};
/** Debian installs servers in folders that are not in the PATH of ordinary users. */
const serverFolders = ['/usr/sbin', '/usr/local/sbin'];
/** Debian runs this script before it starts a service; exit code 101 forbids the start. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/**
 * Installs a browser and the commands that tests call. It reports failures; the tests that need a missing program skip.
 */
export function ensureOutsideParts() {
  const missing = Object.entries(commandPackages)
    .filter(([command]) => !isOnPath(command))
    .map(([, name]) => name);
  if (missing.length > 0 && canUseApt()) {
    process.stderr.write(`Installing ${missing.join(', ')} (apt-get) ...\n`);
    apt('update');
    // one by one: a package missing in this Debian release must not block the others
    withoutServices(() => {
      for (const name of missing) apt('install', '-y', '--no-install-recommends', name);
      if (!hasBrowser()) apt('install', '-y', '--no-install-recommends', 'chromium');
    });
  }
  if (!isOnPath('promtool') && canUseApt()) installPromtool();
  if (!hasBrowser()) {
    process.stderr.write("Installing playwright's Chromium ...\n");
    run(process.execPath, [join(projectFolder, 'node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium']);
  }
  const absent = Object.keys(commandPackages).filter(
    (command) => !browserNames.includes(command) && !isOnPath(command),
  );
  if (!hasBrowser()) absent.push('a Chromium');
  if (absent.length > 0) process.stderr.write(`Not here, and could not be installed: ${absent.join(', ')}\n`);
}

function isOnPath(command) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...serverFolders, ...postgresqlFolders()];
  return folders.some((folder) => folder !== '' && existsSync(join(folder, command)));
}

/** Debian installs the programs of each PostgreSQL version in a separate folder. */
function postgresqlFolders() {
  const versions = '/usr/lib/postgresql';
  return existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
}

/** Packages must not start their servers: tests start their own, and port 389 may be in use. */
function withoutServices(install) {
  if (existsSync(servicePolicy)) return install();
  writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(servicePolicy, { force: true });
  }
}

/** promtool is part of Debian's Prometheus package (19 MB): extracts it without the server and its dependencies. */
function installPromtool() {
  process.stderr.write('Fetching promtool (apt-get download prometheus) ...\n');
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-promtool-'));
  run('apt-get', ['-q', 'download', 'prometheus'], { cwd: folder });
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (archive !== undefined) {
    run('dpkg-deb', ['-x', archive, 'contents'], { cwd: folder });
    run('install', ['contents/usr/bin/promtool', '/usr/local/bin/promtool'], { cwd: folder });
  }
  rmSync(folder, { recursive: true });
}

function hasBrowser() {
  if (browserNames.some(isOnPath)) return true;
  try {
    const { chromium } = createRequire(import.meta.url)('playwright-core');
    return existsSync(chromium.executablePath());
  } catch {
    return false;
  }
}

function canUseApt() {
  return process.getuid?.() === 0 && isOnPath('apt-get');
}

function apt(...args) {
  run('apt-get', ['-q', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function run(command, args, options = {}) {
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALLATION_MILLISECONDS, ...options });
}
