import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from './project.js';

export const LOOPBACK = '127.0.0.1';

/** Debian installs servers in folders that are not in the PATH of ordinary users. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export function isInstalled(command: string): boolean {
  return spawnSync(command, ['-v'], { env, stdio: 'ignore' }).error === undefined;
}

/** A file of operation/ with replacements; each replaced text must exist. */
export function changedConfiguration(name: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      expect(text, name).to.include(from);
      return text.replaceAll(from, to);
    },
    readFileSync(join(projectFolder, 'operation', name), 'utf8'),
  );
}

export class RealProxies {
  readonly #running: ChildProcess[] = [];

  async startHaproxy(file: string): Promise<void> {
    await this.#start('haproxy', ['-db', '-q', '-f', file]);
  }

  /** @param folder with `sallyport.conf`; nginx also writes its files there */
  async startNginx(folder: string): Promise<void> {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    );
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${temporary.join(' ')} include ${folder}/sallyport.conf; }
`,
    );
    await this.#start('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')]);
  }

  async stop(): Promise<void> {
    for (const proxy of this.#running.splice(0)) {
      if (proxy.exitCode !== null || proxy.signalCode !== null) continue;
      const ended = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await ended;
    }
  }

  async #start(command: string, args: readonly string[]): Promise<void> {
    const proxy = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await once(proxy, 'spawn');
    this.#running.push(proxy);
  }
}
