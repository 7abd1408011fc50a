import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandScript } from '../../test/support/project.js';

const executable = fileURLToPath(new URL('../../../scripts/s3270.cjs', import.meta.url));
/** Start of Node.js until it can answer a line. */
const bare = 'process.stdin.once("data",()=>process.stdout.write("ok\\n"))';

interface StartTime {
  readonly what: string;
  readonly milliseconds: readonly number[];
}

export async function measureStart(rounds: number): Promise<readonly StartTime[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const socket = join(folder, 'own', 's3270.sock');
  // with it, each Node.js reads all certificates of the machine first, which takes longer than its start
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const without = { ...environment, SALLYPORT_S3270_SOCKET: join(folder, 'none.sock') };
  const withDaemon = { ...environment, SALLYPORT_S3270_SOCKET: socket };
  const daemon = spawn(process.execPath, [commandScript, 's3270', '--daemon'], {
    env: withDaemon,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(daemon.stdout, 'data');
    const programs = [
      { what: 'ours', command: [executable], environment: without },
      { what: 'ours, with a daemon', command: [executable], environment: withDaemon },
      { what: 'Node.js that only answers', command: [process.execPath, '-e', bare], environment: without },
      { what: 's3270', command: ['s3270'], environment: without },
    ].map((program) => ({ ...program, milliseconds: [] as number[] }));
    // the first run fills the file cache
    for (const { command, environment } of programs) await firstAnswer(command, environment);
    for (let round = 0; round < rounds; round++) {
      for (const { command, environment, milliseconds } of programs) {
        milliseconds.push(await firstAnswer(command, environment));
      }
    }
    return programs;
  } finally {
    daemon.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstAnswer([program = '', ...words]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now();
  const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write('Query(Model)\n');
  await once(child.stdout, 'data');
  const time = performance.now() - start;
  const closed = once(child, 'close');
  child.stdin.end();
  await closed;
  return time;
}
