import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashPassword } from '../../src/access/users/password-hash.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { silentLog } from '../../src/lib/log/log.js';
import { type RunningServer, startServer } from '../../src/server/server.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { needCommand, skipUnless } from '../support/need.js';
import { macrosInProcess as macros } from './command-in-process.js';
import { writeMacroFiles } from './macro-folders.js';
import { macros as macrosProcess, main, run, runOnTerminal, watchCommandLines } from './macro-process.js';
import { PortalOfTheSpecification, type PortalOptions } from './portal-of-the-specification.js';
import type { Finished } from './sallyport-process.js';

const groups = ['G$1', 'SALES', 'Stock.2'];
/** Four users of each group. */
const members = groups.flatMap((group, index) =>
  ['A', 'B$HOME', 'c#@_.-', 'D'].map((name) => ({ group, user: `${name}${index}` })),
);
/** Two of one group and one of another: each upload starts the command. */
const few = members.filter(({ user }) => ['A0', 'B$HOME0', 'A1'].includes(user));
/** Of each group somebody, with every kind of character that a name may have. */
const some = members.filter(({ user }) => ['A0', 'B$HOME0', 'c#@_.-1', 'D2'].includes(user));
const administrator = 'ADMIN';
const password = ` "canary-of-batches" 'x' $HOME \\n %1 ä`;

describe('sallyport macros generate', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-generate-'));
    await writeUsers(members);
    await mkdir(join(folder, 'pages'));
    await writeFile(
      join(folder, 'sallyport.yaml'),
      'directories: { CLI: pages }\nlines: { C: { listen: :0, entryPoint: E } }\nentryPoints: { E: { directory: CLI } }\n' +
        'security: { database: users.yaml }\n',
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function writeUsers(written: typeof members): Promise<void> {
    const users = [
      ...written.map(
        ({ group, user }, index) =>
          `  ${JSON.stringify(user)}: { role: user, groups: [${
            // a further group does not count
            index === 1 ? `${group}, SALES` : group
          }] }`,
      ),
      '  ADMIN: { role: administrator }',
      '  LONER: { role: user }',
    ];
    const lines = ['version: 1', 'groups: [EMPTY, G$1, SALES, Stock.2]', 'users:', ...users, ''];
    await writeFile(join(folder, 'users.yaml'), lines.join('\n'));
  }

  const generate = (...args: string[]) => macros(['generate', ...args], { folder });
  const listed = (wanted: readonly { group: string; user: string }[]) =>
    wanted.map(({ group, user }) => `${group} ${user}\n`).join('');

  it('lists every user with the default group, and names the omitted users', async () => {
    const { code, stdout, stderr } = await macrosProcess(['generate'], { folder });
    expect(stdout).to.equal(listed(members));
    expect(stderr).to.equal(
      'Omitted, because they belong to no group (2): ADMIN LONER\n' +
        'Omitted, because no user has them as the default group (1): EMPTY\n',
    );
    expect(code).to.equal(0);
    expect(readdirSync(folder)).to.have.members(['pages', 'sallyport.yaml', 'users.yaml']);
    expect(await generate('all', 'n')).to.deep.equal({ code, stdout, stderr });
  });

  it('lists one group of the given configuration, ignoring case', async () => {
    const { code, stdout, stderr } = await macros(['generate', '-c', join(folder, 'sallyport.yaml'), 'sales'], {
      folder: tmpdir(),
    });
    expect(stdout).to.equal(listed(members.filter(({ group }) => group === 'SALES')));
    expect(stderr).to.equal('Omitted, because they have another default group (1): B$HOME0 (G$1)\n');
    expect(code).to.equal(0);
  });

  it('names the members of a group that is the default group of none of them, and their default groups', async () => {
    await writeFile(
      join(folder, 'users.yaml'),
      'version: 1\ngroups: [OPS, DEV, QA]\nusers:\n  ANNA: { role: user, groups: [DEV, OPS] }\n' +
        '  BERT: { role: user, groups: [QA, DEV, OPS] }\n  CARL: { role: user, groups: [DEV] }\n',
    );
    const { code, stdout, stderr } = await generate('OPS');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' });
    expect(stderr).to.equal(
      'No user has OPS as default group: nothing to upload.\n' +
        'Omitted, because they have another default group (2): ANNA (DEV) BERT (QA)\n',
    );
    const written = await generate('OPS', 'Y');
    expect([written.code, readdirSync(folder).includes('macros.sh')]).to.deep.equal([1, false]);
    const all = await generate('ALL');
    expect(all.stdout).to.equal('DEV ANNA\nDEV CARL\nQA BERT\n');
    expect(all.stderr).to.equal('Omitted, because no user has them as the default group (1): OPS\n');
  });

  it('writes macros.sh and macros.bat with Y, and not over others without --force', async () => {
    const { code, stdout, stderr } = await macrosProcess(['generate', 'ALL', 'Y'], { folder });
    expect(stdout).to.equal(listed(members));
    expect(stderr).to.contain('Written: macros.sh and macros.bat, for 12 users, to 127.0.0.1:41001 (the default)\n');
    expect(code).to.equal(0);
    expect(statSync(join(folder, 'macros.sh')).mode & 0o777).to.equal(0o755);
    await writeFile(join(folder, 'macros.sh'), 'mine');
    const refused = await macrosProcess(['generate', 'ALL', 'Y'], { folder });
    expect(refused.stderr).to.contain('macros.sh already exists; use --force to overwrite it');
    expect(refused.code).to.equal(2);
    expect(readFileSync(join(folder, 'macros.sh'), 'utf8')).to.equal('mine');
    expect((await generate('ALL', 'Y', '--force')).code).to.equal(0);
    expect(readFileSync(join(folder, 'macros.sh'), 'utf8')).to.match(/^#!\/bin\/sh\n/);
    await mkdir(join(folder, 'out'));
    expect((await generate('ALL', 'Y', 'https://h', '-o', 'out')).stderr).to.match(/, to https:\/\/h\n$/);
    expect(readdirSync(join(folder, 'out'))).to.have.members(['macros.sh', 'macros.bat']);
  });

  it('writes a batch file for Windows: CRLF, each user once, each group once', async () => {
    await generate('ALL', 'Y', 'portal:1', 'teams 100%', 'people', '--global');
    const text = readFileSync(join(folder, 'macros.bat'), 'utf8');
    expect(text.replaceAll('\r\n', '')).to.not.match(/[\r\n]/);
    const calls = text.split('\r\n').filter((line) => line.startsWith('call :upload '));
    expect(calls.slice(0, 5)).to.deep.equal([
      'call :upload "G$1" "A0" Y 0',
      'call :upload "G$1" "B$HOME0" N 1',
      'call :upload "G$1" "c#@_.-0" N 1',
      'call :upload "G$1" "D0" N 1',
      'call :upload "SALES" "A1" N 0',
    ]);
    expect(calls).to.have.length(12);
    expect(text).to.contain('set "groupDirectory=teams 100%%"\r\n');
    // what npm installs is a batch file, and does not come back where it is not called
    expect(text).to.contain('\r\ncall "sallyport" macros upload ');
    expect(text).to.contain('set /p "answer=Delete %output%? (y/N) "');
  });

  const wrong: readonly [string[], RegExp][] = [
    [['SALE'], /the security database has no group SALE \(did you mean "SALES"\?\)/],
    [['ALL', 'J'], /option 2 is Y or N, found "J"/],
    [['ALL', 'Y', 'a b'], /the server is malformed/],
    [['ALL', 'Y', 'host', 'a"b'], /a sub-directory is empty, or has a quotation mark/],
    [['ALL', 'Y', 'host', 'a', 'b\nc'], /a control character/],
    [['ALL', 'Y', '-o', 'absent'], /absent\/macros\.sh cannot be written/],
    [['ALL', 'N', 'host', 'a', 'b', 'c'], /too many arguments/],
    [['-c', 'absent.yaml'], /absent\.yaml:1:1: error: the configuration cannot be read: no such file/],
  ];
  for (const [args, words] of wrong) {
    it(`exits with 2 for: ${JSON.stringify(args.join(' '))}`, async () => {
      const { code, stderr } = await generate(...args);
      expect(stderr).to.match(words);
      expect(code).to.equal(2);
    });
  }

  it('says what is wrong with the security database', async () => {
    await writeFile(join(folder, 'users.yaml'), 'version: 7\n');
    const { code, stderr } = await generate();
    expect(stderr).to.match(/^error: the security database cannot be read: /);
    expect(code).to.equal(2);
  });

  describe('the shell file', () => {
    let portal: PortalOfTheSpecification;
    afterEach(() => portal?.stop());

    async function prepare(options: Partial<PortalOptions> = {}, ...more: string[]): Promise<void> {
      const users = members.map(({ user }) => user);
      portal = new PortalOfTheSpecification({ administrator, password, groups, users, ...options });
      await portal.start();
      const places = [...groups.map((group) => `user group/${group}`), ...users.map((user) => `it's/${user}`)];
      await writeMacroFiles(folder, ['global', ...places]);
      const { code, stderr } = await generate('ALL', 'Y', portal.address, 'user group', "it's", ...more);
      expect(code, stderr).to.equal(0);
    }
    const start = (lines: string, environment = {}) =>
      run(join(folder, 'macros.sh'), [], { folder, input: lines, environment });
    const places = () => portal.arrivals.map(({ directory, content }) => `${directory}: ${JSON.parse(content).desc}`);
    const expectedOf = (uploaded: typeof members) =>
      [...new Set(uploaded.map(({ group }) => group))].flatMap((group) => [
        `group ${group}: user group/${group}`,
        ...uploaded.filter((member) => member.group === group).map(({ user }) => `user ${user}: it's/${user}`),
      ]);

    it('is good for dash and for bash', async function () {
      await prepare();
      for (const shell of ['dash', 'bash']) {
        const { status, stderr, error } = spawnSync(shell, ['-n', join(folder, 'macros.sh')], { encoding: 'utf8' });
        skipUnless(this, error === undefined, `${shell} is not installed`);
        expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      }
    });

    it('uploads every user and each group once, and never shows the password', async function () {
      skipUnless(this, existsSync('/proc/self/cmdline'), 'there is no /proc');
      await writeUsers(some);
      await prepare();
      const { result, seen } = await watchCommandLines(start(`${administrator}\n${password}\n`));
      expect(result.stderr).to.equal('');
      expect(result.stdout).to.contain('[1/4] G$1 A0\ngroup G$1: uploaded\nuser A0: uploaded\n[2/4] G$1 B$HOME0\n');
      expect(result.stdout).to.match(/\nUpload Ended: 4 of 4 users, 0 with failures\.\n$/);
      expect(result.code).to.equal(0);
      expect(places()).to.deep.equal(expectedOf(some));
      expect(portal.deviations).to.deep.equal([]);
      const lines = [...seen];
      expect(lines.filter((line) => line.includes(`macros\0upload\0`)).length).to.be.at.least(3);
      const output = readFileSync(join(folder, 'output.txt'), 'utf8');
      expect(output.match(/^> POST /gm)).to.have.length(7);
      for (const text of [...lines, output, result.stdout, result.stderr]) {
        for (const secret of ['canary-of-batches', Buffer.from(`${administrator}:${password}`).toString('base64')]) {
          expect(text).to.not.contain(secret);
        }
      }
    });

    it('uploads global once with --global, and deletes output.txt if the third line is y', async () => {
      await writeUsers(few);
      await prepare({}, '--global');
      expect((await start(`${administrator}\n${password}\ny\n`)).code).to.equal(0);
      expect(places()).to.deep.equal(['global: global', ...expectedOf(few)]);
      expect(existsSync(join(folder, 'output.txt'))).to.equal(false);
    });

    it('speaks of one user as of one', async () => {
      await writeUsers(few.slice(0, 1));
      await prepare();
      for (const file of ['macros.sh', 'macros.bat']) {
        expect(await readFile(join(folder, file), 'utf8'), file).to.include(' of 1 user and of their groups ');
      }
      const { stdout } = await start(`${administrator}\n${password}\n`);
      expect(stdout).to.match(/\nUpload Ended: 1 of 1 user, 0 with failures\.\n$/);
    });

    it('does the rest after a failure, and exits with 1', async () => {
      await writeUsers(few);
      await prepare();
      await rm(join(folder, "it's", 'B$HOME0'), { recursive: true });
      const { code, stdout, stderr } = await start(`${administrator}\n${password}\nn\n`);
      expect(stdout).to.match(/Upload Ended: 3 of 3 users, 1 with failures\.\n$/);
      expect(stderr).to.match(/^user B\$HOME0: failed: .*no such file\nFailures: G\$1\/B\$HOME0\n$/);
      expect(code).to.equal(1);
      expect(places()).to.deep.equal(expectedOf(few).filter((place) => !place.startsWith('user B$HOME0')));
      expect(existsSync(join(folder, 'output.txt'))).to.equal(true);
    });

    it('stops at a wrong password, before the address or the administrator is locked out', async () => {
      await prepare({ password: 'another' });
      const { code, stdout, stderr } = await start(`${administrator}\n${password}\n`);
      expect(stderr).to.contain('group G$1: failed: wrong user ID or password (HTTP 401)\n');
      expect(stderr).to.contain('Stopped: the other 11 users would fail, too.\n');
      expect(stdout).to.match(/Upload Ended: 1 of 12 users, 1 with failures\.\n$/);
      expect(code).to.equal(1);
      expect(portal.requests).to.have.length(1);
    });

    it('sends nothing without a user id or a password', async () => {
      await prepare();
      expect(await start('')).to.deep.equal({ code: 2, stdout: '', stderr: 'No user ID was given.\n' });
      const answer = await start(`${administrator}\n`);
      expect(answer).to.deep.equal({ code: 2, stdout: '', stderr: 'No password was given.\n' });
      expect(portal.requests).to.deep.equal([]);
    });

    it('calls the command that SALLYPORT names', async () => {
      await prepare();
      const command = join(folder, 'a command');
      await writeFile(command, `#!/bin/sh\nread -r word; echo "$word|$*"\n`, { mode: 0o755 });
      const { stdout } = await start('-root\np\n', { SALLYPORT: command });
      expect(stdout).to.contain(
        `[1/12] G$1 A0\np|macros upload --batch --password-stdin --output output.txt -- G$1 A0 N ${portal.address} user group it's -root 0\n`,
      );
    });

    it('asks on a terminal, without showing the password', async function () {
      needCommand(this, 'script');
      await writeUsers(few);
      await prepare({ password: 'sesAme12' });
      const { code, stdout } = await runOnTerminal('./macros.sh', folder, [
        ['User ID', `${administrator}\r`],
        ['Password', 'sesAme12\r'],
        ['Delete', 'y\r'],
      ]);
      expect(stdout).to.contain('User ID of the administrator: ').and.to.contain('Password: ');
      expect(stdout).to.contain('Delete output.txt? (y/N) ').and.to.not.contain('sesAme12');
      expect(code).to.equal(0);
      expect(places()).to.deep.equal(expectedOf(few));
      expect(existsSync(join(folder, 'output.txt'))).to.equal(false);
    });
  });

  describe('against a portal line', () => {
    let server: RunningServer;
    let address: string;
    let hash: string;
    before(async function () {
      skipUnless(this, process.platform !== 'win32', 'there is no POSIX shell');
      hash = await hashPassword(password, CHEAP_PASSWORDS);
    });

    beforeEach(async () => {
      await writeUsers(some);
      const users = await readFile(join(folder, 'users.yaml'), 'utf8');
      const signOn = `ADMIN: { role: administrator, password: "${hash}"`;
      await writeFile(join(folder, 'users.yaml'), users.replace('ADMIN: { role: administrator', signOn));
      const configuration = await readFile(join(folder, 'sallyport.yaml'), 'utf8');
      const line = 'C: { listen: "127.0.0.1:0", entryPoint: E, portal: administration }';
      await writeFile(
        join(folder, 'sallyport.yaml'),
        `macros: store\n${configuration.replace('C: { listen: :0, entryPoint: E }', line)}`,
      );
      server = await startServer((await loadConfiguration(join(folder, 'sallyport.yaml'))).configuration, silentLog);
      address = new URL(server.listeners[0]?.url ?? '').host;
      const places = [...groups.map((group) => `usergroup/${group}`), ...some.map(({ user }) => `user/${user}`)];
      await writeMacroFiles(folder, ['global', ...places]);
      expect((await generate('ALL', 'Y', address, '--global')).code).to.equal(0);
    });
    afterEach(() => server?.stop());

    it('uploads the macros of 3 groups and 4 users', async () => {
      const input = `${administrator}\n${password}\n`;
      const { code, stdout, stderr } = await run(join(folder, 'macros.sh'), [], { folder, input });
      expect(stderr).to.equal('');
      expect(stdout).to.match(/\nUpload Ended: 4 of 4 users, 0 with failures\.\n$/);
      expect(code).to.equal(0);
      const stored = readdirSync(join(folder, 'store'), { recursive: true, encoding: 'utf8' })
        .filter((name) => /^(global|group|user)\b.*macros\.json$/.test(name))
        .map((name) => JSON.parse(readFileSync(join(folder, 'store', name), 'utf8')).desc);
      expect(stored).to.have.members([
        'global',
        ...groups.map((group) => `usergroup/${group}`),
        ...some.map(({ user }) => `user/${user}`),
      ]);
      expect(readFileSync(join(folder, 'output.txt'), 'utf8')).to.not.contain('canary-of-batches');
    });

    it('says of a wrong password and a file of 1 MiB that the password is wrong', async () => {
      await writeFile(join(folder, 'global', 'macros.json'), '{"macros":[]}'.padEnd(1024 * 1024));
      const input = `${administrator}\nanother password\n`;
      const { code, stderr } = await run(join(folder, 'macros.sh'), [], { folder, input });
      expect(stderr).to.contain('global: failed: wrong user ID or password (HTTP 401)\n');
      expect(code).to.equal(1);
    });

    it('says why the server refuses a file', async () => {
      await writeFile(join(folder, 'user', 'A0', 'macros.json'), '{"macros":[{"name":7}]}');
      const args = ['G$1', 'A0', 'N', address, 'usergroup', 'user', administrator, '1'];
      const { code, stderr } = await macros(['upload', ...args], { folder, input: password });
      expect(stderr).to.match(/^user A0: failed: HTTP 4\d\d, RETURN CODE IS: 08: .*macros/);
      expect(code).to.equal(1);
    });
  });

  it('makes a list that upload --list takes', async () => {
    const { stdout } = await generate();
    await writeFile(join(folder, 'list.txt'), stdout);
    const portal = new PortalOfTheSpecification({
      ...{ administrator, password, groups },
      users: members.map(({ user }) => user),
    });
    await portal.start();
    await writeMacroFiles(folder, ['usergroup', 'user']);
    const args = ['--list', 'list.txt', '--password-stdin', 'N', portal.address, 'usergroup', 'user', administrator];
    const uploaded: Finished = await run(process.execPath, [main, 'macros', 'upload', ...args], {
      folder,
      input: password,
    });
    await portal.stop();
    expect(uploaded.code).to.equal(0);
    expect(portal.arrivals).to.have.length(15);
  });
});
