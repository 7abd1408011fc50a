import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

/** TERMINAL-TYPE, END-OF-RECORD and BINARY, and a screen with a field of 14 positions. */
const small = 'fffd18fffa1801fff0fffd19fffb19fffd00fffb00 f5c3 1140401d60 1140501d4013 11405f1d60 ffef';

describe('transfers that cannot begin, beside s3270', () => {
  let folder: string;

  before(function () {
    needS3270(this);
    folder = mkdtempSync(join(tmpdir(), 'sallyport-transfer-'));
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'there'), 'x');
    writeFileSync(join(folder, 'folder', 'THERE'), 'x');
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are told in the same words', async () => {
    const none = `HostFile=A,LocalFile=${folder}/none`;
    const there = `HostFile=A,LocalFile=${folder}/there`;
    const transfers = [
      ...['', 'HostFile=A', 'LocalFile=x', 'HostFile=', `HostFile=A,LocalFile=`, 'HostFile,A,LocalFile,""', '=x'],
      ...['HostFile', 'Direction=x', 'Direction', 'Foo=bar,HostFile=A', 'foo', 'foo,bar', `foo,${there}`],
      ...[`bar=foo,${there}`, `${there},baz=1`, `${there},baz`, `${none},Mode=x`, `${none},Cr=x`, `${none},Remap=x`],
      ...['Exist=x', 'Recfm=x', 'Lrecl=x', 'Lrecl=0', 'Lrecl=-1', 'Blksize=x', 'Allocation=x'].map(
        (t) => `${none},${t}`,
      ),
      ...['PrimarySpace=x', 'SecondarySpace=0', 'BufferSize=x', 'Host=x', 'Recfm=fixed'].map((t) => `${none},${t}`),
      ...['Avblock=x', 'Mode=binary,Cr=auto', 'Mode=binary,Cr=add', 'Mode=binary,Cr=keep'].map((t) => `${none},${t}`),
      ...['Mode=binary,Remap=yes', 'Host=cics,Direction=send,Recfm=fixed'].map((t) => `${none},${t}`),
      ...['Host=vm,Direction=send,Allocation=tracks', 'Direction=send,Allocation=tracks'].map((t) => `${none},${t}`),
      ...[`${none},Direction=send,Allocation=avblock,PrimarySpace=1`, `${none},Direction=send`, there],
      ...[`${there},Exist=replace`, `${there},Exist=append,BufferSize=1`, `${there},Direction=send,BufferSize=99999`],
      // in a folder the file has the name of the host's
      ...['A', 'A B', 'U.A(MEM)', '../none', 'THERE'].map(
        (name) => `"HostFile=${name}",LocalFile=${folder}/folder,Direction=send`,
      ),
      ...['THERE', 'NO/A'].map((name) => `HostFile=${name},LocalFile=${folder}/folder`),
      ...[
        `HostFile=A,LocalFile=${folder}/no/A`,
        `HostFile=A,LocalFile=${folder}/there/A`,
        'HostFile=A,LocalFile=/proc/x',
      ],
      ...[`HostFile=A,LocalFile=${folder}/no/,Exist=replace`, `HostFile=A,LocalFile=${folder}/no/A,Direction=send`],
    ].map((parameters) => `Transfer(${parameters})`);
    const answers = async (program: readonly string[]) => {
      const terminal = await SteppingTerminal.start(program, ['-model', '2']);
      try {
        await terminal.sentFor(Buffer.from(small.replaceAll(' ', ''), 'hex'));
        const told: string[] = [];
        for (const transfer of transfers) told.push(`${transfer}\n${await terminal.ask(transfer)}`);
        return told;
      } finally {
        await terminal.end();
      }
    };
    const [real = [], own = []] = [await answers(bothPrograms[0] ?? []), await answers(bothPrograms[1] ?? [])];
    const differing = own.flatMap((answer, at) => (answer === real[at] ? [] : [{ own: answer, s3270: real[at] }]));
    expect(differing).to.deep.equal([]);
    expect(real.join('')).to.include('data: Cannot begin transfer: input field too small\n');
  });

  it('leave no file behind', async () => {
    const before = readdirSync(folder);
    const terminal = await SteppingTerminal.start(bothPrograms[1] ?? [], ['-model', '2']);
    try {
      await terminal.sentFor(Buffer.from(small.replaceAll(' ', ''), 'hex'));
      expect(await terminal.ask(`Transfer(HostFile=A,LocalFile=${folder}/new)`)).to.include('input field too small');
      expect(readdirSync(folder)).to.deep.equal(before);
    } finally {
      await terminal.end();
    }
  });
});
