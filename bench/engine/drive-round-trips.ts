import { DriveProcess } from '../../test/support/drive-process.js';
import { S3270 } from '../../test/support/s3270.js';

export interface Presses {
  readonly warmUp: number;
  readonly blocks: number;
  readonly ofBlock: number;
}

type Press = (forward: boolean) => Promise<void>;

/**
 * Lists are scrolled with PF8 and PF7 by lines on standard input of `sallyport drive` and of s3270. The programs
 * alternate, so that other load on the machine affects both.
 * @returns milliseconds
 */
export async function driveRoundTrips(
  port: number,
  { warmUp, blocks, ofBlock }: Presses,
): Promise<{ readonly ours: number[]; readonly theirs: number[] }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const drive = new DriveProcess(port);
  const terminal = new S3270();
  try {
    const [pressOurs, pressTheirs] = [await listOnDrive(drive), await listOnS3270(terminal, port)];
    for (const press of [pressOurs, pressTheirs]) await pressed(press, warmUp);
    for (let block = 0; block < blocks; block++) {
      ours.push(...(await pressed(pressOurs, ofBlock)));
      theirs.push(...(await pressed(pressTheirs, ofBlock)));
    }
  } finally {
    drive.kill();
    terminal.stop();
  }
  return { ours, theirs };
}

async function pressed(press: Press, times: number): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await press(time % 2 === 0);
    milliseconds.push(performance.now() - start);
  }
  return milliseconds;
}

async function listOnDrive(drive: DriveProcess): Promise<Press> {
  const press = async (key: string) => {
    const { error } = await drive.ask({ cmd: 'key', key, until: 'unlocked' });
    if (error !== undefined) throw new Error(String(error));
  };
  await drive.ask({ cmd: 'wait', text: 'Option ===>' });
  await drive.ask({ cmd: 'type', text: '1' });
  await press('Enter');
  return (forward) => press(forward ? 'PF8' : 'PF7');
}

async function listOnS3270(terminal: S3270, port: number): Promise<Press> {
  await terminal.connect(`127.0.0.1:${port}`);
  await terminal.waitFor('Option ===>');
  await terminal.ask('String("1")');
  await terminal.ask('Enter()');
  return async (forward) => {
    await terminal.ask(forward ? 'PF(8)' : 'PF(7)');
  };
}
