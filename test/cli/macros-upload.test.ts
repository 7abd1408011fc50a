import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { needCommand } from '../support/need.js';
import { projectFolder } from '../support/project.js';
import { macrosInProcess as macros } from './command-in-process.js';
import { macroText, writeMacroFiles } from './macro-folders.js';
import { macros as macrosProcess, main, run, runOnTerminal } from './macro-process.js';
import { PortalOfTheSpecification } from './portal-of-the-specification.js';
import { administrator, password, uploads } from './uploads.js';

describe('sallyport macros upload', () => {
  const here = uploads();
  const { serve, upload, output, places } = here;

  for (const keyIn of ['header', 'body', undefined] as const) {
    it(`posts global, group and user as specified, the key in ${keyIn ?? 'header and body'}`, async () => {
      const address = await serve(keyIn === undefined ? {} : { keyIn });
      await writeMacroFiles(here.folder, ['global', 'usergroup/SALES', 'user/ANNA']);
      const args = ['SALES', 'ANNA', 'Y', address, 'usergroup', 'user', administrator, '0'];
      const start = keyIn === undefined ? macrosProcess : macros;
      const input = `${password}\n`;
      const { code, stdout, stderr } = await start(['upload', '--password-stdin', ...args], {
        folder: here.folder,
        input,
      });
      expect(stderr).to.equal('');
      expect(stdout).to.equal('global: uploaded\ngroup SALES: uploaded\nuser ANNA: uploaded\n');
      expect(code).to.equal(0);
      expect(here.portal.deviations).to.deep.equal([]);
      expect(here.portal.arrivals).to.deep.equal([
        { directory: 'global', content: macroText('global') },
        { directory: 'group SALES', content: macroText('usergroup/SALES') },
        { directory: 'user ANNA', content: macroText('user/ANNA') },
      ]);
      const key = PortalOfTheSpecification.keyOf;
      expect(here.portal.requests).to.deep.equal([
        'POST /SECURE/upload.txt+uplglb1',
        'GET /SECURE/capabilityCode.json+USRCAP?GROUP=SALES',
        `POST /SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${key('SALES')}1`,
        'GET /SECURE/capabilityCode.json+USRCAP?USER=ANNA',
        `POST /SECURE/upload.txt+uplusr+x-Svc-user-Directory:${key('ANNA')}1`,
      ]);
    });
  }

  it('leaves the group out with flag 1, and global without Y', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['global', 'usergroup/SALES', 'user/ANNA']);
    await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator, '1']);
    expect(places()).to.deep.equal(['user ANNA: user/ANNA']);
  });

  it('takes names with every character that names may have', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['usergroup/G$1', 'user/C#@_.-9']);
    const { code } = await upload(['G$1', 'C#@_.-9', 'n', `http://${address}`, 'usergroup', 'user', administrator]);
    expect(code).to.equal(0);
    expect(places()).to.deep.equal(['group G$1: usergroup/G$1', 'user C#@_.-9: user/C#@_.-9']);
  });

  it('uses macros.json of the sub-directory itself if it has no folder of the name (rule 5)', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['base/teams/common', 'base/people', 'base/people/BERT']);
    const end = ['N', address, 'teams/common', 'people', administrator];
    await upload(['--base', 'base', 'SALES', 'ANNA', ...end]);
    await upload(['--base', 'base', 'SALES', 'BERT', ...end, '1']);
    expect(places()).to.deep.equal([
      'group SALES: base/teams/common',
      'user ANNA: base/people',
      'user BERT: base/people/BERT',
    ]);
  });

  it('with --list posts each group once, whatever its case, and all the users', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['global', 'usergroup', 'user']);
    await writeFile(join(here.folder, 'users.txt'), '\ufeffSALES ANNA\r\nsales BERT\n\n G$1\tC#@_.-9 \nSALES SALES');
    const { code, stdout, stderr } = await upload([
      ...['--list', 'users.txt', 'Y', address, 'usergroup', 'user', administrator],
    ]);
    expect(stderr.split('\n')).to.deep.equal([
      '1/7 global: uploaded',
      '2/7 group SALES: uploaded',
      '3/7 user ANNA: uploaded',
      '4/7 user BERT: uploaded',
      '5/7 group G$1: uploaded',
      '6/7 user C#@_.-9: uploaded',
      '7/7 user SALES: uploaded',
      '',
    ]);
    expect(stdout).to.equal('Upload ended: 7 uploaded, 0 failed. Details: output.txt\n');
    expect(code).to.equal(0);
    expect(here.portal.deviations).to.deep.equal([]);
  });

  it('reads the list from standard input and the password from SALLYPORT_PASSWORD', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    const args = ['upload', '--list', '-', 'N', address, 'usergroup', 'user', administrator];
    const environment = { SALLYPORT_PASSWORD: password };
    const { code } = await macrosProcess(args, { folder: here.folder, input: 'SALES ANNA\nSALES BERT\n', environment });
    expect(code).to.equal(0);
    expect(here.portal.arrivals).to.have.length(3);
    expect((await macros(args, { folder: here.folder, input: 'SALES ANNA\n' })).code).to.equal(2);
  });

  it('asks for the user id and the password that are not given: lines of standard input', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    const args = ['upload', 'SALES', 'ANNA', 'N', address];
    expect((await macros(args, { folder: here.folder, input: `${administrator}\r\n${password}` })).code).to.equal(0);
    const { code, stderr } = await macros(args, { folder: here.folder, input: `${administrator}\n` });
    expect(stderr).to.match(/^error: Password: standard input ended before an answer was given\n/);
    expect(code).to.equal(2);
  });

  it('asks for the password on a terminal without showing it', async function () {
    needCommand(this, 'script');
    const address = await serve({ password: 'secrEt12' });
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    const command = `${process.execPath} ${main} macros upload SALES ANNA N ${address}`;
    const { code, stdout } = await runOnTerminal(command, here.folder, [
      ['User ID', `${administrator}\r`],
      ['Password', 'secrXY\u007f\u007f\u001b[DEt1\u001b2\r'],
    ]);
    expect(stdout).to.contain('Password: ');
    expect(stdout).to.contain('user ANNA: uploaded');
    expect(stdout).to.not.match(/secr|Et1/);
    expect(code).to.equal(0);
  });

  it('ends with 130 at Ctrl+C', async function () {
    needCommand(this, 'script');
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    const command = `${process.execPath} ${main} macros upload SALES ANNA N 127.0.0.1:9 usergroup user ADMIN`;
    expect((await runOnTerminal(command, here.folder, [['Password', 'se\u0003']])).code).to.equal(130);
  });

  it('appends the transcript to output.txt, readable by the owner, without the password', async () => {
    const address = await serve({
      instead: (request, response) => {
        if (request.method === 'GET') return false;
        const echo = request.headers.authorization ?? '';
        const decoded = Buffer.from(echo.slice(6), 'base64').toString();
        response.end(`RETURN CODE IS: 00\r\n${echo}\r\n${decoded}\r\n\u001b[2Jend`);
        return true;
      },
    });
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    await writeFile(join(here.folder, 'output.txt'), 'before\n', { mode: 0o600 });
    const { stdout, stderr } = await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator]);
    const said = output();
    expect(said).to.match(/^before\n\* \d{4}-.*Z http:\/\/127\.0\.0\.1:\d+\n> GET \/SECURE\/capabilityCode\.json/);
    expect(said).to.contain('\n> POST /SECURE/upload.txt+uplusr+x-Svc-user-Directory:');
    expect(said).to.match(/\n< HTTP\/1\.1 200 OK\n< X-SVC-GROUP-DIRECTORY: Key-/);
    expect(said).to.contain('RETURN CODE IS: 00\nBasic ***\n***\n\\u001b[2Jend\n');
    expect(statSync(join(here.folder, 'output.txt')).mode & 0o777).to.equal(0o600);
    for (const secret of [password, Buffer.from(`${administrator}:${password}`).toString('base64')]) {
      expect(said + stdout + stderr).to.not.contain(secret);
    }
  });

  const call = ['SALES', 'ANNA', 'N', '127.0.0.1:9', 'usergroup', 'user', administrator];
  const wrong: readonly [string[], RegExp][] = [
    [['SALES'], /missing arguments: expected GROUP and USER, or --list FILE/],
    [['../etc', 'ANNA'], /"\.\.\/etc" is not a valid group name/],
    [['SALES', 'a'.repeat(65)], /is not a valid user ID: expected 1 to 64/],
    [['SALES', 'ANNA', 'J'], /the global option is Y or N, found "J"/],
    [['SALES', 'ANNA', 'N', 'ftp://host'], /the server is malformed: expected HOST, HOST:PORT/],
    [['SALES', 'ANNA', 'N', 'user:word@host'], /the server is malformed/],
    [['SALES', 'ANNA', 'N', 'host:65536'], /the server is malformed/],
    [['SALES', 'ANNA', 'N', 'host', '../up'], /\.\.\/up is not below \./],
    [['SALES', 'ANNA', 'N', 'host', 'a', '/etc'], /\/etc is not below \./],
    [[...call, 'canary'], /^error: the flag is 0 or 1\n/],
    [[...call, 'canary', '0'], /^error: the password is given twice: with --password-stdin, and as an argument\n/],
    [[...call, 'canary', 'canary'], /^error: (?:the flag is 0 or 1|the password is given twice)/],
    [[...call, 'canary', '0', 'canary'], /^error: too many arguments: FLAG is the last\n/],
    [['--list', 'absent.txt'], /--list: absent\.txt: cannot be read: no such file/],
    [['--ca', 'absent.pem', ...call], /--ca: the file absent\.pem cannot be read/],
    [['--timeout', '0', ...call], /expected seconds, more than 0 and at most 3600/],
    [['--colour', ...call], /unknown option '--colour'/],
  ];
  for (const [args, words] of wrong) {
    it(`exits with 2 for: ${args.join(' ').slice(0, 80)}`, async () => {
      const { code, stdout, stderr } = await upload(args);
      expect(stderr).to.match(words).and.to.not.contain('canary');
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }

  it('accepts the nine arguments of the specification, including the password, and warns about process lists', async () => {
    const address = await serve();
    await writeMacroFiles(here.folder, ['usergroup/SALES', 'user/ANNA']);
    const nine = ['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator, password, '0'];
    const { code, stdout, stderr } = await macros(['upload', ...nine], { folder: here.folder, input: '' });
    expect(stdout).to.equal('group SALES: uploaded\nuser ANNA: uploaded\n');
    expect(stderr).to.match(/^warning: .* list of processes: use --password-stdin, or SALLYPORT_PASSWORD\n$/);
    expect(code).to.equal(0);
    expect(output() + stderr).to.not.include(password);
    const flagged = await macros(['upload', ...nine.slice(0, 8), '1'], { folder: here.folder, input: '' });
    expect(flagged.stdout).to.equal('user ANNA: uploaded\n');
    const wrong = await macros(['upload', ...nine.slice(0, 7), 'no-such-password', '0'], {
      folder: here.folder,
      input: '',
    });
    expect([wrong.code, wrong.stdout]).to.deep.equal([1, '']);
    expect(wrong.stderr).to.include('wrong user ID or password').and.not.include('no-such-password');
  });

  it('exits with 2 for batch files where each further call would fail, too', async () => {
    const address = await serve();
    await here.portal.stop();
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    const args = ['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator];
    expect((await upload(args)).code).to.equal(1);
    const batch = ['upload', '--password-stdin', '--batch', ...args];
    expect((await macrosProcess(batch, { folder: here.folder, input: `${password}\n` })).code).to.equal(2);
  });

  it('names the line of a list that is wrong', async () => {
    await writeFile(join(here.folder, 'users.txt'), 'SALES ANNA\nSALES\n');
    const { code, stderr } = await upload(['--list', 'users.txt']);
    expect(stderr).to.match(/--list: users\.txt:2: expected GROUP USER, found "SALES"/);
    expect(code).to.equal(2);
  });

  it('does with curl what docs/run/macro-upload.md says', async function () {
    needCommand(this, 'curl');
    const guide = readFileSync(join(projectFolder, 'docs', 'run', 'macro-upload.md'), 'utf8');
    const script = guide.split('```sh\n').at(-1)?.split('```')[0] ?? '';
    const keyIn = ['header', 'body'] as const;
    for (const place of keyIn) {
      const address = await serve({ keyIn: place });
      await writeMacroFiles(here.folder, ['global', 'usergroup/SALES', 'user/ANNA']);
      await writeFile(join(here.folder, 'curl.sh'), script.replace('127.0.0.1:41001', address));
      const { stdout, stderr } = await run('/bin/sh', ['curl.sh'], { folder: here.folder, input: `${password}\n` });
      expect(stderr).to.equal('Password: \n');
      expect(stdout.match(/^RETURN CODE IS: 00\r$/gm)).to.have.length(3);
      expect(places()).to.deep.equal(['global: global', 'group SALES: usergroup/SALES', 'user ANNA: user/ANNA']);
      await here.portal.stop();
    }
  });
});
