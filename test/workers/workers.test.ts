import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';

interface Report {
  readonly status: string;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly detail?: string }[];
}

/** `sallyport serve` with two workers and nothing that is kept. */
describe('several processes on one machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-workers-'));
  const file = join(folder, 'sallyport.yaml');
  let management = '';
  let server: SallyportProcess;
  let url = '';

  before(async function () {
    skipUnless(this, process.platform === 'linux', 'pgrep lists the workers');
    const port = createServer().listen(0, '127.0.0.1');
    await once(port, 'listening');
    management = `127.0.0.1:${(port.address() as AddressInfo).port}`;
    await once(port.close(), 'close');
    writeFileSync(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
    configure('');
    server = new SallyportProcess(['serve', '--config', file], folder);
    [, url = ''] = await server.prints(/^A-HTTP +(http:\/\/127\.0\.0\.1:\d+)/m);
  });
  after(() => {
    server.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  function configure(lines: string): void {
    writeFileSync(
      file,
      `directories: { CLI: . }
processes: 2
cluster: { node: a }
sessions: { keysReady: 0 }
management: { listen: '${management}' }
lines:
  A-HTTP: { listen: '127.0.0.1:0', entryPoint: E }
${lines}
entryPoints: { E: { directory: CLI } }
`,
    );
  }

  const workers = (parent: SallyportProcess) =>
    spawnSync('pgrep', ['-P', String(parent.child.pid)], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
      .filter((pid) => pid !== '')
      .map(Number);
  const health = async (path = '/health') => (await (await fetch(`http://${management}${path}`)).json()) as Report;
  const metrics = async () => (await fetch(`http://${management}/metrics`)).text();
  const valuesOf = (text: string, metric: RegExp) =>
    [...text.matchAll(new RegExp(`^${metric.source} (\\S+)$`, 'gm'))].map(([, ...found]) => found);
  const ask = async () => {
    const { status } = await fetch(url, { headers: { Connection: 'close' } });
    return status;
  };
  const isUp = async () => ((await health()).status === 'UP' ? true : undefined);
  const logged = (words: string) => server.stdout.split('\n').filter((line) => line.includes(words));

  it('share the port of a line, in turn; the management port answers for all of them, and the log says which', async () => {
    expect(workers(server)).to.have.length(2);
    for (let asked = 0; asked < 4; asked++) expect(await ask()).to.equal(200);
    const counted = valuesOf(await metrics(), /sallyport_requests_total\{.*worker="(\w+)"\}/);
    expect(counted).to.deep.equal([
      ['a1', '2'],
      ['a2', '2'],
    ]);
    expect(await health()).to.deep.equal({
      status: 'UP',
      checks: ['server', 'worker a1', 'worker a2'].map((name) => ({ name, status: 'UP' })),
    });
    expect((await health('/health/started')).status).to.equal('UP');
    const requests = await eventually(() =>
      logged('"msg":"request"').length === 4 ? logged('"msg":"request"') : undefined,
    );
    expect(requests.map((line) => JSON.parse(line).worker).sort()).to.deep.equal(['a1', 'a1', 'a2', 'a2']);
  });

  it('have a metric written once, with what all of them have to say of it', async () => {
    const text = await metrics();
    expect(text.match(/^# TYPE sallyport_requests_total counter$/gm)).to.have.length(1);
    expect(valuesOf(text, /sallyport_worker_up\{worker="(\w+)"\}/)).to.deep.equal([
      ['a1', '1'],
      ['a2', '1'],
    ]);
  });

  it('go on when one dies, which is started again', async () => {
    const [first = 0] = workers(server);
    process.kill(first, 'SIGKILL');
    await eventually(() => (workers(server).includes(first) ? undefined : true));
    const { status, checks } = await health('/health/ready');
    expect([status, checks.map((check) => check.status)]).to.deep.equal(['UP', ['UP', 'DOWN', 'UP']]);
    expect((await health()).status).to.equal('DOWN');
    expect(await ask()).to.equal(200);
    await eventually(isUp);
    expect(valuesOf(await metrics(), /sallyport_worker_restarts\{worker="(\w+)"\}/)).to.deep.equal([
      ['a1', '1'],
      ['a2', '0'],
    ]);
    expect(logged('the worker died, and is started again')).to.have.length(1);
  });

  it('all read the configuration again on SIGHUP', async () => {
    configure("  B-HTTP: { listen: '127.0.0.1:0', entryPoint: E }");
    server.child.kill('SIGHUP');
    await eventually(() => (logged('the configuration was read again').length === 2 ? true : undefined));
    const listening = await eventually(() => {
      const lines = logged('"msg":"line listening"').filter((line) => line.includes('B-HTTP'));
      return lines.length === 2 ? lines.map((line) => JSON.parse(line)) : undefined;
    });
    expect(new Set(listening.map((line) => line.url))).to.have.length(1);
    expect((await fetch(listening[0].url)).status).to.equal(200);
  });

  it('are started anew one after the other on SIGUSR2, and none refuses a request', async () => {
    const before = workers(server);
    server.child.kill('SIGUSR2');
    let most = 0;
    await eventually(async () => {
      const { status, checks } = await health('/health/ready');
      expect(status).to.equal('UP');
      most = Math.max(most, checks.filter((check) => check.status === 'DOWN').length);
      expect(await ask()).to.equal(200);
      return server.stdout.includes('all workers were restarted') ? true : undefined;
    });
    expect(most).to.equal(1);
    expect(workers(server).filter((pid) => before.includes(pid))).to.deep.equal([]);
  });

  it('are not restarted for a configuration that is wrong', async () => {
    const before = workers(server);
    writeFileSync(file, 'nothing: here\n');
    server.child.kill('SIGUSR2');
    await eventually(() =>
      server.stdout.includes('no worker is restarted: the configuration is wrong') ? true : undefined,
    );
    expect(server.stderr).to.include('nothing: unknown key');
    expect(workers(server)).to.deep.equal(before);
    configure('');
  });

  it('end in good order when the supervisor is told to', async () => {
    const before = workers(server);
    const { length } = server.stdout;
    server.child.kill('SIGTERM');
    const { code, stdout } = await server.finished;
    expect(code).to.equal(0);
    for (const pid of before) expect(() => process.kill(pid, 0)).to.throw();
    expect(stdout.slice(length).match(/"worker":"a[12]".*"msg":"stopped"/g)).to.have.length(2);
  });

  it('end when the supervisor dies', async () => {
    server = new SallyportProcess(['serve', '--config', file], folder);
    await server.prints(/^A-HTTP +http/m);
    const orphans = workers(server);
    expect(orphans).to.have.length(2);
    server.child.kill('SIGKILL');
    const isThere = (pid: number) =>
      spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    await eventually(() => (orphans.every((pid) => /^(Z.*)?$/.test(isThere(pid))) ? true : undefined));
  });
});
