// Executes the steps of a Dockerfile stage in a chroot. The machine's own /usr replaces the base image; an overlay
// keeps the machine unchanged. Requires Linux and root.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const MOST_OUTPUT_BYTES = 64 * 1_024 * 1_024;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const FOLDERS = ['usr', 'etc', 'dev', 'proc', 'tmp', 'root', 'opt', 'var/lib', 'run'];
const LINKS = ['bin', 'sbin', 'lib', 'lib64'];
const DEVICES = ['null', 'zero', 'random', 'urandom'];
/** Parts of the machine's /etc that programs of a base image need. */
const SETTINGS = ['ssl', 'alternatives', 'ld.so.cache', 'nsswitch.conf', 'resolv.conf', 'hosts', 'login.defs'];
/** Instructions for running the image, which do not change it. */
const HOW_TO_RUN = ['ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

export class ChrootStage {
  #workdir = '/';
  #upper;
  #work;

  constructor(folder) {
    this.root = join(folder, 'root');
    this.#upper = join(folder, 'usr');
    this.#work = join(folder, 'work');
    for (const path of [this.#upper, this.#work]) mkdirSync(path, { recursive: true });
    for (const name of FOLDERS) mkdirSync(this.#at(name), { recursive: true });
    chmodSync(this.#at('tmp'), 0o1777);
    for (const name of LINKS) symlinkSync(`usr/${name}`, this.#at(name));
    for (const name of DEVICES) writeFileSync(this.#at(`dev/${name}`), '');
    for (const name of SETTINGS) {
      const own = join('/etc', name);
      if (existsSync(own))
        cpSync(own, this.#at(`etc/${name}`), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    }
    writeFileSync(this.#at('etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    writeFileSync(this.#at('etc/group'), 'root:x:0:\n');
    for (const name of ['shadow', 'gshadow']) writeFileSync(this.#at(`etc/${name}`), '', { mode: 0o640 });
  }

  /**
   * @param context source folder of COPY
   * @param others previous stages by name
   */
  carryOut({ keyword, rest }, context, others) {
    if (keyword === 'WORKDIR') {
      this.#workdir = rest;
      mkdirSync(this.#at(rest), { recursive: true });
    } else if (keyword === 'COPY') {
      const from = /^--from=(\S+) /.exec(rest);
      const words = rest.slice(from?.[0].length ?? 0).split(/\s+/);
      this.#copy(words, from === null ? context : others.get(from[1]).root);
    } else if (keyword === 'RUN') this.#run(rest);
    else if (!HOW_TO_RUN.includes(keyword))
      throw new Error(`${keyword}: an instruction that this script does not know`);
  }

  /** Shell commands that mount the stage's file system, with folders of the machine at their mount points. */
  mounts({ binds = {}, readOnly = false } = {}) {
    const layers = readOnly
      ? `ro,lowerdir=${this.#upper}:/usr`
      : `lowerdir=/usr,upperdir=${this.#upper},workdir=${this.#work}`;
    return [
      'set -e',
      'mount --make-rprivate /',
      `mount --bind ${this.root} ${this.root}`,
      `mount -t overlay overlay -o ${layers} ${this.#at('usr')}`,
      ...DEVICES.map((name) => `mount --bind /dev/${name} ${this.#at(`dev/${name}`)}`),
      `mount -t proc proc ${this.#at('proc')}`,
      ...Object.entries(binds).map(([inside, folder]) => `mount --bind ${folder} ${this.#at(inside)}`),
      ...(readOnly ? [`mount -o remount,bind,ro ${this.root}`] : []),
    ];
  }

  #at(path) {
    return join(this.root, path);
  }

  #copy(words, source) {
    const target = words.at(-1);
    const place = resolve(this.#workdir, target);
    if (place.startsWith('/usr')) throw new Error(`${place}: /usr is an overlay here, and nothing is copied into it`);
    for (const path of words.slice(0, -1)) {
      const to = this.#at(path !== '.' && target.endsWith('/') ? join(place, basename(path)) : place);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(source, path), to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    }
  }

  #run(command) {
    // the package cache of this machine
    const npm = join(homedir(), '.npm');
    mkdirSync(npm, { recursive: true });
    mkdirSync(this.#at('root/.npm'), { recursive: true });
    if (existsSync(`${npm}rc`)) cpSync(`${npm}rc`, this.#at('root/.npmrc'));
    const inside = ['env', '-i', `PATH=${PATH}`, 'HOME=/root', ...certificates(), 'sh', '-c'];
    const entered = `cd ${this.#workdir} && ${command}`;
    const script = [
      ...this.mounts({ binds: { 'root/.npm': npm } }),
      `exec chroot ${this.root} ${inside.join(' ')} "$0"`,
    ];
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['-m', '-p', '-f', 'sh', '-c', script.join('\n'), entered],
      { encoding: 'utf8', maxBuffer: MOST_OUTPUT_BYTES },
    );
    if (status !== 0) throw new Error(`the step failed with ${status}: RUN ${command}\n${stdout}${stderr}`);
  }
}

function certificates() {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  return file === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${file}`];
}
