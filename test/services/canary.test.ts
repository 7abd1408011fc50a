import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Application } from '../../src/demo/simulated-host/application.js';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { eventually } from '../support/eventually.js';
import { commandScript, fixture } from '../support/project.js';
import { HEAP_SIGNAL, heapOnSignal, wholeSnapshot } from '../support/watched-server.js';
import { HostedServices, servicesFolder } from './hosted-services.js';

/** Eight characters, as the host takes no more; not to be met anywhere by chance. */
const canaries = { environment: 'yV5qJt2p', file: 'wB8nLc4r', text: 'kH3fZs6d' };

/** Passwords of pools are typed by the server itself, again and again: it has them as long as it runs. */
describe('canary: passwords of pools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pool-canary-'));
  let host: SimulatedHost;
  let server: ChildProcess;
  let output = '';

  before(async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const users = { ENV: canaries.environment, FILE: canaries.file, TEXT: 'another' };
    host = new SimulatedHost({ codePage, users, start: 'SIGNON' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    writeFileSync(join(folder, 'password'), `${canaries.file}\n`);
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(
      file,
      `data: ./data
directories: { CLI-DIR: '${fixture('session-pages')}' }
hosts: { HOST: { address: '127.0.0.1:${port}' } }
services: '${servicesFolder}'
pools:
  ACCOUNTS:
    host: HOST
    ready: 3
    most: 3
    users:
      - { user: TEXT, password: ${canaries.text} }
      - { user: ENV, password: { env: SALLYPORT_TEST_CANARY } }
      - { user: FILE, password: { file: ./password } }
    signOn: sign-on
    home: MENU
log: { level: trace, form: json }
sessions: { keysReady: 1 }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI } }
entryPoints: { CLI: { directory: CLI-DIR } }
`,
    );
    const main = commandScript;
    const words = [...heapOnSignal, main, 'serve', '--config', file];
    server = spawn(process.execPath, words, {
      cwd: folder,
      env: { ...process.env, SALLYPORT_TEST_CANARY: canaries.environment },
    });
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
  });

  after(async () => {
    server?.kill();
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are in no log and no string of the memory, whether the host takes them or not', async function () {
    this.timeout(120_000);
    await eventually(() => (output.includes('no further sign-on is attempted') ? true : undefined));
    await eventually(() => (host.sessions === 2 ? true : undefined));
    server.kill(HEAP_SIGNAL);
    const snapshot = await eventually(() => {
      const name = readdirSync(folder).find((one) => one.endsWith('.heapsnapshot'));
      return name === undefined ? undefined : wholeSnapshot(join(folder, name));
    });
    // strings of the heap are there to be found
    expect(snapshot).to.include('no further sign-on is attempted');
    for (const [where, canary] of Object.entries(canaries)) {
      expect(output, `log, ${where}`).to.not.include(canary);
      // a password that stands in the configuration is in the text of the configuration, of which a start warns
      if (where !== 'text') expect(snapshot, `memory, ${where}`).to.not.include(canary);
    }
  });
});

describe('canary: secret parameters of services', () => {
  const secret = 'qX7mRd9k';
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-secret-'));
  const started: HostedServices[] = [];

  before(() => {
    writeFileSync(
      join(folder, 'screens.yaml'),
      `screens:
  SIGN-ON: [{ text: SIGNON, row: 1, column: 2 }]
  SIGN-ON-WRONG: [{ text: not valid, row: 22 }]
  SIGN-ON-REVOKED: [{ text: revoked, row: 22 }]
  MENU: [{ text: MENU, row: 1, column: 2 }]
  ECHO: [{ text: ECHO, row: 1, column: 2 }]
  NEVER: [{ text: NEVER, row: 1, column: 2 }, { text: NO, row: 3 }]
`,
    );
    for (const name of ['sign-on', 'sign-off']) {
      writeFileSync(join(folder, `${name}.yaml`), readFileSync(join(servicesFolder, `${name}.yaml`)));
    }
    writeFileSync(
      join(folder, 'echo.yaml'),
      `service: echo
pool: ACCOUNTS
parameters: { code: { type: string, secret: true } }
steps:
  - { at: MENU, type: '{code}', press: Enter, within: 0.5, expect: NEVER }
`,
    );
    writeFileSync(
      join(folder, 'give.yaml'),
      `service: give
pool: ACCOUNTS
parameters: { code: { type: string, secret: true }, further: { type: string, secret: true, required: false } }
steps:
  - { at: ECHO, optional: true, type: '{further}', press: Enter, expect: MENU }
  - { at: MENU, type: '{code}', press: Enter, expect: MENU }
`,
    );
    writeFileSync(
      join(folder, 'look.yaml'),
      `service: look
pool: ACCOUNTS
steps:
  - { at: MENU, press: PF1, within: 0.2, expect: NEVER }
`,
    );
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const hosted of started.splice(0)) await hosted.stop(0);
  });

  it('are masked where the host displays them, in whatever case, and over the end of a row', async () => {
    const applications: Record<string, Application> = {
      MENU: async (terminal) => {
        const panel = terminal.panel().text(1, 2, 'MENU').input('option', 3, 14, { length: 8 });
        const { fields } = await terminal.show(panel);
        const typed = fields.option ?? '';
        const echo = terminal
          .panel()
          .text(1, 2, 'ECHO')
          .text(3, 2, `You typed ${typed}`)
          .text(4, 2, typed.toUpperCase())
          .text(5, 76, typed)
          .text(7, 2, `Cut ${typed.slice(0, 5)} ${typed.slice(4)}.`)
          .input('same', 6, 2, { length: 8, value: typed });
        await terminal.show(echo);
        return 'MENU';
      },
    };
    const hosted = await HostedServices.start({ host: { applications }, pool: { ready: 0 }, folder });
    started.push(hosted);
    const outcome = await hosted.call('echo', { code: secret });
    if (outcome.kind !== 'failed' || outcome.failure.kind !== 'guardFailed') throw new Error(outcome.kind);
    const { image, differs } = outcome.failure;
    expect(image.cells.slice(160, 240).join('').trimEnd()).to.equal(' You typed ********');
    expect(image.cells.slice(240, 320).join('').trim()).to.equal('********');
    expect(image.cells.slice(480, 560).join('').trimEnd()).to.equal(' Cut ***** ****.');
    expect(differs[0]?.differs[1]).to.include('You typed ********');
    expect(outcome.withholdsScreen).to.equal(true);
    const told = JSON.stringify([outcome, image.cells.join(''), hosted.log]).toLowerCase();
    expect(told).to.not.include(secret.toLowerCase());
  });

  it('are masked on screens that a later call of the session is shown; none is, where there were too many', async () => {
    let last = '';
    const applications: Record<string, Application> = {
      MENU: async (terminal) => {
        const panel = terminal.panel().text(1, 2, 'MENU').text(3, 2, `Last time ${last}`);
        const { fields } = await terminal.show(panel.input('option', 5, 14, { length: 8 }));
        last = fields.option || last;
        return 'MENU';
      },
    };
    const look = async (rest: number) => {
      const hosted = await HostedServices.start({ host: { applications }, pool: { ready: 1, most: 1 }, folder });
      started.push(hosted);
      for (const further of ['-'.repeat(4_000), '+'.repeat(4_000), '='.repeat(rest)]) {
        expect((await hosted.call('give', { code: secret, further })).kind).to.equal('done');
      }
      const outcome = await hosted.call('look', {});
      if (outcome.kind !== 'failed' || outcome.failure.kind !== 'guardFailed') throw new Error(outcome.kind);
      const { image, differs } = outcome.failure;
      expect(image.cells.slice(160, 240).join('').trimEnd()).to.equal(' Last time ********');
      expect(JSON.stringify([differs, hosted.log]).toLowerCase()).to.not.include(secret.toLowerCase());
      return outcome.withholdsScreen ?? false;
    };
    expect(await look(192 - secret.length)).to.equal(false);
    expect(await look(193 - secret.length)).to.equal(true);
  });
});
