import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditLine } from '../../src/access/audit/audit-entry.js';
import { archivesOf } from '../../src/access/audit/audit-files.js';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { needCommand } from '../support/need.js';
import { sallyportInProcess } from './command-in-process.js';
import { main } from './macro-process.js';
import { SallyportProcess, sallyport as sallyportProcess } from './sallyport-process.js';

const sallyport = (args: readonly string[], folder?: string) =>
  sallyportInProcess(args, folder === undefined ? {} : { folder });

const configuration = `
data: ./state
directories: { CLI: ./pages }
lines:
  C-HTTP: { listen: 127.0.0.1:41002, entryPoint: CLIWHOST }
entryPoints:
  CLIWHOST: { directory: CLI }
`;

describe('sallyport audit', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-audit-cli-'));
    file = join(folder, 'state', 'audit.jsonl');
    await mkdir(join(folder, 'pages'));
    await writeFile(join(folder, 'sallyport.yaml'), configuration);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function append(count: number): Promise<void> {
    const trail = new FileAuditTrail({ file, now: () => Date.UTC(2027, 0, 1) });
    for (let number = 1; number <= count; number += 1) {
      await trail.append({ who: 'ADMIN', from: '192.0.2.7', what: 'user.added', subject: `USER${number}` });
    }
  }

  it('without a subcommand, and for wrong use, exits with 2 and says what there is', async () => {
    const wrongUses: readonly [string[], RegExp][] = [
      [[], /verify \[options\][\s\S]*list \[options\][\s\S]*export \[options\]/],
      [['verfy'], /unknown command 'verfy'[\s\S]*Did you mean verify\?/],
      [['verify', 'audit.jsonl'], /too many arguments/],
      [['verify', '--entry', '0:abc'], /expected N:HASH, a number from 1 and 64 hexadecimal digits\./],
      [['list', '--last', '0'], /expected a number from 1 to 1000\./],
      [['list', '--last', '1001'], /expected a number from 1 to 1000\./],
      [['list', '--from', '2027-13-01'], /expected a day: YYYY-MM-DD\./],
      [['list', '--from', '2027-02-30'], /expected a day: YYYY-MM-DD\./],
      [['list', '--who', 'x'.repeat(65)], /expected 1 to 64 characters\./],
      [['export', '--outcome', 'odd'], /Allowed choices are done, failed, unfinished\./],
      [['export', '--format', 'xls'], /Allowed choices are csv, jsonl\./],
      [['list', '--lst'], /unknown option '--lst'[\s\S]*sallyport audit list --help explains it/],
    ];
    for (const [args, message] of wrongUses) {
      const start = args.length === 0 ? sallyportProcess : sallyport;
      const { code, stdout, stderr } = await start(['audit', ...args], folder);
      expect(stderr).to.match(message);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    }
  });

  it('explains itself with examples', async () => {
    for (const args of [['audit'], ['audit', 'verify'], ['audit', 'list'], ['audit', 'export']]) {
      const { code, stdout } = await sallyport([...args, '--help'], folder);
      expect(stdout).to.match(/\nExamples:\n {2}sallyport audit /);
      expect(code).to.equal(0);
    }
  });

  it('exits with 2 where the configuration is wrong or is not there', async () => {
    const { code, stderr } = await sallyport(['audit', 'verify', '--config', 'absent.yaml'], folder);
    expect(stderr).to.contain('absent.yaml:1:1: error: the configuration cannot be read: no such file\n');
    expect(code).to.equal(2);
    await writeFile(join(folder, 'sallyport.yaml'), 'nonsense\n');
    expect(await sallyport(['audit', 'list'], folder)).to.include({ code: 2, stdout: '' });
  });

  describe('verify', () => {
    it('finds a trail that nothing was written to yet to have no entries, and makes none', async () => {
      const { code, stdout } = await sallyport(['audit', 'verify'], folder);
      expect(stdout).to.match(/state\/audit\.jsonl: 0 entries\n$/);
      expect(code).to.equal(0);
      expect(existsSync(join(folder, 'state'))).to.equal(false);
    });

    it('prints an anchor that openssl agrees with, and finds it again', async function () {
      needCommand(this, 'openssl');
      await append(3);
      const { code, stdout } = await sallyportProcess(['audit', 'verify', '--config', 'sallyport.yaml'], folder);
      const command = `tail -n 1 "$1" | tr -d '\\n' | openssl dgst -sha256 -r | cut -c 1-64`;
      const hash = spawnSync('sh', ['-c', command, 'sh', file], { encoding: 'utf8' }).stdout.trim();
      expect(stdout).to.match(
        new RegExp(`^3 entries, unbroken, the last of 2027-01-01T00:00:00.000Z: 3:${hash}\nKeep it elsewhere `),
      );
      expect(code).to.equal(0);
      await append(1);
      const again = await sallyport(['audit', 'verify', '--file', file, '--entry', `3:${hash.toUpperCase()}`]);
      expect(again.stdout).to.match(/^4 entries, unbroken/);
      const cut = (await readFile(file, 'utf8')).split('\n').slice(0, 2).join('\n');
      await writeFile(file, `${cut}\n`);
      expect(await sallyportProcess(['audit', 'verify', '--file', file, '--entry', `3:${hash}`])).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: `${file}:3: there is no entry 3: the trail ends after 2, the rest was cut off\n`,
      });
    });

    it('tells of changes without an outcome, and so do the list and the start of a server', async () => {
      await append(1);
      const change = { who: 'ADMIN', from: '192.0.2.7', what: 'user.changed' as const, subject: 'user KOLB' };
      // as where the process was killed in between: it goes on for ever
      await new Promise<void>((resolve) => {
        void new FileAuditTrail({ file }).record(change, () => {
          resolve();
          return new Promise(() => {});
        });
      });
      const { code, stdout } = await sallyport(['audit', 'verify'], folder);
      expect(code).to.equal(0);
      expect(stdout).to.match(/^2 entries, unbroken/);
      expect(stdout).to.match(
        /\nentry 2 has no outcome: user\.changed, user KOLB, by ADMIN, \S+Z: it is in progress, or was interrupted/,
      );
      expect((await sallyport(['audit', 'list'], folder)).stdout).to.include('user.changed (no outcome)  user KOLB');
      await writeFile(join(folder, 'sallyport.yaml'), configuration.replace('41002', '0'));
      const server = new SallyportProcess(['serve'], folder);
      try {
        await server.prints(/"level":40.*"entry":2.*"subject":"user KOLB".*a change was interrupted/);
        await server.prints(/C-HTTP +http/);
        await writeFile(file, `${await readFile(file, 'utf8')}nonsense\n`);
      } finally {
        server.child.kill('SIGTERM');
        await server.finished;
      }
      const again = new SallyportProcess(['serve'], folder);
      try {
        await again.prints(/"level":50.*it is not JSON.*nothing can be changed: the audit trail is broken/);
        await again.prints(/C-HTTP +http/);
      } finally {
        again.child.kill('SIGTERM');
        await again.finished;
      }
    });

    it('exits with 1 and names file, line and reason where it is broken', async () => {
      await append(3);
      await writeFile(file, (await readFile(file, 'utf8')).replace('USER2', 'USER7'));
      const { code, stdout, stderr } = await sallyport(['audit', 'verify', '--file', file]);
      expect(stderr).to.match(/audit\.jsonl:3: its hash of the previous line does not match: line 2 or this one was /);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    });

    it('exits with 1 where the file that is named is not there, or is a folder', async () => {
      const absent = join(folder, 'adit.jsonl');
      for (const subcommand of ['verify', 'list', 'export']) {
        const missing = await sallyport(['audit', subcommand, '--file', absent]);
        expect(missing).to.deep.equal({ code: 1, stdout: '', stderr: `${absent}: no such file\n` });
        const isFolder = await sallyport(['audit', subcommand, '--file', folder]);
        expect(isFolder).to.deep.equal({ code: 1, stdout: '', stderr: `${folder}: it is a folder\n` });
      }
    });
  });

  describe('list', () => {
    it('prints nothing where there is nothing', async () => {
      expect(await sallyport(['audit', 'list'], folder)).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    });

    it('prints the newest first, in columns', async () => {
      await append(12);
      const { code, stdout } = await sallyportProcess(['audit', 'list', '--last', '4'], folder);
      expect(stdout.split('\n')).to.deep.equal([
        '12  2027-01-01T00:00:00.000Z  ADMIN  192.0.2.7  user.added  USER12',
        '11  2027-01-01T00:00:00.000Z  ADMIN  192.0.2.7  user.added  USER11',
        '10  2027-01-01T00:00:00.000Z  ADMIN  192.0.2.7  user.added  USER10',
        '9   2027-01-01T00:00:00.000Z  ADMIN  192.0.2.7  user.added  USER9',
        '',
      ]);
      expect(code).to.equal(0);
      expect((await sallyport(['audit', 'list'], folder)).stdout.split('\n')).to.have.length(13);
    });

    it('prints one line an entry with nothing that a terminal obeys, values shortened', async () => {
      const hostile = 'A\nB\tC\x1b[2J\x85\u202e';
      await new FileAuditTrail({ file }).append({
        who: hostile,
        from: 'x'.repeat(41),
        what: 'macros.uploaded',
        subject: 'x'.repeat(40),
        before: 'y'.repeat(58),
        after: { text: `${hostile}${'y'.repeat(100)}` },
      });
      const { stdout } = await sallyport(['audit', 'list'], folder);
      expect(stdout).to.match(/^[\x20-\x7e…]*\n$/);
      expect(stdout).to.contain('  A\\nB\\tC\\u001b[2J\\u0085\\u202e  ');
      expect(stdout).to.contain(
        `  ${'x'.repeat(39)}…  macros.uploaded  ${'x'.repeat(40)}  before "${'y'.repeat(58)}", `,
      );
      expect(stdout).to.match(/, after \{"text":.*y…\n$/);
      const json = await sallyport(['audit', 'list', '--json'], folder);
      expect(json.stdout).to.equal(await readFile(file, 'utf8'));
    });

    it('says that a line is broken, and exits with 1', async () => {
      await append(1);
      await writeFile(file, '\x1b[2J\n', { flag: 'a' });
      const { code, stderr } = await sallyport(['audit', 'list'], folder);
      expect(stderr).to.equal(`${file}: a line is broken: it is not JSON\n`);
      expect(code).to.equal(1);
    });
  });

  describe('of several files', () => {
    let trail: FileAuditTrail;
    const printed = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await sallyport(['audit', ...args], folder);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      return stdout;
    };
    const sequences = async (...filters: readonly string[]) =>
      (await printed('list', '--json', '--last', '1000', ...filters))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as AuditLine).subject);

    beforeEach(async () => {
      let day = 0;
      trail = new FileAuditTrail({ file, rotateBytes: 1_000, now: () => Date.UTC(2027, 0, Math.min(++day, 20)) });
      for (let number = 1; number <= 20; number++) {
        const [who, from] = number % 2 === 0 ? ['ANNA', '192.0.2.7'] : ['BERT', '2001:db8::1'];
        await trail.note({
          who,
          from,
          what: 'data.backedUp',
          subject: `USER${number}`,
          after: { number: `=${number}` },
        });
      }
      await trail.record({ who: 'ANNA', from: '192.0.2.9', what: 'user.changed', subject: 'KOLB' }, async () => {});
      expect((await archivesOf(file)).length).to.be.greaterThan(3);
    });

    it('lists what is asked for', async () => {
      expect(await sequences('--what', 'backed', '--who', 'anna')).to.deep.equal(
        [20, 18, 16, 14, 12, 10, 8, 6, 4, 2].map((number) => `USER${number}`),
      );
      expect(await sequences('--address', 'DB8', '--to', '2027-01-04')).to.deep.equal(['USER3', 'USER1']);
      expect(await sequences('--address', 'anna')).to.deep.equal([]);
      expect(await sequences('--text', 'user2"')).to.deep.equal(['USER2']);
      expect(await sequences('--outcome', 'done')).to.deep.equal(['KOLB']);
      expect(await sequences('--who', '192.0.2.9', '--from', '2027-01-20')).to.deep.equal(['KOLB']);
      expect(await printed('list', '--last', '1', '--what', 'backed', '--who', 'bert')).to.match(/ USER19 /);
    });

    it('exports all of them, each line as it stands there, on record', async () => {
      const files = [...(await archivesOf(file)).map(({ path }) => path), file];
      const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
      const written = texts.join('').trimEnd().split('\n');
      const wanted = written.filter((line) => !line.includes('"stage":"intended"')).reverse();
      expect(await printed('export', '--format', 'jsonl')).to.equal(`${wanted.join('\n')}\n`);
      const [record] = await trail.latest(1);
      expect(record).to.deep.include({
        from: 'command line',
        what: 'audit.exported',
        after: { format: 'jsonl', upTo: written.length },
      });
      const csv = (await printed('export', '--who', 'BERT')).split('\r\n');
      expect(csv).to.have.length(12);
      expect(csv[0]).to.match(/^sequence,time,who,from,/);
      expect(csv[1]).to.include(',"BERT","2001:db8::1","data.backedUp","USER19",').and.include('{""number"":""=19""}');
    });

    it('adds nothing to a file that is named', async () => {
      const [archive] = (await archivesOf(file)).map(({ path }) => path);
      const before = await readFile(archive ?? '', 'utf8');
      const { sequence } = (await trail.head()) ?? {};
      const text = await printed('export', '--format', 'jsonl', '--file', archive ?? '');
      expect(text.trimEnd().split('\n').reverse().join('\n')).to.equal(before.trimEnd());
      await printed('export', '--file', file);
      expect(await readFile(archive ?? '', 'utf8')).to.equal(before);
      expect(await trail.head()).to.have.property('sequence', sequence);
    });

    it('ends where nobody reads any more', async function () {
      needCommand(this, 'sh');
      const command = `"$0" "$1" audit export --format jsonl --file "$2" | head -c 10`;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, main, file]);
      expect({ status, stdout: String(stdout), stderr: String(stderr) }).to.deep.equal({
        status: 0,
        stdout: '{"sequence',
        stderr: '',
      });
    });
  });

  it('exports a heading, and makes no trail, where there is none', async () => {
    const { code, stdout } = await sallyport(['audit', 'export'], folder);
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout: 'sequence,time,who,from,what,subject,stage,intent,before,after,previous\r\n',
    });
    expect(existsSync(join(folder, 'state'))).to.equal(false);
  });
});
