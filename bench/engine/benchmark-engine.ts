import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { soundValue } from '../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { Screen } from '../../src/tn3270/screen/screen.js';
import { findTerminalModel } from '../../src/tn3270/screen/screen-size.js';
import { TelnetDecoder } from '../../src/tn3270/telnet/telnet-decoder.js';
import { S3270 } from '../../test/support/s3270.js';
import { HostProcess } from '../host-process.js';
import { BenchSession } from './bench-session.js';
import { driveRoundTrips, type Presses } from './drive-round-trips.js';
import { AGREEMENT, recordStream } from './record-stream.js';
import type { Task, TaskResult } from './sessions-program.js';

interface Sizes {
  readonly records: number;
  readonly idleSeconds: readonly number[];
  /** Numbers of open sessions, measured one after the other. */
  readonly sessions: readonly number[];
  readonly terminals: number;
  /** Pairs of concurrent sessions and requests of each. */
  readonly rounds: readonly (readonly [number, number])[];
  readonly roundsOfPeer: readonly (readonly [number, number])[];
  readonly presses: Presses;
  readonly rate: { readonly sessions: number; readonly perSecond: number; readonly seconds: number };
}

const usual: Sizes = {
  records: 30_000,
  idleSeconds: [0, 10],
  sessions: [100, 1_000, 5_000],
  terminals: 100,
  rounds: [
    [1, 2_000],
    [100, 100],
    [1_000, 20],
  ],
  roundsOfPeer: [
    [1, 500],
    [100, 20],
  ],
  presses: { warmUp: 300, blocks: 10, ofBlock: 400 },
  rate: { sessions: 1_000, perSecond: 2_000, seconds: 10 },
};
/** For a functional check only: the figures mean nothing. */
const smallest: Sizes = {
  records: 10,
  idleSeconds: [0],
  sessions: [1],
  terminals: 1,
  rounds: [[1, 1]],
  roundsOfPeer: [[1, 1]],
  presses: { warmUp: 1, blocks: 1, ofBlock: 2 },
  rate: { sessions: 1, perSecond: 2, seconds: 1 },
};
const TARGET_KIB = 64;
/** With this many sessions, V8's young generation, which it releases later, is most of the resident memory. */
const TARGET_KIB_OF_100 = 100;
const sessionsProgram = fileURLToPath(new URL('./sessions-program.js', import.meta.url));

export async function benchmarkEngine(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { smallest: { type: 'boolean' } } });
  const sizes = values.smallest === true ? smallest : usual;
  say(`Node ${process.version}; peer: Debian's s3270, one process a session\n`);
  await throughput(sizes);
  const host = await HostProcess.start('--start', 'MENU');
  try {
    await memory(host.port, sizes);
    await roundTrips(host.port, sizes);
  } finally {
    host.stop();
  }
  return 0;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function throughput({ records }: Sizes): Promise<void> {
  const stream = recordStream(records);
  const megabytes = stream.length / 1e6;
  const inProcess = best(3, () => decodeAll(stream));
  const ours = await overSocket(stream, async (port) => void new BenchSession(port));
  const terminals: S3270[] = [];
  const theirs = await overSocket(stream, async (port) => {
    const terminal = new S3270();
    terminals.push(terminal);
    await terminal.connect(`127.0.0.1:${port}`);
  });
  for (const terminal of terminals) terminal.stop();
  say(`1. ${records} records, ${megabytes.toFixed(1)} MB`);
  const row = (name: string, seconds: number) =>
    say(
      `   ${name.padEnd(34)} ${(records / seconds).toFixed(0).padStart(8)} records/s ${(megabytes / seconds).toFixed(0).padStart(5)} MB/s`,
    );
  row('ours, decoder and screen alone', inProcess);
  row('ours, a session over a socket', ours);
  row('s3270, a session over a socket', theirs);
  say(`   ours/s3270 over a socket: ${(theirs / ours).toFixed(2)}\n`);
}

function best(rounds: number, run: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run();
    shortest = Math.min(shortest, (performance.now() - start) / 1_000);
  }
  return shortest;
}

function decodeAll(stream: Buffer): void {
  const model = soundValue(findTerminalModel('3279-2-E'));
  const codePage = findTerminalCodePage('cp037');
  if (codePage === undefined) throw new Error('no code page');
  const nowhere = () => undefined;
  const screen = new Screen(
    model,
    codePage,
    { numericLock: false, blankFill: false },
    {
      sendRecord: nowhere,
      sendServicesText: nowhere,
      sendLineData: nowhere,
      sendLineCommand: nowhere,
    },
  );
  screen.setPartner('application');
  const decoder = new TelnetDecoder({
    record: (bytes) => void screen.receive(bytes.subarray(5)),
    data: nowhere,
    negotiation: nowhere,
    subnegotiation: nowhere,
    command: nowhere,
    tooLong: nowhere,
  });
  decoder.gathersRecords = true;
  for (let at = 0; at < stream.length; at += 16_384) decoder.feed(stream.subarray(at, at + 16_384));
}

/** Milliseconds from the first record to the answer to the timing mark after the last; the best of three. */
async function overSocket(stream: Buffer, connect: (port: number) => Promise<void>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  const accepted: Array<(socket: Socket) => void> = [];
  const server = createServer((socket) => accepted.shift()?.(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < 3; round++) {
    const incoming = new Promise<Socket>((resolve) => accepted.push(resolve));
    const connected = connect(port);
    const socket = await incoming;
    socket.on('error', () => undefined);
    socket.write(AGREEMENT);
    await answerToMark(socket);
    await connected;
    const start = performance.now();
    socket.write(stream);
    await answerToMark(socket);
    shortest = Math.min(shortest, (performance.now() - start) / 1_000);
    socket.destroy();
  }
  server.close();
  return shortest;
}

function answerToMark(socket: Socket): Promise<void> {
  socket.write(Uint8Array.of(0xff, 0xfd, 0x06));
  return new Promise((resolve) => {
    const look = (chunk: Buffer) => {
      if (!chunk.includes(Buffer.from([0xff, 0xfb, 0x06])) && !chunk.includes(Buffer.from([0xff, 0xfc, 0x06]))) return;
      socket.off('data', look);
      resolve();
    };
    socket.on('data', look);
  });
}

class Sessions {
  readonly #child = fork(sessionsProgram, { execArgv: ['--expose-gc'] });

  do(task: Task): Promise<TaskResult> {
    return new Promise((resolve, reject) => {
      this.#child.once('message', (result: TaskResult) => resolve(result));
      this.#child.once('exit', (code) => reject(new Error(`the sessions ended with ${code}`)));
      this.#child.send(task);
    });
  }

  stop(): void {
    this.#child.removeAllListeners('exit');
    this.#child.kill();
  }
}

async function memory(port: number, { sessions, idleSeconds, terminals: count }: Sizes): Promise<void> {
  say('2. Memory of a connected idle session of 24 x 80');
  for (const seconds of idleSeconds) await memoryAfter(port, sessions, seconds);
  const terminals = await openTerminals(port, count);
  const sizes = terminals.map((terminal) => proportionalKib(terminal.pid));
  say(
    `   s3270, ${String(count).padStart(3)} processes             ${(sizes.reduce((sum, one) => sum + one, 0) / count).toFixed(1).padStart(8)} KiB each (proportional set size)\n`,
  );
  for (const terminal of terminals) terminal.stop();
}

/** @param idleSeconds idle time before each measurement, in which V8 releases the memory it needed for opening */
async function memoryAfter(port: number, counts: readonly number[], idleSeconds: number): Promise<void> {
  const sessions = new Sessions();
  const residentWith = async (count: number) => {
    await sessions.do({ kind: 'open', port, sessions: count });
    return (await sessions.do({ kind: 'idle', seconds: idleSeconds })).residentBytes;
  };
  const before = await residentWith(0);
  for (const count of counts) {
    const residentBytes = await residentWith(count);
    const each = (residentBytes - before) / count / 1024;
    const target = count === 100 ? TARGET_KIB_OF_100 : TARGET_KIB;
    say(
      `   ours, ${String(count).padStart(4)} in one process, after ${String(idleSeconds).padStart(2)} s ${each.toFixed(1).padStart(8)} KiB each (target ${target}); ${(residentBytes / 1048576).toFixed(0)} MiB in all`,
    );
  }
  sessions.stop();
}

async function openTerminals(port: number, count: number): Promise<S3270[]> {
  const terminals = Array.from({ length: count }, () => new S3270());
  await Promise.all(terminals.map((terminal) => terminal.connect(`127.0.0.1:${port}`)));
  await Promise.all(terminals.map((terminal) => terminal.waitFor('Option ===>')));
  return terminals;
}

/** Proportional set size of a process: its share of shared pages. */
function proportionalKib(pid: number | undefined): number {
  const text = readFileSync(join('/proc', String(pid), 'smaps_rollup'), 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
}

async function roundTrips(port: number, sizes: Sizes): Promise<void> {
  say('3. Enter and the answer of the same simulated host, in milliseconds');
  for (const [count, rounds] of sizes.rounds) {
    const sessions = new Sessions();
    await sessions.do({ kind: 'open', port, sessions: count });
    await sessions.do({ kind: 'rounds', rounds: Math.ceil(rounds / 4) });
    const { milliseconds } = await sessions.do({ kind: 'rounds', rounds });
    say(`   ours, ${String(count).padStart(4)} sessions at once       ${quantiles(milliseconds)}`);
    sessions.stop();
  }
  for (const [count, rounds] of sizes.roundsOfPeer) {
    const terminals = await openTerminals(port, count);
    const all = await Promise.all(
      terminals.map(async (terminal) => {
        const times: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const start = performance.now();
          await terminal.ask('Enter()');
          times.push(performance.now() - start);
        }
        return times;
      }),
    );
    say(`   s3270, ${String(count).padStart(3)} sessions at once       ${quantiles(all.flat())}`);
    for (const terminal of terminals) terminal.stop();
  }
  const { ours, theirs } = await driveRoundTrips(port, sizes.presses);
  say(`   sallyport drive, PF8 and PF7      ${quantiles(ours)}`);
  say(`   s3270, PF8 and PF7                ${quantiles(theirs)}`);
  const sessions = new Sessions();
  const { sessions: count, perSecond, seconds } = sizes.rate;
  await sessions.do({ kind: 'open', port, sessions: count });
  await sessions.do({ kind: 'rate', perSecond: perSecond / 2, seconds: Math.ceil(seconds / 4) });
  const { milliseconds, cpuSeconds } = await sessions.do({ kind: 'rate', perSecond, seconds });
  say(
    `   ours, ${perSecond} Enter/s, ${count} sessions ${quantiles(milliseconds)}; ${((cpuSeconds / seconds) * 100).toFixed(0)} % of a core (target p99 25)`,
  );
  sessions.stop();
}

function quantiles(milliseconds: readonly number[]): string {
  const sorted = [...milliseconds].sort((left, right) => left - right);
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2);
  return `p50 ${at(0.5).padStart(7)}  p99 ${at(0.99).padStart(7)}`;
}
