import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installationFolder } from '../../src/config/installation.js';

const folder = join(installationFolder, 'bench');

/** Installs the packages of bench/package-lock.json into bench/node_modules if they are missing or outdated. */
export function installPeers(): void {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('npm ci failed in bench/: the peers to measure against are missing');
}

/** `express 5.3.0, soap 1.13.0`. */
export function peerVersions(): string {
  return ['express', 'soap'].map((name) => `${name} ${versionOf(join(folder, 'node_modules', name))}`).join(', ');
}

export function versionOf(packageFolder: string): string {
  const description: { version: string } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return description.version;
}
