import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { S3270 } from '../../test/support/s3270.js';
import { OurScript } from './our-script.js';

/** Processes of each program, alternating, and files that each sends and receives in sequence. */
export interface TransferSizes {
  readonly rounds: number;
  readonly files: number;
  readonly bytes: number;
}

const POLL_MILLISECONDS = 2;
const hostProgram = fileURLToPath(new URL('./host-program.js', import.meta.url));

/** MB/s, the best of the rounds. */
interface Speeds {
  /** First file of a process. */
  readonly first: number;
  readonly later: number;
}

interface TransferFigures {
  readonly what: string;
  readonly ours: Speeds;
  readonly theirs: Speeds;
}

interface Scripted {
  ask(action: string): Promise<{ readonly data: readonly string[] }>;
  stop(): void;
}

/**
 * Transfers a file of 4 MiB, in binary and in both modes, in both directions. Both emulators use the same host
 * alternately; it is warmed up.
 */
export async function measureTransfers(sizes: TransferSizes): Promise<readonly TransferFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const host = fork(hostProgram);
  try {
    const [port] = (await once(host, 'message')) as [number];
    const file = join(folder, 'file');
    writeFileSync(
      file,
      Uint8Array.from({ length: sizes.bytes }, (_, at) => (at * 31 + (at >> 8)) & 0xff),
    );
    const figures: TransferFigures[] = [];
    const model = '3279-2-E';
    // a host does not query a terminal without extended data stream: its files go by screens
    for (const [mode, further] of [
      ['DFT', []],
      ['CUT', ['-tn', 'IBM-3278-2']],
    ] as const) {
      const starts = [() => new OurScript(model, further), () => new S3270({ model, further })] as const;
      for (const start of starts) await speeds(start, port, folder, sizes);
      const rounds: (readonly [Directions, Directions])[] = [];
      for (let round = 0; round < sizes.rounds; round++) {
        rounds.push([await speeds(starts[0], port, folder, sizes), await speeds(starts[1], port, folder, sizes)]);
      }
      for (const direction of ['send', 'receive'] as const) {
        const [ours, theirs] = [0, 1].map((which) =>
          best(rounds.map((round) => (round[which] as Directions)[direction])),
        );
        if (ours === undefined || theirs === undefined) continue;
        figures.push({ what: `${mode}, ${direction === 'send' ? 'to' : 'from'} the host`, ours, theirs });
      }
    }
    return figures;
  } finally {
    host.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** MB/s of consecutive files. */
type Directions = Readonly<Record<'send' | 'receive', readonly number[]>>;

function best(rounds: readonly (readonly number[])[]): Speeds {
  return {
    first: Math.max(...rounds.map(([first = 0]) => first)),
    later: Math.max(...rounds.flatMap(([, ...later]) => later)),
  };
}

async function speeds(
  start: () => Scripted,
  port: number,
  folder: string,
  { files, bytes }: TransferSizes,
): Promise<Directions> {
  const [send, receive]: [number[], number[]] = [[], []];
  const terminal = start();
  try {
    await terminal.ask(`Connect("127.0.0.1:${port}")`);
    await terminal.ask('Wait(InputField)');
    await terminal.ask('String(T)');
    await terminal.ask('Enter()');
    await terminal.ask('Wait(InputField)');
    for (let file = 0; file < files; file++) {
      send.push(await speed(terminal, 'send', join(folder, 'file'), bytes));
      receive.push(await speed(terminal, 'receive', join(folder, 'back'), bytes));
    }
  } finally {
    terminal.stop();
  }
  return { send, receive };
}

async function speed(terminal: Scripted, direction: string, file: string, bytes: number): Promise<number> {
  if (direction === 'receive') rmSync(file, { force: true });
  // clears the host's messages of the previous transfer
  await terminal.ask('Enter()');
  await terminal.ask('Wait(InputField)');
  const began = performance.now();
  await terminal.ask(
    `Transfer(Direction=${direction},LocalFile=${file},HostFile=BENCH.FILE,Host=tso,Mode=binary,Exist=replace)`,
  );
  // s3270 4.1 does not wait for the end
  while (!(await terminal.ask('Ascii(2,0,1,80)')).data.join('').includes('TRANS03')) await pause(POLL_MILLISECONDS);
  const seconds = (performance.now() - began) / 1_000;
  if (statSync(file).size !== bytes) throw new Error(`${file} has ${statSync(file).size} bytes`);
  return bytes / 1e6 / seconds;
}
