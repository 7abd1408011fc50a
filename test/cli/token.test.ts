import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/project.js';
import { sallyportInProcess } from './command-in-process.js';
import { main, run } from './macro-process.js';

describe('sallyport token', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-token-'));
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      'directories: { CLI: . }\nlines:\n  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E }\nentryPoints: { E: { directory: CLI } }\n',
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const sallyport = (words: string) => sallyportInProcess(words.split(' '), { folder });
  const kept = (name: string) => readFileSync(join(folder, 'data', name), 'utf8');

  it('adds, lists and revokes, writes all of it down, and keeps no token anywhere', async () => {
    const words = ['token', 'add', 'billing', '--scope', 'services:account-inquiry', '--scope', 'sessions'];
    const added = await run(process.execPath, [main, ...words, '--expires', '30d'], { folder, input: '' });
    expect(added.code).to.equal(0);
    expect(added.stderr).to.equal('Token billing added. It is shown only once:\n');
    const token = added.stdout.trim();
    expect(token).to.match(/^sallyport_[A-Za-z0-9_-]{43}$/);
    const [line = ''] = (await sallyport('token list --json')).stdout.split('\n');
    const listed = JSON.parse(line) as { created: string; expires: string };
    expect(listed).to.deep.include({ name: 'billing', scopes: ['services:account-inquiry', 'sessions'] });
    expect(Date.parse(listed.expires) - Date.parse(listed.created)).to.equal(30 * 86_400_000);
    expect((await sallyport('token list')).stdout).to.match(
      /^billing +services:account-inquiry,sessions +until .*, never used\n$/,
    );
    expect(await sallyport('token revoke BILLING --yes')).to.include({ code: 0, stdout: 'Token BILLING revoked.\n' });
    const trail = kept('audit.jsonl');
    const done = trail
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { what: string; subject: string; stage: string })
      .filter(({ stage }) => stage === 'done');
    expect(done.map(({ what, subject }) => `${what} ${subject}`)).to.deep.equal([
      'token.added token billing',
      'token.revoked token billing',
    ]);
    expect(`${trail}${kept('tokens.json')}`).to.not.include(token.slice(10));
  });

  it('refuses names, scopes and times at their bounds', async () => {
    const refused: readonly (readonly [string, number, string])[] = [
      ['token add two/words --scope sessions', 1, '"two/words" is not a valid token name.'],
      ['token add a', 2, 'expected --scope'],
      ['token add a --scope service', 1, '"service" is not a valid scope'],
      ['token add a --scope services:', 1, 'is not a valid scope'],
      ['token add a --scope sessions --expires 0d', 2, 'expected 1d to 3650d'],
      ['token add a --scope sessions --expires 3651d', 2, 'expected 1d to 3650d'],
      [`token add a${' --scope sessions'.repeat(101)}`, 1, 'at most 100 scopes'],
      ['token revoke nobody --yes', 1, 'There is no token nobody.'],
      ['token revoke nobody', 2, 'use --yes to confirm'],
    ];
    for (const [words, code, text] of refused) {
      const finished = await sallyport(words);
      expect([finished.code, finished.stdout], words).to.deep.equal([code, '']);
      expect(finished.stderr, words).to.include(text);
    }
    expect((await sallyport('token add most --scope sessions --expires 3650d')).code).to.equal(0);
    expect((await sallyport('token add Most --scope sessions')).stderr).to.equal('The token most already exists.\n');
  });

  it('is added and listed where the passwords of pools are not: the server alone has them', async () => {
    const file = join(folder, 'pooled.yaml');
    const signOn = 'most: 2, signOn: sign-on, home: MENU, returnHome: [PF3]';
    writeFileSync(
      file,
      `${readFileSync(join(folder, 'sallyport.yaml'), 'utf8')}hosts: { SIM: { simulated: true } }
services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, users: [{ user: A, password: { env: SALLYPORT_TEST_UNSET } }, { user: B, password: { file: ./gone } }], ${signOn} }
`,
    );
    const added = await sallyport(`token add pooled --scope sessions --config ${file}`);
    expect([added.code, added.stderr]).to.deep.equal([0, 'Token pooled added. It is shown only once:\n']);
    expect((await sallyport(`token list --config ${file}`)).stdout).to.include('pooled');
    const checked = await sallyport(`check-config ${file}`);
    expect(checked.code).to.equal(2);
    expect(checked.stderr).to.include('"SALLYPORT_TEST_UNSET" is not set').and.include('2 errors');
  });

  it('does nothing that cannot be put on record', async () => {
    writeFileSync(join(folder, 'data', 'audit.jsonl'), 'broken\n');
    const before = kept('tokens.json');
    expect((await sallyport('token add later --scope sessions')).code).to.equal(1);
    expect((await sallyport('token revoke most --yes')).code).to.equal(1);
    expect(kept('tokens.json')).to.equal(before);
  });
});
