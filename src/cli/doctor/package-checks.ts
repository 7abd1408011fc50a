import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installationFolder } from '../../config/installation.js';
import { type Finding, findingsOf } from './finding.js';

/** By the folder of the package, as package-lock.json writes it: `node_modules/koa`. */
type PackageVersions = Readonly<Record<string, string>>;

const MOST_NAMED = 5;

/** The packages that the program was built with, and their versions. The build writes the list; without a build there is none. */
export async function builtInPackages(): Promise<PackageVersions | undefined> {
  const file = join(installationFolder, 'dist', 'runtime', 'packages.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
}

/** Packages are part of the program: another version in node_modules is not what runs. */
export async function checkPackages(): Promise<Finding> {
  const { ok, warning } = findingsOf('packages', 'program');
  const builtIn = await builtInPackages();
  if (builtIn === undefined) return ok('not built in: those in node_modules run');
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
    `node_modules has ${first}${others}: what was built in is what runs`,
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
