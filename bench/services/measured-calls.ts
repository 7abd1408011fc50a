import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../src/lib/log/log.js';
import { HostedServices } from '../../test/services/hosted-services.js';
import { eventually } from '../../test/support/eventually.js';
import { S3270 } from '../../test/support/s3270.js';
import { startSite } from '../../test/support/site.js';
import { processorSeconds } from '../scenario/process-usage.js';

const memoryProgram = fileURLToPath(new URL('./memory-program.js', import.meta.url));
const networkProgram = fileURLToPath(new URL('./network-program.js', import.meta.url));
const ACCOUNT = '10000001';
const HOLDER = 'ADA LOVELACE';

export interface CallFigures {
  readonly callsPerSecond: number;
  /** Of the calling processes. */
  readonly callsPerCoreSecond: number;
  readonly milliseconds: readonly number[];
}

export class DelayedNetwork {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(hostPort: number, roundTripMilliseconds: number): Promise<DelayedNetwork> {
    const toHost = Math.floor(roundTripMilliseconds / 2);
    const child = fork(networkProgram, [hostPort, toHost, roundTripMilliseconds - toHost].map(String));
    const port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)));
      child.once('exit', () => reject(new Error('the network has ended')));
    });
    return new DelayedNetwork(child, port);
  }

  stop(): void {
    this.child.disconnect();
  }
}

function pooled(port: number | undefined, sessions: number): Promise<HostedServices> {
  return HostedServices.start({
    isListening: false,
    ...(port === undefined ? { isInProcess: true } : { port }),
    pool: { ready: sessions, most: sessions, sessionsPerUser: sessions, waitMilliseconds: 600_000 },
  });
}

async function inquire(hosted: HostedServices): Promise<number> {
  const begin = performance.now();
  const outcome = await hosted.call('account-inquiry', { account: ACCOUNT });
  if (outcome.kind !== 'done' || outcome.extracts.name !== HOLDER) throw new Error(`a call ended as ${outcome.kind}`);
  return performance.now() - begin;
}

interface Latencies {
  /** Each call starts after the previous session has returned to the home screen. */
  readonly inPool: readonly number[];
  /** Each call starts with the previous answer, while that session is still returning to the home screen. */
  readonly atOnce: readonly number[];
  /** Each call connects and signs on; it starts after the previous one has signed off. */
  readonly anew: readonly number[];
}

/** Until V8 has compiled the code of all ways. */
const WARM_UP_CALLS = 200;
const ROUNDS = 5;

/** Sequential calls. The ways to call alternate, so that other load on the machine affects all. */
export async function latencies(port: number, calls: number): Promise<Latencies> {
  const hosted = await pooled(port, 2);
  const allHome = () => eventually(() => (hosted.pool.state.free === 2 ? true : undefined));
  const fromHome = async () => {
    await allHome();
    return inquire(hosted);
  };
  const fresh = async () => {
    const own = await HostedServices.start({ isListening: false, port, pool: { ready: 0, most: 1 } });
    const took = await inquire(own);
    await own.stop();
    return took;
  };
  const times = async (count: number, call: () => Promise<number>) => {
    const took: number[] = [];
    while (took.length < count) took.push(await call());
    return took;
  };
  for (const call of [fromHome, () => inquire(hosted), fresh]) await times(Math.min(WARM_UP_CALLS, calls), call);
  const [inPool, atOnce, anew]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const count = Math.ceil(calls / ROUNDS);
    inPool.push(...(await times(count, fromHome)));
    atOnce.push(...(await times(count, () => inquire(hosted))));
    anew.push(...(await times(count, fresh)));
  }
  await hosted.stop();
  return { inPool, atOnce, anew };
}

export async function callsPerSecond(
  port: number | undefined,
  seconds: number,
  sessions: number,
): Promise<CallFigures> {
  const hosted = await pooled(port, sessions);
  await run(seconds / 4, sessions, () => inquire(hosted));
  const cpu = process.cpuUsage();
  const milliseconds = await run(seconds, sessions, () => inquire(hosted));
  const { user, system } = process.cpuUsage(cpu);
  await hosted.stop();
  return figures(milliseconds, seconds, (user + system) / 1e6);
}

async function run(seconds: number, atOnce: number, call: (at: number) => Promise<number>): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const milliseconds: number[] = [];
  const caller = async (at: number) => {
    while (performance.now() < end) milliseconds.push(await call(at));
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => caller(at)));
  return milliseconds;
}

function figures(milliseconds: readonly number[], seconds: number, cpuSeconds: number): CallFigures {
  const { length } = milliseconds;
  return { callsPerSecond: length / seconds, callsPerCoreSecond: length / cpuSeconds, milliseconds };
}

/**
 * The same walk as done by py3270: one s3270 process for each session, and an action and a screen read for each step.
 */
export async function scriptedCalls(port: number, seconds: number, sessions: number): Promise<CallFigures> {
  const terminals = Array.from({ length: sessions }, () => new S3270());
  await Promise.all(
    terminals.map(async (terminal) => {
      await terminal.connect(`127.0.0.1:${port}`);
      await terminal.waitFor('SIGNON');
      for (const action of ['String("DEMO")', 'Tab()', 'String("demo")', 'Enter()']) await terminal.ask(action);
      await terminal.waitFor('Option ===>');
    }),
  );
  const usage = () => {
    const { user, system } = process.cpuUsage();
    return terminals.reduce((sum, { pid }) => sum + processorSeconds(pid ?? 0), (user + system) / 1e6);
  };
  const before = usage();
  const milliseconds = await run(seconds, sessions, (at) => scripted(terminals[at] as S3270));
  const cpuSeconds = usage() - before;
  for (const terminal of terminals) terminal.stop();
  return figures(milliseconds, seconds, cpuSeconds);
}

async function scripted(terminal: S3270): Promise<number> {
  const begin = performance.now();
  const press = async (key: string) => {
    await terminal.ask(key);
    await terminal.ask('Wait(10,InputField)');
  };
  const shows = async (text: string, row: number) => (await terminal.screen())[row]?.includes(text) === true;
  if (!(await shows('MENU', 0))) throw new Error('s3270 is not at home');
  await terminal.ask('String("2")');
  await press('Enter()');
  if (!(await shows('ACCT', 0))) throw new Error('s3270 shows no ACCT');
  await terminal.ask(`String("${ACCOUNT}")`);
  await press('Enter()');
  if (!(await shows(HOLDER, 5))) throw new Error('s3270 shows another account');
  const took = performance.now() - begin;
  await press('PF(3)');
  await press('PF(3)');
  return took;
}

/**
 * The shipped scenario over HTTP with the host in this process: each request connects, signs on, walks and signs off.
 */
export async function scenarioCalls(seconds: number, sessions: number): Promise<CallFigures> {
  const site = await startSite({ service: '127.0.0.1:9', maxTime: 1_000, log: silentLog });
  const call = async () => {
    const begin = performance.now();
    const reply = await fetch(`${site.url}/WS1.HTML+ACCT?ACCOUNT=${ACCOUNT}`);
    const text = await reply.text();
    if (!text.startsWith(HOLDER)) throw new Error(`the scenario answered ${reply.status}`);
    return performance.now() - begin;
  };
  await run(seconds / 4, sessions, call);
  const cpu = process.cpuUsage();
  const milliseconds = await run(seconds, sessions, call);
  const { user, system } = process.cpuUsage(cpu);
  await site.stop();
  return figures(milliseconds, seconds, (user + system) / 1e6);
}

/** KiB for each session. */
export interface MemoryOfSession {
  readonly resident: number;
  readonly inUse: number;
}

export async function kibPerSession(port: number, sessions: number): Promise<MemoryOfSession> {
  const child = fork(memoryProgram, [String(port), String(sessions)], { execArgv: ['--expose-gc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (kib) => resolve(kib as MemoryOfSession));
    child.once('exit', (code) => reject(new Error(`the sessions ended with ${code}`)));
  });
}
