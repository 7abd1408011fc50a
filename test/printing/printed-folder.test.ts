import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PrintedFolder } from '../../src/printing/printed-folder.js';
import { eventually } from '../support/eventually.js';

const DAY_SECONDS = 86_400;
const module = new URL('../../src/printing/printed-folder.js', import.meta.url).href;

describe('a folder of printed documents', () => {
  let top: string;
  let path: string;
  let folder: PrintedFolder;
  let writer: ChildProcess | undefined;

  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'sallyport-output-'));
    path = join(top, 'out');
    folder = new PrintedFolder(path, 1_000);
  });
  afterEach(() => {
    writer?.kill('SIGKILL');
    writer = undefined;
    rmSync(top, { recursive: true });
  });

  const left = (extra: RegExp) => readdirSync(path).filter((name) => extra.test(name));

  it('is rid of the half-written file of a process that was killed, and keeps that of one that is writing', async () => {
    mkdirSync(path);
    const script = `import { PrintedFolder } from ${JSON.stringify(module)};
      const folder = new PrintedFolder(${JSON.stringify(path)}, 1000);
      const files = [{ extension: 'pdf', content: Buffer.alloc(30_000_000) }];
      for (;;) await folder.write('PRT-20261127-120000-1-LU1', files);`;
    const process = spawn(globalThis.process.execPath, ['--input-type=module', '-e', script]);
    writer = process;
    // stopped while it writes: an attempt that comes between two files goes on
    await eventually(() => {
      if (left(/\.part$/).length === 0) return undefined;
      process.kill('SIGSTOP');
      if (left(/\.part$/).length > 0) return true;
      process.kill('SIGCONT');
      return undefined;
    });
    expect(left(/\.part$/)[0]).to.match(/^PRT-20261127-120000-1-LU1\.pdf\.[0-9a-f]{8}-\d+\.part$/);
    expect(await folder.removeHalfWritten('PRT')).to.deep.equal([]);
    expect(left(/\.part$/)).to.have.length(1);

    const ended = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await ended;
    expect(await folder.removeHalfWritten('OTHER')).to.deep.equal([]);
    expect(await folder.removeHalfWritten('PRT')).to.have.length(1);
    expect(left(/\.part$/)).to.deep.equal([]);
  });

  it('is rid of what earlier versions left, and of no file that is not a half-written document of the printer', async () => {
    mkdirSync(path);
    const removed = ['PRT-20261127-120000-1.pdf.part', 'PRT-20261127-120000-12-LU@#$_1.txt.part'];
    const kept = [
      'PRT-20261127-120000-1.pdf',
      'PRT-20261127-120000-1.xml.part',
      'PRT-20261127-120000-1.pdf.part.old',
      'PRT-20261127-120000.pdf.part',
      'PRT.pdf.part',
      'PRT2-20261127-120000-1.pdf.part',
      'APRT-20261127-120000-1.pdf.part',
      'download.part',
      '.part',
      // another machine with the same folder, and a process that is running here
      'PRT-20261127-120000-1.pdf.00000000-1.part',
    ];
    for (const name of [...removed, ...kept]) writeFileSync(join(path, name), 'x');
    mkdirSync(join(path, 'PRT-20261127-120000-7.pdf.part'));
    symlinkSync(join(path, 'PRT.pdf.part'), join(path, 'PRT-20261127-120000-8.pdf.part'));
    const others = ['PRT-20261127-120000-7.pdf.part', 'PRT-20261127-120000-8.pdf.part'];
    expect([...(await folder.removeHalfWritten('PRT'))].sort()).to.deep.equal(removed.sort());
    expect(readdirSync(path).sort()).to.deep.equal([...kept, ...others].sort());
  });

  it('is rid of a file of another machine after a day, and not a second before', async () => {
    mkdirSync(path);
    const name = (number: number) => join(path, `PRT-20261127-120000-${number}.pdf.00000000-1.part`);
    const now = Date.now() / 1_000;
    for (const [number, age] of [
      [1, DAY_SECONDS + 60],
      [2, DAY_SECONDS - 600],
    ] as const) {
      writeFileSync(name(number), 'x');
      utimesSync(name(number), now, now - age);
    }
    expect(await folder.removeHalfWritten('PRT')).to.deep.equal(['PRT-20261127-120000-1.pdf.00000000-1.part']);
  });

  it('need not be there', async () => {
    expect(await folder.removeHalfWritten('PRT')).to.deep.equal([]);
  });
});
