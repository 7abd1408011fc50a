// Another user, a read-only root, no capabilities, one address. A container engine also restricts seccomp and cgroups.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export const CONTAINER_ADDRESS = '172.31.255.2';
const PATIENCE_MILLISECONDS = 60_000;

export class ChrootContainer {
  output = '';
  #process;
  #settings;
  #stage;

  constructor(stage, settings, binds) {
    this.#stage = stage;
    this.#settings = settings;
    const script = [
      'set -e',
      'ip link set lo up',
      `ip address add ${CONTAINER_ADDRESS}/32 dev lo`,
      ...stage.mounts({ binds, readOnly: true }),
      'exec "$@"',
    ];
    const namespaces = ['-m', '-p', '-n', '-u', '-i', '-f', '--kill-child'];
    const command = [...settings.entrypoint, ...settings.cmd];
    this.#process = spawn('unshare', [...namespaces, 'sh', '-c', script.join('\n'), 'sh', ...this.#inside(command)]);
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text;
      });
  }

  /** Process ID of the container in the outer namespace. */
  get pid() {
    const { pid } = this.#process;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  }

  get exitCode() {
    return this.#process.exitCode;
  }

  exec(command, input = '') {
    const inside = ['-t', String(this.pid), '-m', '-p', '-n', '-u', '-i', ...this.#inside(command)];
    const { status, stdout, stderr } = spawnSync('nsenter', inside, { input, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  /** Sends a request by the address instead of loopback, like another machine. */
  ask(path, port) {
    const url = `http://${CONTAINER_ADDRESS}:${port}${path}`;
    const program = `const r=await fetch(${JSON.stringify(url)});console.log(r.status,await r.text())`;
    const inside = ['-t', String(this.pid), '-n', process.execPath, '--input-type=module', '-e', program];
    const { stdout, stderr } = spawnSync('nsenter', inside, { encoding: 'utf8' });
    return stdout + stderr;
  }

  signal(name) {
    process.kill(this.pid, name);
  }

  async until(what, condition) {
    const deadline = performance.now() + PATIENCE_MILLISECONDS;
    while (!condition()) {
      const hasEnded = this.exitCode !== null;
      if (hasEnded || performance.now() > deadline)
        throw new Error(`${what}: not so. The container said:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stopped() {
    if (this.exitCode === null) await once(this.#process, 'exit');
    return this.exitCode;
  }

  kill() {
    this.#process.kill('SIGKILL');
  }

  #inside(command) {
    const { env, user, workdir } = this.#settings;
    const [uid, gid = uid] = user.split(':');
    const less = [
      '--reuid',
      uid,
      '--regid',
      gid,
      '--clear-groups',
      '--no-new-privs',
      '--inh-caps=-all',
      '--bounding-set=-all',
    ];
    const variables = Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', ...env }).map((pair) => pair.join('='));
    const enter = ['chroot', this.#stage.root, 'setpriv', ...less, 'env', '-i', '-C', workdir, ...variables];
    return [...enter, ...command];
  }
}
