import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { fixture, projectFolder } from '../support/project.js';
import { sallyportInProcess } from './command-in-process.js';

const configuration = join(projectFolder, 'sallyport.yaml');
const shipped = (name: string) => join(projectFolder, 'templates', 'services', `${name}.yaml`);

/** With the password of the simulated host's user on standard input. */
function trying(name: string, words: readonly string[], password = 'demo', file = shipped(name)) {
  const args = ['service', 'try', file, ...words, '--config', configuration];
  return sallyportInProcess(args, { input: `${password}\n` });
}

describe('sallyport service try', () => {
  const signedOn = ['--sign-on', 'sign-on', 'user=DEMO'];

  it('walks a service in a session of its own, tells each step, and prints the answer', async () => {
    const { code, stdout, stderr } = await trying('account-inquiry', ['account=10000001', ...signedOn]);
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ name: 'ADA LOVELACE', balance: '12540.75' });
    expect(stderr).to.equal(
      [
        'sign-on',
        '  step 1: SIGN-ON (fill in "Userid", "Password"; press Enter)',
        'account-inquiry',
        '  step 1: MENU (type; press Enter)',
        '  step 2: ACCT (fill in "Account number"; press Enter)',
        '  step 3: ACCOUNT (read name, balance)',
        '',
      ].join('\n'),
    );
  });

  it('tells which file a step sends or receives, and nothing of what is in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-service-try-'));
    cpSync(dirname(shipped('sign-on')), folder, { recursive: true });
    const file = join(folder, 'orders.yaml');
    writeFileSync(
      file,
      `service: orders
pool: ACCOUNTS
parameters: { orders: { type: file } }
steps:
  - { at: MENU, type: T, press: Enter, expect: READY }
  - { at: READY, transfer: { direction: send, file: ORDERS.TEXT, contents: orders } }
  - { at: READY, transfer: { direction: receive, file: ORDERS.TEXT, contents: report } }
`,
    );
    appendFileSync(join(folder, 'screens.yaml'), '  READY: [{ text: READY }]\n');
    const { code, stdout, stderr } = await trying('', ['orders=ten of each', ...signedOn], 'demo', file);
    rmSync(folder, { recursive: true });
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ report: 'ten of each' });
    expect(stderr)
      .to.contain('  step 2: READY (send the file orders)\n  step 3: READY (receive the file report)\n')
      .and.not.contain('ten of each');
  });

  it('asks for a secret that may be left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-service-try-'));
    cpSync(dirname(shipped('sign-on')), folder, { recursive: true });
    const file = join(folder, 'account-inquiry.yaml');
    const text = readFileSync(file, 'utf8').replace('account: { type: string,', '$& secret: true, required: false,');
    writeFileSync(file, text.replace(/message: .*\}\n/, "message: '' }\n"));
    const { code, stdout, stderr } = await trying('', signedOn, 'demo\n10000001', file);
    rmSync(folder, { recursive: true });
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.have.property('balance', '12540.75');
  });

  it('tells an outcome, and exits with 1', async () => {
    const { code, stdout, stderr } = await trying('account-inquiry', ['account=10000009', ...signedOn]);
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/404 account-not-found: There is no account 10000009\.\n$/);
  });

  it('shows the screen where a guard fails, with asterisks where a secret is displayed', async () => {
    // one that knows no screen but MENU
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-service-try-'));
    cpSync(dirname(shipped('sign-on')), folder, { recursive: true });
    const file = join(folder, 'sign-on.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/ {4}outcomes:[\s\S]*/, ''));
    // the host displays the user id, of which this password is a part
    const { code, stderr } = await trying('sign-on', ['user=DEMO'], 'EMO', file);
    rmSync(folder, { recursive: true });
    expect(code).to.equal(1);
    expect(stderr).to.contain('step 1: the host shows none of MENU');
    expect(stderr).to.contain('MENU: "MENU" at row 1, column 2: there is "SIGN"');
    expect(stderr)
      .to.match(/\| +Userid {2}\. \. \. \. {2}D\*\*\* +\|/)
      .and.contain('| Userid or password is not valid');
    expect(stderr).not.to.contain('EMO');
  });

  for (const [what, name, words, said] of [
    [
      'a parameter that is wrong',
      'account-inquiry',
      ['account=1', ...signedOn],
      /account-inquiry \/account: Expected text/,
    ],
    ['one that is missing', 'account-inquiry', signedOn, /account-inquiry \/account: It is missing/],
    ['one that there is not', 'account-inquiry', ['acount=1'], /there is no parameter acount/],
    ['one twice', 'account-inquiry', ['account=1', 'account=2'], /the parameter account occurs more than once/],
    ['one without a value', 'account-inquiry', ['account'], /expected NAME=VALUE/],
    [
      'a secret on the command line',
      'sign-on',
      ['user=DEMO', 'password=s3cret'],
      /password is secret, and other users can see/,
    ],
    ['a host that there is not', 'sign-off', ['--host', 'SIMM'], /there is no host SIMM \(did you mean "SIM"\?\)/],
    [
      'a service to sign on that there is not',
      'sign-off',
      ['--sign-on', 'signon'],
      /no service signon \(did you mean "sign-on"/,
    ],
    ['a file that there is not', 'absent', [], /absent\.yaml: there is no such service file/],
  ] as const) {
    it(`refuses ${what}, and exits with 2`, async () => {
      const { code, stdout, stderr } = await trying(name, words);
      expect([code, stdout], stderr).to.deep.equal([2, '']);
      expect(stderr).to.match(said).and.not.contain('s3cret');
    });
  }

  it('shows what is wrong with the file', async () => {
    const file = fixture('services', 'step-press', 'service.yaml');
    const { code, stderr } = await sallyportInProcess(['service', 'try', file, '--config', configuration]);
    expect(code).to.equal(2);
    expect(stderr)
      .to.contain('service.yaml:3:21: error: steps.0.press')
      .and.match(/service\.yaml: 2 errors\n$/);
  });
});
