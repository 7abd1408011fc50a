import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

/** TERMINAL-TYPE, END-OF-RECORD and BINARY, and a screen with a field in which a command has room. */
const screen = Buffer.from(
  'fffd18fffa1801fff0fffd19fffb19fffd00fffb00 f5c3 1140401d60 11405a1d4013 ffef'.replaceAll(' ', ''),
  'hex',
);

type Resources = Readonly<Record<string, string>>;
const sends = { Direction: 'send' };
const records = { ...sends, Recfm: 'fixed', Lrecl: '80', Blksize: '800' };
const space = { ...sends, Allocation: 'tracks', PrimarySpace: '3', SecondarySpace: '4' };

/** What resources say, and what `Transfer` is told: the file to receive into is none, the one to send is there. */
const transfers: ReadonlyArray<readonly [resources: Resources, told: string]> = [
  [{}, 'LocalFile=none,HostFile=A.B'],
  [{}, 'LocalFile=there,HostFile=A.B,Direction=send,Mode=binary,Exist=append'],
  [{}, 'LocalFile=there,"HostFile=A B",Direction=send,Mode=binary,Host=vm,Recfm=fixed,Lrecl=80'],
  [{}, 'LocalFile=none,"HostFile=A B",Mode=binary,Host=vm'],
  [{ Host: 'VM', HostFile: 'A B C' }, 'LocalFile=none'],
  [{ Host: 'c' }, 'LocalFile=none,HostFile=A'],
  [{ Host: 'vm' }, 'LocalFile=there,HostFile=A.B,Direction=send,Host=tso,Blksize=4,Recfm=fixed'],
  [{ Host: 'vm' }, 'LocalFile=there,HostFile=A.B,Direction=send,Blksize=4,Recfm=fixed'],
  [{ HostFile: 'A.B', LocalFile: 'none', Mode: 'Binary' }, ''],
  [{ LocalFile: 'folder', HostFile: 'A.B' }, 'HostFile=C'],
  [{ LocalFile: '' }, 'HostFile=A'],
  [{ LocalFile: 'none' }, ''],
  [{ Mode: 'binary' }, 'LocalFile=none,HostFile=A.B,Cr=add'],
  [{ Mode: 'binary', Cr: 'add', Remap: 'no' }, 'LocalFile=none,HostFile=A.B'],
  [{ Mode: 'binary' }, 'LocalFile=none,HostFile=A.B,Remap=no'],
  [{ Cr: 'keep' }, 'LocalFile=none,HostFile=A.B'],
  [{ Cr: 'keep' }, 'LocalFile=none,HostFile=A.B,Cr=auto'],
  [{ Exist: 'replace' }, 'LocalFile=there,HostFile=A.B'],
  [{ Exist: 'keep' }, 'LocalFile=there,HostFile=A.B'],
  [{ ...sends, Exist: 'append' }, 'LocalFile=there,HostFile=A.B'],
  [sends, 'LocalFile=none,HostFile=A.B,Direction=receive,Recfm=fixed'],
  [records, 'LocalFile=there,HostFile=A.B'],
  [records, 'LocalFile=there,HostFile=A.B,Recfm=default'],
  [records, 'LocalFile=none,HostFile=A.B,Direction=receive'],
  [{ ...records, Host: 'cics' }, 'LocalFile=there,HostFile=A'],
  [{ ...records, Lrecl: '010', Blksize: '0x10', Recfm: 'V' }, 'LocalFile=there,HostFile=A.B'],
  [{ ...records, Lrecl: '0' }, 'LocalFile=there,HostFile=A.B'],
  [{ Lrecl: '44' }, 'LocalFile=there,HostFile=A.B,Direction=send,Recfm=undefined'],
  [space, 'LocalFile=there,HostFile=A.B'],
  [{ ...space, Host: 'vm' }, 'LocalFile=there,"HostFile=A B"'],
  [{ ...space, PrimarySpace: '-3' }, 'LocalFile=there,HostFile=A.B'],
  [{ ...space, Allocation: 'a' }, 'LocalFile=there,HostFile=A.B'],
  [{ ...space, Allocation: 'a', Avblock: '9' }, 'LocalFile=there,HostFile=A.B'],
  [{ ...space, Allocation: 'a' }, 'LocalFile=none,HostFile=A.B,Direction=receive'],
  [{ PrimarySpace: '4' }, 'LocalFile=there,HostFile=A.B,Direction=send,Allocation=cylinders'],
];

describe('resources of transfers beside s3270', () => {
  let folder: string;

  before(function () {
    needS3270(this);
    folder = mkdtempSync(join(tmpdir(), 'sallyport-transfer-resources-'));
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'there'), 'x');
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The record with the command, or the answer where there is none. */
  async function begunBy(program: readonly string[], resources: Resources, told: string): Promise<string> {
    const inFolder = (text: string) => text.replace(/^(?=there|none|folder)/, `${folder}/`);
    const words = Object.entries(resources).flatMap(([name, value]) => ['-xrm', `s3270.ft${name}: ${inFolder(value)}`]);
    const terminal = await SteppingTerminal.start(program, ['-model', '2', ...words]);
    try {
      await terminal.sentFor(screen);
      return await terminal.sentUpToHangUp(`Transfer(${told.replace(/LocalFile=/, `LocalFile=${folder}/`)})`);
    } finally {
      await terminal.end();
      // s3270 makes what it receives into at once
      for (const made of ['none', 'folder/C']) rmSync(join(folder, made), { force: true });
    }
  }

  it('hold for what Transfer is not told, and what it is told wins: the same commands, and the same words', async () => {
    const [s3270 = [], own = []] = bothPrograms;
    const differing: unknown[] = [];
    let commands = 0;
    for (const [resources, told] of transfers) {
      const theirs = await begunBy(s3270, resources, told);
      const ours = await begunBy(own, resources, told);
      if (theirs !== ours) differing.push({ resources, told, theirs, ours });
      if (theirs.endsWith('ffef')) commands += 1;
    }
    expect(differing).to.deep.equal([]);
    expect(commands).to.be.greaterThan(20);
  });

  it('end with an idle command that is carried out while nobody asks for anything', async () => {
    const resources = ['idleCommand: String(a) PF(3)', 'idleTimeout: 1s', 'idleCommandEnabled: true'];
    const words = resources.flatMap((resource) => ['-xrm', `s3270.${resource}`]);
    const sent: string[] = [];
    for (const program of bothPrograms) {
      const terminal = await SteppingTerminal.start(program, ['-model', '2', ...words]);
      await terminal.sentFor(screen);
      sent.push(await terminal.sentUnasked());
      await terminal.end();
    }
    expect(sent[1]).to.equal(sent[0]);
    expect(sent[0]).to.match(/^f3/);
  });
});
