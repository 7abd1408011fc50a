import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationFolder } from '../../config/installation.js';
import { type Finding, findingsOf } from './finding.js';

const LIMIT_MILLISECONDS = 20_000;
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
const args = ['audit', '--package-lock-only', '--json', '--fetch-retries=0', '--fetch-timeout=10000'];
const TOP = 'node_modules/';

/** Queries the npm registry for advisories on the built-in packages. An unreachable registry is not a fault. */
export async function checkAdvisories(isAsked: boolean): Promise<Finding> {
  const { ok, warning } = findingsOf('advisories', 'packages');
  if (!isAsked) return ok('not checked (--offline): there is no local list of advisories');
  const versions = await builtInPackages();
  if (versions === undefined)
    return ok('not checked: no packages are built in; run npm audit for those in node_modules');
  const found = vulnerabilitiesOf(await auditOf(versions));
  if (found === undefined)
    return ok('not known: the npm registry was not reached, and there is no local list of advisories');
  if (found.length === 0) return ok('the npm registry lists none for the built-in packages');
  const words = found.map(({ name, severity }) => `${name} (${severity})`).join(', ');
  return warning(
    `the npm registry lists advisories: ${words}`,
    'install the next release; in a checkout: npm audit fix, npm run build',
  );
}

async function auditOf(versions: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-doctor-'));
  try {
    const root = { name: 'built-in', version: '0.0.0', dependencies: topLevelOf(versions) };
    const described = Object.entries(versions).map(([place, version]) => [place, { version }]);
    const lock = {
      ...root,
      lockfileVersion: 3,
      requires: true,
      packages: { '': root, ...Object.fromEntries(described) },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(root));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    return await answerOf(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function topLevelOf(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const top = Object.entries(versions).filter(([place]) => place.lastIndexOf(TOP) === 0);
  return Object.fromEntries(top.map(([place, version]) => [place.slice(TOP.length), version]));
}

function answerOf(folder: string): Promise<string> {
  const options = { cwd: folder, timeout: LIMIT_MILLISECONDS, maxBuffer: MOST_ANSWER_BYTES };
  return new Promise((resolve) => {
    execFile('npm', args, options, (_error, stdout) => resolve(stdout));
  });
}

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
}

function vulnerabilitiesOf(answer: string): readonly Vulnerability[] | undefined {
  try {
    const { vulnerabilities } = Object(JSON.parse(answer));
    return vulnerabilities === undefined ? undefined : Object.values(Object(vulnerabilities));
  } catch {
    return undefined;
  }
}

/** Versions by folder as in package-lock.json: `node_modules/koa`. */
type PackageVersions = Readonly<Record<string, string>>;

const MOST_NAMED = 5;

/** Packages built into the program, from a list that the build writes. Undefined without build. */
async function builtInPackages(): Promise<PackageVersions | undefined> {
  const file = join(installationFolder, 'dist', 'runtime', 'packages.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
}

/** Built-in packages are executed, even if node_modules contains other versions. */
export async function checkPackages(): Promise<Finding> {
  const { ok, warning } = findingsOf('packages', 'program');
  const builtIn = await builtInPackages();
  if (builtIn === undefined) return ok('not built in: the packages in node_modules are used');
  const differences: string[] = [];
  for (const [place, version] of Object.entries(builtIn)) {
    const installed = await installedVersionOf(place);
    if (installed === undefined || installed === version) continue;
    differences.push(`${place.replace('node_modules/', '')} ${installed} in place of ${version}`);
  }
  const [count, first] = [Object.keys(builtIn).length, differences.slice(0, MOST_NAMED).join(', ')];
  if (differences.length === 0) return ok(`${count} are built in`);
  const others = differences.length > MOST_NAMED ? ` and ${differences.length - MOST_NAMED} others` : '';
  return warning(
    `node_modules has ${first}${others}: the built-in versions are used`,
    existsSync(join(installationFolder, 'src')) ? 'npm run build' : 'install the next release',
  );
}

async function installedVersionOf(place: string): Promise<string | undefined> {
  try {
    const { version } = JSON.parse(await readFile(join(installationFolder, place, 'package.json'), 'utf8'));
    return `${version}`;
  } catch {
    return undefined;
  }
}
