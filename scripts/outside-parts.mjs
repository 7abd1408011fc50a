// The real parts that tests stand on: installed by apt where this is Debian and we are root, left out elsewhere.
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
  hercules: 'hercules',
  slapd: 'slapd',
  ldapmodify: 'ldap-utils',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  initdb: 'postgresql',
  // takes less of the processor than a whole Chromium, which does where a Debian has no shell
  'chromium-headless-shell': 'chromium-headless-shell',
};
/** Debian keeps servers where the PATH of an ordinary user does not lead. */
const serverFolders = ['/usr/sbin', '/usr/local/sbin'];
/** What Debian asks before it starts a service; 101: it may not. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/** Makes sure of a browser and of the commands that tests call. What cannot be had is told; its tests skip. */
export function ensureOutsideParts() {
  const missing = Object.entries(commandPackages)
    .filter(([command]) => !isOnPath(command))
    .map(([, name]) => name);
  if (missing.length > 0 && canUseApt()) {
    process.stderr.write(`Installing ${missing.join(', ')} (apt-get) ...\n`);
    apt('update');
    // one by one: a package that this Debian does not have must not keep the others away
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

/** Debian keeps the programs of each version of PostgreSQL in a folder of its own. */
function postgresqlFolders() {
  const versions = '/usr/lib/postgresql';
  return existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
}

/** A package with a server in it must not start it: tests have their own, and port 389 is not ours to take. */
function withoutServices(install) {
  if (existsSync(servicePolicy)) return install();
  writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(servicePolicy, { force: true });
  }
}

/** Debian has it in the package of Prometheus (19 MB): taken out of it, without the server and what that depends on. */
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
