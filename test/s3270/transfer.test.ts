import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { binaryFiles, linesOf } from '../support/transferred-files.js';

/** The answers to wrong parameters are those of s3270 4.1, tried. */
const refusals: Readonly<Record<string, string>> = {
  'Transfer(foo)': "Transfer(): missing value after 'foo'",
  'Transfer(direction)': "Transfer(): missing value after 'direction'",
  'Transfer(direction,foo)': "Transfer(): Invalid option value: 'foo'",
  'Transfer(Direction=up)': "Transfer(): Invalid option value: 'up'",
  'Transfer(direction=send)': "Transfer(): Missing 'HostFile' option",
  'Transfer(direction=send,hostfile=A)': "Transfer(): Missing 'LocalFile' option",
  'Transfer(direction=send,hostfile=A,localfile=/nonexist/x)': "Local file '/nonexist/x': No such file or directory",
  'Transfer(direction=receive,hostfile=A,localfile=/etc/passwd)': 'Transfer(): File exists',
  'Transfer(direction=receive,hostfile=A,localfile=x,recfm=fixed)': "Transfer(): 'Recfm' is only for sending files",
  'Transfer(direction=send,hostfile=A,localfile=x,allocation=tracks)': "Transfer(): Missing or invalid 'PrimarySpace'",
  'Transfer(direction=send,hostfile=A,localfile=x,lrecl=x)': "Transfer(): Invalid option value: 'x'",
  'Transfer(direction=send,hostfile=A,localfile=x,host=vm,blksize=3)': "Transfer(): 'Blksize' is only for TSO hosts",
  'Transfer(direction=send,hostfile=A,localfile=x,host=cics,recfm=fixed)':
    "Transfer(): 'Recfm' is only for TSO and VM hosts",
  'Transfer(direction=send,hostfile=A,localfile=x,mode=binary,remap=yes)':
    "Transfer(): 'Remap' is only for ASCII transfers",
};

describe('Transfer() of sallyport s3270', () => {
  let folder: string;
  let host: SimulatedHost;
  let port: number;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-transfer-'));
    const codePage = findCodePage('IBM1047');
    if (codePage === undefined) throw new Error('no code page 1047');
    host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
    ({ port } = await host.listen({ host: '127.0.0.1', port: 0 }));
  });

  after(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const scriptAs = (options: readonly string[], at: number, lines: readonly string[]) =>
    sallyportInProcess(['s3270', '-codepage', 'cp1047', ...options], {
      folder,
      input: [`Connect(127.0.0.1:${at})`, 'String(T)', 'Enter()', 'Wait(InputField)', ...lines, 'Quit', ''].join('\n'),
    });
  const script = (...lines: string[]) => scriptAs([], port, lines);

  it('takes files to the host and back to the byte, and says how many bytes', async () => {
    const files = Object.entries(binaryFiles(16_384 - 27));
    for (const [name, file] of files) writeFileSync(join(folder, name), file);
    const { stdout } = await script(
      ...files.flatMap(([name]) => [
        `Transfer(Direction=send,LocalFile=${name},HostFile=A.FILE,Mode=binary)`,
        `Transfer(direction,receive,localfile,${name}.back,hostfile,A.FILE,mode,binary)`,
      ]),
    );
    for (const [name, file] of files) {
      expect(readFileSync(join(folder, `${name}.back`)).equals(file), name).to.equal(true);
      expect(stdout).to.include(`data: Transfer complete, ${file.length} bytes transferred\n`);
    }
    expect(stdout).to.match(/data: [\d.]+ [KM]?bytes\/sec in DFT mode\n/);
    expect(stdout).to.not.match(/^error$/m);
  });

  // a terminal type without -E has no structured fields
  for (const [mode, type] of [
    ['DFT', 'IBM-3278-2-E'],
    ['CUT', 'IBM-3278-2'],
  ] as const) {
    it(`takes a mebibyte, text and lines round the ends of buffers in ${mode}; what is cut leaves no half file`, async () => {
      const mebibyte = Buffer.from(Uint8Array.from({ length: 1 << 20 }, (_, at) => (at * 7) & 255));
      const lines = Buffer.from(linesOf(1_880, 1_930));
      const files = { [`large-${mode}`]: [mebibyte, 'binary'], [`lines-${mode}`]: [lines, 'ascii'] } as const;
      for (const [name, [bytes]] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
      const { stdout } = await scriptAs(
        ['-tn', type],
        port,
        Object.entries(files).flatMap(([name, [, kind]]) => [
          `Transfer(Direction=send,LocalFile=${name},HostFile=B.FILE,Mode=${kind})`,
          `Transfer(Direction=receive,LocalFile=${name}.back,HostFile=B.FILE,Mode=${kind})`,
        ]),
      );
      expect(stdout).to.not.match(/^error$/m);
      expect(stdout).to.match(new RegExp(`bytes/sec in ${mode} mode`));
      for (const [name, [bytes]] of Object.entries(files)) {
        expect(readFileSync(join(folder, `${name}.back`)).equals(bytes), name).to.equal(true);
      }
      const codePage = findCodePage('IBM1047');
      if (codePage === undefined) throw new Error('no code page 1047');
      const faulty = new SimulatedHost({ codePage, users: {}, start: 'MENU', faults: ['cut-file'] });
      try {
        const at = await faulty.listen({ host: '127.0.0.1', port: 0 });
        const cut = await scriptAs(['-tn', type], at.port, [
          `Transfer(Direction=receive,LocalFile=cut-${mode},HostFile='SALLY.SAMPLE.SOURCE(RATE0001)',Mode=ascii)`,
        ]);
        expect(cut.stdout).to.match(/^error$/m);
        expect(readdirSync(folder).filter((name) => name.startsWith(`cut-${mode}`))).to.deep.equal([]);
      } finally {
        await faulty.close();
      }
    });
  }

  it('says what s3270 says of wrong parameters, and what the host says', async () => {
    const lines = [...Object.keys(refusals), 'Transfer(hostfile=NO.SUCH,localfile=nothing)'];
    const { stdout } = await script(...lines);
    const data = stdout.split('\n').filter((line) => line.startsWith('data: '));
    expect(data.slice(0, -1)).to.deep.equal(Object.values(refusals).map((words) => `data: ${words}`));
    expect(data.at(-1)).to.match(/^data: TRANS14 /);
  });

  it('sends regular files alone, of 256 MiB and not one more: what has no end is not read', async () => {
    const most = 256 * 1024 * 1024;
    mkdirSync(join(folder, 'folder'));
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).to.equal(0);
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), most + 1);
    const send = (file: string) => `Transfer(Direction=send,LocalFile=${file},HostFile=A.FILE,Mode=binary)`;
    const { stdout } = await script(...['/dev/zero', 'pipe', 'folder', 'huge'].map(send));
    expect(stdout.split('\n').filter((line) => line.startsWith('data: '))).to.deep.equal([
      "data: Local file '/dev/zero': it is a pipe or a device, not a regular file",
      "data: Local file 'pipe': it is a pipe or a device, not a regular file",
      "data: Local file 'folder/A.FILE': No such file or directory",
      `data: Local file 'huge': it has ${most + 1} bytes; at most ${most} are sent`,
    ]);
    truncateSync(join(folder, 'huge'), most);
    const atBound = await script(send('huge'));
    // it is the host that has no room
    expect(atBound.stdout).to.match(/^data: TRANS\d+/m);
  });

  it('needs a host', async () => {
    const { stdout } = await sallyportInProcess(['s3270'], { input: 'Transfer(hostfile=A,localfile=b)\nQuit\n' });
    expect(stdout).to.include('data: Transfer(): Not connected in 3270 mode\n');
  });
});
