import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { ServiceError } from '../../../src/lib/errors.js';
import { fileLockBounds, withFileLock } from '../../../src/lib/files/file-lock.js';
import { eventually } from '../../support/eventually.js';
import { rounds } from '../../support/rounds.js';

const moduleUrl = new URL('../../../src/lib/files/file-lock.js', import.meta.url).href;
const shortWait = { ...fileLockBounds, waitMilliseconds: 200 };
const [firstToken, secondToken] = ['0123456789abcdef01234567', 'fedcba9876543210fedcba98'];

describe('file lock', () => {
  let folder: string;
  let path: string;
  let lock: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-lock-'));
    path = join(folder, 'users.yaml');
    lock = `${path}.lock`;
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** Runs a module; `path` and `withFileLock` are known to it. */
  function run(code: string): ChildProcess {
    const source = `import { withFileLock } from '${moduleUrl}'; const path = process.argv[1];\n${code}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  async function pidOfTheDead(): Promise<number> {
    const child = run('');
    await once(child, 'exit');
    return child.pid ?? 0;
  }

  async function plant(file: string, pid: number, host: string, token: string, secondsOld = 0): Promise<void> {
    await writeFile(file, `${pid} ${host} ${token}\n`);
    const then = Date.now() / 1000 - secondsOld;
    await utimes(file, then, then);
  }

  async function failure(work: Promise<unknown>): Promise<Error> {
    return work.then(
      () => expect.fail('it did not fail'),
      (error: Error) => error,
    );
  }

  it('lets one in at a time, gives what the work gives, and leaves nothing behind', async () => {
    let inside = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        withFileLock(path, async () => {
          inside += 1;
          expect(inside).to.equal(1);
          await pause(1);
          inside -= 1;
          return number;
        }),
      ),
    );
    expect(results).to.deep.equal(Array.from({ length: 20 }, (_, number) => number));
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is free again after work that failed', async () => {
    const error = await failure(withFileLock(path, () => Promise.reject(new Error('disk full'))));
    expect(error.message).to.equal('disk full');
    expect(await withFileLock(path, async () => existsSync(lock))).to.equal(true);
    expect(existsSync(lock)).to.equal(false);
  });

  it('loses no change of four processes', async () => {
    await writeFile(path, '0');
    const code = `import { readFileSync, writeFileSync } from 'node:fs';
      for (let turn = 0; turn < 25; turn++) await withFileLock(path, async () => {
        const number = Number(readFileSync(path, 'utf8'));
        await new Promise((resolve) => setTimeout(resolve, 1));
        writeFileSync(path, String(number + 1));
      });`;
    const codes = await Promise.all(Array.from({ length: 4 }, async () => (await once(run(code), 'exit'))[0]));
    expect(codes).to.deep.equal([0, 0, 0, 0]);
    expect(await readFile(path, 'utf8')).to.equal('100');
  });

  it('says who holds it when it does not become free in time', async () => {
    const child = run(
      "await withFileLock(path, () => { console.log('in'); return new Promise(() => setInterval(() => {}, 1000)); });",
    );
    await once(child.stdout ?? child, 'data');
    const error = await failure(withFileLock(path, async () => {}, shortWait));
    expect(error).to.include({ code: 'SVC_ERR_FILE_BUSY' });
    expect((error as ServiceError).headers).to.deep.equal({ 'Retry-After': '5' });
    expect((error as ServiceError).detail).to.equal(
      `${lock}: held by process ${child.pid} on ${hostname()}; waited 0.2 s for it to become free`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await withFileLock(path, async () => 'taken over', shortWait)).to.equal('taken over');
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is not taken over within the process that holds it, however old it is', async () => {
    const bounds = { waitMilliseconds: 100, oldestMilliseconds: 20 };
    await withFileLock(path, async () => {
      await pause(40);
      expect((await failure(withFileLock(path, async () => {}, bounds))).message).to.contain('held by process');
    });
  });

  it('is taken over from an earlier process with the id of this one', async () => {
    await plant(lock, process.pid, hostname(), firstToken);
    expect(await withFileLock(path, async () => 'in', shortWait)).to.equal('in');
  });

  const ages: readonly [secondsOld: number, isTakenOver: boolean][] = [
    [55, false],
    [61, true],
  ];
  for (const [secondsOld, isTakenOver] of ages) {
    const verdict = isTakenOver ? 'is taken over' : 'is not taken over';
    const attempt = () => withFileLock(path, async () => 'in', shortWait).catch(({ message }: Error) => message);

    it(`${verdict} at ${secondsOld} s from a process that lives`, async () => {
      await plant(lock, process.ppid, hostname(), firstToken, secondsOld);
      expect(await attempt()).to.match(isTakenOver ? /^in$/ : /held by process \d+ on /);
    });

    it(`${verdict} at ${secondsOld} s from another host, where nobody knows what lives`, async () => {
      await plant(lock, await pidOfTheDead(), 'elsewhere.example', firstToken, secondsOld);
      expect(await attempt()).to.match(isTakenOver ? /^in$/ : /held by process \d+ on elsewhere\.example;/);
    });

    it(`${verdict} at ${secondsOld} s where a power failure left it empty`, async () => {
      await writeFile(lock, '');
      await utimes(lock, Date.now() / 1000 - secondsOld, Date.now() / 1000 - secondsOld);
      expect(await attempt()).to.match(isTakenOver ? /^in$/ : /held by an unknown process;/);
    });
  }

  it('is left to whoever has taken it over meanwhile', async () => {
    const bounds = { waitMilliseconds: 100, oldestMilliseconds: 20 };
    await withFileLock(
      path,
      async () => {
        await pause(bounds.oldestMilliseconds + 1);
        await plant(lock, process.ppid, hostname(), secondToken);
      },
      bounds,
    );
    expect(await readFile(lock, 'utf8')).to.contain(secondToken);
  });

  it('is taken over where a process was killed while it took over', async () => {
    const dead = await pidOfTheDead();
    await plant(lock, dead, hostname(), firstToken);
    await plant(`${lock}.${firstToken}`, dead, hostname(), secondToken);
    expect(await withFileLock(path, async () => 'in', shortWait)).to.equal('in');
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is left alone while another process that lives takes it over', async () => {
    await plant(lock, await pidOfTheDead(), hostname(), firstToken);
    await plant(`${lock}.${firstToken}`, process.ppid, hostname(), secondToken);
    expect((await failure(withFileLock(path, async () => {}, shortWait))).message).to.contain('held by process');
  });

  it('lets one in at a time when many find it stale at once', async () => {
    const dead = await pidOfTheDead();
    for (let round = 0; round < 25; round += 1) {
      await plant(lock, dead, hostname(), round.toString(16).padStart(24, '0'));
      let inside = 0;
      let most = 0;
      await Promise.all(
        Array.from({ length: 8 }, () =>
          withFileLock(path, async () => {
            inside += 1;
            most = Math.max(most, inside);
            await pause(1);
            inside -= 1;
          }),
        ),
      );
      expect(most).to.equal(1);
      expect(await readdir(folder)).to.deep.equal([]);
    }
  });

  it('loses no change of processes that are killed with the lock in their hands', async () => {
    await writeFile(path, '0');
    // a change is one write; the process ends itself behind it, before the lock is given back
    const code = `import { readFileSync, writeFileSync } from 'node:fs';
      await withFileLock(path, async () => {
        const number = Number(readFileSync(path, 'utf8'));
        await new Promise((resolve) => setTimeout(resolve, 2));
        writeFileSync(path, String(number + 1));
        process.kill(process.pid, 'SIGKILL');
      });`;
    const turns = rounds(3, 1);
    for (let round = 0; round < turns; round += 1) {
      await Promise.all(Array.from({ length: 4 }, () => once(run(code), 'exit')));
    }
    expect(await readFile(path, 'utf8')).to.equal(`${4 * turns}`);
    expect(await withFileLock(path, async () => 'in', shortWait)).to.equal('in');
  });

  const waiting = async () => (await readdir(folder)).filter((name) => name.endsWith('.wait'));
  /** A process that waits for the lock, writes its name into the file, and ends. Resolves once it waits. */
  async function waits(name: string): Promise<ChildProcess> {
    const before = (await waiting()).length;
    const child = run(
      `import { appendFileSync } from 'node:fs';
       await withFileLock(path, async () => appendFileSync(path, '${name}'), { waitMilliseconds: 60_000, oldestMilliseconds: 60_000 });`,
    );
    await eventually(async () => (await waiting()).length > before || undefined);
    return child;
  }

  it('goes to processes in the order in which they came, whoever looks most often', async () => {
    const letters = [...'abcdef'];
    const children: ChildProcess[] = [];
    await withFileLock(path, async () => {
      for (const letter of letters) children.push(await waits(letter));
    });
    // this process comes last, though it asks without a pause
    const asking = withFileLock(path, async () => readFile(path, 'utf8'), {
      ...fileLockBounds,
      waitMilliseconds: 60_000,
    });
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    expect(await asking).to.equal('abcdef');
    expect(await readdir(folder)).to.deep.equal(['users.yaml']);
  });

  it('passes over a process that was killed or stopped while it waited', async () => {
    let [killed, stopped] = [run(''), run('')];
    const next = await withFileLock(path, async () => {
      killed = await waits('killed');
      stopped = await waits('stopped');
      const last = await waits('next');
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      stopped.kill('SIGSTOP');
      return last;
    });
    await once(next, 'exit');
    expect(await readFile(path, 'utf8')).to.equal('next');
    stopped.kill('SIGCONT');
    await once(stopped, 'exit');
    expect(await readFile(path, 'utf8')).to.equal('nextstopped');
    expect(await readdir(folder)).to.deep.equal(['users.yaml']);
  });

  it('says what is in the way where the folder is not there', async () => {
    expect((await failure(withFileLock(join(folder, 'absent', 'file'), async () => {}))).message).to.match(/^ENOENT/);
  });
});
