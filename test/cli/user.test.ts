import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { sallyportInProcess } from './command-in-process.js';
import { main, run } from './macro-process.js';

const PASSWORD = 'canary-of-users-1';

describe('sallyport user and group', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-user-'));
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      'directories: { CLI: . }\nlines:\n  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E }\nentryPoints: { E: { directory: CLI } }\n',
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The password comes on standard input. */
  const sallyport = (words: string, input = '') => sallyportInProcess(words.split(' '), { folder, input });
  const sallyportProcess = (words: string, input = '') =>
    run(process.execPath, [main, ...words.split(' ')], { folder, input });
  const add = (words: string) => sallyport(`user add ${words} --password-stdin`, `${PASSWORD}\n`);
  /** What was done; each change has its intent before it. */
  const trail = () =>
    readFileSync(join(folder, 'data', 'audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly what: string;
            readonly subject: string;
            readonly who: string;
            readonly stage?: string;
          },
      )
      .filter(({ stage }) => stage !== 'intended');

  it('say so where there is nobody yet', async () => {
    const { code, stdout, stderr } = await sallyportProcess('user list');
    expect([code, stdout]).to.deep.equal([0, '']);
    expect(stderr).to.include('There are no users yet: sallyport user add NAME');
  });

  it('add, list, change, unlock, remove, and write all of it down without a password', async () => {
    const root = await sallyportProcess('user add root --role administrator --password-stdin', `${PASSWORD}\n`);
    expect(root).to.include({ code: 0, stdout: 'User root added.\n' });
    expect((await add('anna --group OPS --group DEV --expires 2099-12-31')).code).to.equal(0);
    const list = await sallyport('user list');
    expect(list.stdout.split('\n').map((line) => line.split(/ +/).join(' '))).to.deep.equal([
      'anna user OPS,DEV until 2099-12-31',
      'root administrator',
      '',
    ]);
    expect((await sallyport('user change ANNA --role operator --no-groups --no-expires')).code).to.equal(0);
    const [anna = ''] = (await sallyport('user list --json')).stdout.split('\n');
    expect(JSON.parse(anna)).to.deep.equal({ name: 'anna', role: 'operator', groups: [] });
    expect((await sallyport('user passwd anna --password-stdin', 'canary-of-users-2\n')).code).to.equal(0);
    expect(await sallyport('user unlock anna')).to.include({ code: 0, stdout: 'User anna was not locked.\n' });
    expect((await sallyportProcess('group add NIGHT')).stdout).to.equal('Group NIGHT added.\n');
    expect((await sallyport('group list')).stdout.replaceAll(/ +/g, ' ')).to.equal(
      'DEV 0 users\nNIGHT 0 users\nOPS 0 users\n',
    );
    expect((await sallyport('group remove NIGHT --yes')).code).to.equal(0);
    expect((await sallyport('user remove anna --yes')).code).to.equal(0);
    const lines = trail();
    expect(lines.map(({ what, subject }) => `${what} ${subject}`)).to.deep.equal([
      'user.added user root',
      'group.added group DEV',
      'group.added group OPS',
      'user.added user anna',
      'user.changed user anna',
      'user.passwordSet user anna',
      'group.added group NIGHT',
      'group.removed group NIGHT',
      'user.removed user anna',
    ]);
    expect(lines[0]?.who).to.match(/^command line: \S+$/);
    expect(await verifyAuditTrail(join(folder, 'data', 'audit.jsonl'))).to.include({ entries: 9 + 7 });
    const written = ['audit.jsonl', 'security.yaml'].map((name) => readFileSync(join(folder, 'data', name), 'utf8'));
    expect(written.join('')).to.not.include('canary');
  });

  const refusals: readonly (readonly [words: string, code: number, says: RegExp])[] = [
    ['user add', 2, /missing required argument 'name'/],
    ['user add ../x --password-stdin', 2, /"\.\.\/x" is not a valid user ID: 1 to 64 letters/],
    ['user add bert --role emperor', 2, /Allowed choices are administrator, operator, user/],
    ['user add bert --password secret', 2, /unknown option '--password'/],
    ['user add bert', 2, /standard input is not a terminal: --password-stdin/],
    ['user add bert --password-stdin', 2, /standard input ended/],
    ['user passwd nobody --password-stdin', 1, /There is no user nobody/],
    ['user change root', 2, /no change was specified/],
    ['user change root --role user', 1, /last administrator/],
    ['user change root --expires soon', 1, /"soon" is not a date in the form YYYY-MM-DD/],
    ['user remove root --yes', 1, /last administrator/],
    ['user remove root', 2, /standard input is not a terminal: use --yes/],
    ['user remove nobody --yes', 1, /There is no user nobody/],
    ['group remove nosuch --yes', 1, /There is no group nosuch/],
    ['group add ..', 1, /not a valid group name/],
    ['user list --config absent.yaml', 2, /absent\.yaml.*no such file/s],
  ];
  for (const [words, code, says] of refusals) {
    it(`refuse with ${code}: ${words}`, async () => {
      const finished = await sallyport(words);
      expect(finished.stderr).to.match(says);
      expect(finished.code).to.equal(code);
    });
  }

  it('refuse with 1, and change nothing, where the audit trail cannot be written', async () => {
    const users = join(folder, 'data', 'security.yaml');
    const before = readFileSync(users, 'utf8');
    const [file, kept] = ['audit.jsonl', 'kept.jsonl'].map((name) => join(folder, 'data', name)) as [string, string];
    renameSync(file, kept);
    mkdirSync(file);
    for (const command of ['user change root --expires 2099-12-31', 'group add LATE', 'group remove OPS --yes']) {
      const { code, stdout, stderr } = await sallyport(command);
      expect([code, stdout], command).to.deep.equal([1, '']);
      expect(stderr).to.match(/^the audit trail cannot be written, so nothing was changed: EISDIR: .*\n$/);
    }
    expect((await add('late')).code).to.equal(1);
    expect((await sallyport('user passwd root --password-stdin', `${PASSWORD}\n`)).code).to.equal(1);
    expect(readFileSync(users, 'utf8')).to.equal(before);
    rmSync(file, { recursive: true });
    renameSync(kept, file);
  });

  it('refuse a password that is too short, and does not repeat it', async () => {
    const { code, stderr } = await sallyportProcess('user add carl --password-stdin', 'canary\n');
    expect(code).to.equal(1);
    expect(stderr).to.include('at least 8 characters').and.not.include('canary');
  });
});
