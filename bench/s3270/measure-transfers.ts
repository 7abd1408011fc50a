import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { S3270 } from '../../test/support/s3270.js';
import { OurScript } from './our-script.js';

const ROUNDS = 3;
const POLL_MILLISECONDS = 2;
const BYTES = 4 * 1024 * 1024;
const hostProgram = fileURLToPath(new URL('./host-program.js', import.meta.url));

interface TransferFigures {
  readonly what: string;
  /** MB/s. */
  readonly ours: number;
  readonly theirs: number;
}

/** What both can be told. */
interface Scripted {
  ask(action: string): Promise<{ readonly data: readonly string[] }>;
  stop(): void;
}

/** A file of 4 MiB, in binary and in both modes, there and back; each emulator is a process of its own, and the host another. */
export async function measureTransfers(): Promise<readonly TransferFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const host = fork(hostProgram);
  try {
    const [port] = (await once(host, 'message')) as [number];
    const file = join(folder, 'file');
    writeFileSync(
      file,
      Uint8Array.from({ length: BYTES }, (_, at) => (at * 31 + (at >> 8)) & 0xff),
    );
    const figures: TransferFigures[] = [];
    const model = '3279-2-E';
    // a terminal without extended data stream is not asked what it can do: its files go by screens
    for (const [mode, further] of [
      ['DFT', []],
      ['CUT', ['-tn', 'IBM-3278-2']],
    ] as const) {
      const ours = await best(() => new OurScript(model, further), port, folder);
      const theirs = await best(() => new S3270({ model, further }), port, folder);
      figures.push({ what: `${mode}, to the host`, ours: ours.sent, theirs: theirs.sent });
      figures.push({ what: `${mode}, from the host`, ours: ours.received, theirs: theirs.received });
    }
    return figures;
  } finally {
    host.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function best(start: () => Scripted, port: number, folder: string) {
  let [sent, received] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const terminal = start();
    try {
      await terminal.ask(`Connect("127.0.0.1:${port}")`);
      await terminal.ask('Wait(InputField)');
      await terminal.ask('String(T)');
      await terminal.ask('Enter()');
      await terminal.ask('Wait(InputField)');
      sent = Math.max(sent, await speed(terminal, 'send', join(folder, 'file')));
      received = Math.max(received, await speed(terminal, 'receive', join(folder, 'back')));
    } finally {
      terminal.stop();
    }
  }
  return { sent, received };
}

async function speed(terminal: Scripted, direction: string, file: string): Promise<number> {
  if (direction === 'receive') rmSync(file, { force: true });
  // the host's words of the transfer before are gone then
  await terminal.ask('Enter()');
  await terminal.ask('Wait(InputField)');
  const began = performance.now();
  await terminal.ask(
    `Transfer(Direction=${direction},LocalFile=${file},HostFile=BENCH.FILE,Host=tso,Mode=binary,Exist=replace)`,
  );
  // s3270 4.1 does not wait for the end
  while (!(await terminal.ask('Ascii(2,0,1,80)')).data.join('').includes('TRANS03')) await pause(POLL_MILLISECONDS);
  const seconds = (performance.now() - began) / 1_000;
  if (statSync(file).size !== BYTES) throw new Error(`${file} has ${statSync(file).size} bytes`);
  return BYTES / 1e6 / seconds;
}
