import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { SallyportProcess } from './sallyport-process.js';

/** A service whose unit has WatchdogSec (sd_watchdog_enabled(3)); a script in the place of systemd-notify writes down each message. */
describe('the watchdog of systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-watchdog-'));
  const told = join(folder, 'told');
  const programs = join(folder, 'programs');
  const { env } = process;
  let server: SallyportProcess;

  beforeEach(() => {
    mkdirSync(programs);
    writeFileSync(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
  });
  afterEach(async () => {
    process.env = env;
    server.child.kill('SIGTERM');
    await server.finished;
    rmSync(programs, { recursive: true });
    rmSync(told, { force: true });
  });
  after(() => rmSync(folder, { recursive: true }));

  async function start(settings: string, variables: NodeJS.ProcessEnv, script: string): Promise<void> {
    const program = join(programs, 'systemd-notify');
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `directories: { CLI: . }
${settings}
lines: { A-HTTP: { listen: '127.0.0.1:0', entryPoint: E } }
entryPoints: { E: { directory: CLI } }
`,
    );
    process.env = { ...env, PATH: `${programs}:${env.PATH}`, NOTIFY_SOCKET: join(folder, 'socket'), ...variables };
    server = new SallyportProcess(['serve', '--log-form', 'json'], folder);
    await server.prints(/^A-HTTP +http/m);
  }

  const tells = `echo "$@ $PPID" >> ${told}`;
  const messages = () => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []);

  for (const settings of ['', 'processes: 2']) {
    it(`hears from the process that systemd has started, and from no other: ${settings || 'one process'}`, async () => {
      await start(settings, { WATCHDOG_USEC: '300000' }, tells);
      await eventually(() => messages().length >= 6 || undefined);
      expect([...new Set(messages())]).to.deep.equal([`WATCHDOG=1 ${server.child.pid}`]);
    });
  }

  it('hears nothing from a process that it does not watch', async () => {
    await start('', { WATCHDOG_USEC: '300000', WATCHDOG_PID: '1' }, tells);
    expect(messages()).to.deep.equal([]);
  });

  it('that cannot be told is named in the log, once', async () => {
    await start('', { WATCHDOG_USEC: '30000' }, `${tells}; exit 3`);
    await eventually(() => messages().length >= 6 || undefined);
    const lines = server.stdout.split('\n').filter((line) => line.includes('systemd cannot be notified'));
    expect(lines.map((line) => (JSON.parse(line) as { reason: string }).reason)).to.deep.equal([
      'systemd-notify: exit code 3',
    ]);
  });
});
