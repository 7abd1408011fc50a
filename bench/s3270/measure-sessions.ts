import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commandScript } from '../../test/support/project.js';
import { S3270 } from '../../test/support/s3270.js';
import { DaemonScript } from './daemon-script.js';

export interface SessionSizes {
  readonly ours: number;
  readonly theirs: number;
  readonly rounds: number;
  /** Idle time in which V8 releases the memory it needed for opening the sessions. */
  readonly idleMilliseconds: number;
}

const BATCH = 50;
const ROUNDS_AT_ONCE = 20;
const hostProgram = fileURLToPath(new URL('./host-program.js', import.meta.url));
/** So that garbage is not counted. */
const collecting = 'data:text/javascript,process.on("SIGUSR2",()=>{gc();gc()})';

interface SessionFigures {
  readonly kib: { readonly ours: number; readonly theirs: number };
  readonly times: readonly { readonly what: string; readonly milliseconds: readonly number[] }[];
}

interface Scripted {
  ask(action: string): Promise<unknown>;
  stop(): void;
}

export async function measureSessions({
  ours: countOfOurs,
  theirs: countOfTheirs,
  rounds,
  idleMilliseconds,
}: SessionSizes): Promise<SessionFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const path = join(folder, 'own', 's3270.sock');
  const host = fork(hostProgram);
  const daemon = spawn(process.execPath, ['--expose-gc', '--import', collecting, commandScript, 's3270', '--daemon'], {
    env: { ...process.env, SALLYPORT_S3270_SOCKET: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sessions: Scripted[] = [];
  try {
    const [port] = (await once(host, 'message')) as [number];
    await once(daemon.stdout, 'data');
    // memory that the process needs once, for any number of sessions
    const warm = await opened(() => DaemonScript.start(path, options), port, BATCH);
    await inTurn(warm, rounds);
    for (const one of warm) one.stop();
    const before = await residentKib(daemon, idleMilliseconds);
    const ours = await opened(() => DaemonScript.start(path, options), port, countOfOurs);
    sessions.push(...ours);
    const kibOfOurs = ((await residentKib(daemon, idleMilliseconds)) - before) / countOfOurs;
    const times = [
      { what: `ours, ${countOfOurs} sessions, one after the other`, milliseconds: await inTurn(ours, rounds) },
    ];
    times.push({
      what: `ours, ${countOfTheirs} of them at once`,
      milliseconds: await atOnce(ours.slice(0, countOfTheirs)),
    });
    times.push({ what: `ours, all ${countOfOurs} at once`, milliseconds: await atOnce(ours) });
    for (const one of ours) one.stop();
    const theirs = await opened(async () => new S3270(), port, countOfTheirs);
    sessions.push(...theirs);
    const sizes = theirs.map((one) => kib(one.pid, 'smaps_rollup', 'Pss'));
    await inTurn(theirs, rounds / 4);
    times.push({
      what: `s3270, ${countOfTheirs} processes, one after the other`,
      milliseconds: await inTurn(theirs, rounds),
    });
    times.push({ what: `s3270, ${countOfTheirs} at once`, milliseconds: await atOnce(theirs) });
    return { kib: { ours: kibOfOurs, theirs: sizes.reduce((sum, one) => sum + one, 0) / countOfTheirs }, times };
  } finally {
    for (const one of sessions) one.stop();
    daemon.kill();
    host.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const options = ['-utf8', '-model', '3279-2-E', '-codepage', 'cp037'];

async function opened<Session extends Scripted>(
  start: () => Promise<Session>,
  port: number,
  count: number,
): Promise<Session[]> {
  const sessions: Session[] = [];
  while (sessions.length < count) {
    const batch = await Promise.all(Array.from({ length: Math.min(BATCH, count - sessions.length) }, start));
    await Promise.all(
      batch.map(async (one) => {
        await one.ask(`Connect("127.0.0.1:${port}")`);
        await one.ask('Wait(InputField)');
      }),
    );
    sessions.push(...batch);
  }
  return sessions;
}

async function enterAndRead(session: Scripted): Promise<number> {
  const start = performance.now();
  await session.ask('Enter()');
  await session.ask('Ascii()');
  return performance.now() - start;
}

async function inTurn(sessions: readonly Scripted[], rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await enterAndRead(sessions[round % sessions.length] as Scripted));
  }
  return times;
}

async function atOnce(sessions: readonly Scripted[]): Promise<number[]> {
  const all = await Promise.all(sessions.map((one) => inTurn([one], ROUNDS_AT_ONCE)));
  return all.flat();
}

async function residentKib(process: ChildProcess, idleMilliseconds: number): Promise<number> {
  await pause(idleMilliseconds);
  process.kill('SIGUSR2');
  await pause(1_000);
  return kib(process.pid, 'status', 'VmRSS');
}

/** A value in kB from a file of /proc. */
function kib(pid: number | undefined, file: string, name: string): number {
  const text = readFileSync(join('/proc', String(pid), file), 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
