import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { SallyportProcess } from '../../cli/sallyport-process.js';
import { readExposition } from '../../operation/metrics/exposition.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { KILL_FILE, killedOnAccept } from '../../support/killed-on-accept.js';
import { skipUnless } from '../../support/need.js';

interface Report {
  readonly status: string;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly detail?: string }[];
}

const PAGE =
  '<!--SVC start="{{{" end="}}}" -->/{{{VIRPLEX-CODE}}}SCREEN.HTML++{{{AJAX-SESSION-CODE}}} {{{CURRENT-VALUE-OF "$NOTICE$"}}}';

/** Ask for a page as long as they are there: some at a connection of their own each time, and some at one that they keep. */
class Clients {
  readonly #outcomes = new Set<string>();
  readonly #over: Promise<unknown>;
  readonly #kept = new Agent({ keepAlive: true });
  #isLeaving = false;

  constructor(url: string) {
    this.#over = Promise.all([undefined, undefined, this.#kept, this.#kept].map((agent) => this.#ask(url, agent)));
  }

  /** @returns what came of all requests: statuses, and errors of connections */
  async leave(): Promise<readonly string[]> {
    this.#isLeaving = true;
    await this.#over;
    this.#kept.destroy();
    return [...this.#outcomes];
  }

  async #ask(url: string, agent: Agent | undefined): Promise<void> {
    while (!this.#isLeaving) {
      const asked = request(url, { agent: agent ?? false }).end();
      const outcome = await once(asked, 'response').then(
        async ([response]: IncomingMessage[]) => {
          await response?.resume().toArray();
          return String(response?.statusCode);
        },
        (error: Error) => error.message,
      );
      this.#outcomes.add(outcome);
      await wait(2);
    }
  }
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
    management = `127.0.0.1:${await freePort()}`;
    writeFileSync(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
    writeFileSync(join(folder, 'SCREEN.HTML'), PAGE);
    configure('');
    server = new SallyportProcess(['serve', '--config', file], folder, killedOnAccept);
    [, url = ''] = await server.prints(/^A-HTTP +(http:\/\/127\.0\.0\.1:\d+)/m);
  });
  after(() => {
    server.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  function configure(lines: string, settings = '', ofManagement = ''): void {
    writeFileSync(
      file,
      `directories: { CLI: . }
processes: 2
cluster: { node: a }
sessions: { keysReady: 0 }
${settings}
management: { listen: '${management}'${ofManagement} }
lines:
  A-HTTP: { listen: '127.0.0.1:0', entryPoint: E }
${lines}
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
entryPoints: { E: { directory: CLI, transactions: { TSO: { applicationType: 1, application: SIM } } } }
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
  const healthOf = async (code: string) =>
    (await health()).checks.find(({ name }) => name === `worker ${code}`)?.detail;

  /** Begins a session at whichever worker it is that gets the request. */
  async function open() {
    const reply = await fetch(`${url}/SCREEN.HTML+TSO`, { headers: { Connection: 'close' } });
    expect(reply.status).to.equal(200);
    const [path = ''] = (await reply.text()).split(' ');
    const headers = { Cookie: reply.headers.getSetCookie()[0]?.split(';')[0] ?? '', Connection: 'close' };
    return {
      worker: /SvcSession=(\w+)\./.exec(path)?.[1],
      status: async () => (await fetch(url + path, { headers })).status,
      notice: async () => (await fetch(url + path, { headers })).text(),
      end: () => fetch(url + path, { method: 'POST', headers, body: new URLSearchParams({ pf: 'DISCONNECT' }) }),
    };
  }

  async function openAt(worker: string) {
    for (;;) {
      const session = await open();
      if (session.worker === worker) return session;
      await session.end();
    }
  }

  /** As the system has it; Z: it has ended, and its parent has not heard of it. */
  const stateOf = (pid: number) =>
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
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
    const requests = readExposition(text).samples.filter(({ name }) => name === 'sallyport_requests_total');
    expect(requests.map(({ labels }) => labels.worker)).to.deep.equal(['a1', 'a2']);
    const ofWorkers = { sallyport_worker_up: '1', sallyport_worker_given_up: '0', sallyport_worker_restarts: '0' };
    for (const [name, value] of Object.entries(ofWorkers)) {
      expect(valuesOf(text, new RegExp(`${name}\\{worker="(\\w+)"\\}`)), name).to.deep.equal([
        ['a1', value],
        ['a2', value],
      ]);
    }
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
    await eventually(() => (logged('the worker died, and is restarted').length === 1 ? true : undefined));
  });

  it('take the connections that one was handed which died before it took them', async () => {
    const [first = 0] = workers(server);
    process.kill(first, 'SIGSTOP');
    // one of two in turn is handed to the worker that stands still
    const asked = [ask(), ask()];
    await Promise.race(asked);
    process.kill(first, 'SIGKILL');
    expect(await Promise.all(asked)).to.deep.equal([200, 200]);
    await eventually(isUp);
  });

  it('have connections wait at their ports while all of them are dead, and answer them when one serves again', async () => {
    const pids = workers(server);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await eventually(() => (workers(server).some((pid) => pids.includes(pid)) ? undefined : true));
    // none of them serves by now, and none is refused
    const waiting = Array.from({ length: 20 }, ask);
    expect((await health('/health/ready')).status).to.equal('DOWN');
    expect(await Promise.all(waiting)).to.deep.equal(waiting.map(() => 200));
    await eventually(isUp);
    // in turn, as before
    const answeredBy = new Set<string | undefined>();
    while (answeredBy.size < 2) {
      const session = await open();
      answeredBy.add(session.worker);
      await session.end();
    }
    expect(await ask()).to.equal(200);
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

  it('take the connections of every line that came while one died which had not taken one', async () => {
    const [listening = '{}'] = logged('"msg":"line listening"').filter((line) => line.includes('B-HTTP'));
    const { url: another } = JSON.parse(listening) as { url: string };
    const [first = 0] = workers(server);
    process.kill(first, 'SIGSTOP');
    const asked = [ask(), ask()];
    await Promise.race(asked);
    // by then the other one was handed to the worker that stands still
    expect(await ask()).to.equal(200);
    // the supervisor finds the end of the worker, and behind it connections for the other line
    server.child.kill('SIGSTOP');
    process.kill(first, 'SIGKILL');
    await eventually(() => (/^Z[^l]*$/.test(stateOf(first)) ? true : undefined));
    const { hostname, port } = new URL(another);
    const others = Array.from({ length: 4 }, () => connect(Number(port), hostname));
    await Promise.all(others.map((socket) => once(socket, 'connect')));
    server.child.kill('SIGCONT');
    const answers = others.map(async (socket) => {
      // a client that ends its side may be taken for one that is gone
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const [data] = await once(socket.setEncoding('latin1'), 'data');
      return String(data).slice(0, 'HTTP/1.1 200'.length);
    });
    expect(await Promise.all(answers)).to.deep.equal(Array.from({ length: 4 }, () => 'HTTP/1.1 200'));
    expect(await Promise.all(asked)).to.deep.equal([200, 200]);
    await eventually(isUp);
  });

  it('take a connection that one had accepted and not read when it died', async () => {
    const killFile = join(folder, KILL_FILE);
    for (let killed = 0; killed < 3; killed++) {
      writeFileSync(killFile, '');
      expect(await ask()).to.equal(200);
      expect(existsSync(killFile)).to.equal(false);
      await eventually(isUp);
    }
  });

  it('answer requests for sessions of each other', async () => {
    const session = await openAt('a1');
    for (let asked = 0; asked < 4; asked++) expect(await session.status()).to.equal(200);
    await session.end();
  });

  it('are started anew one after the other on SIGUSR2: sessions may end by themselves, and no request is lost', async () => {
    const before = workers(server);
    const clients = new Clients(url);
    const sessions = { a1: await openAt('a1'), a2: await openAt('a2') };
    server.child.kill('SIGUSR2');
    for (const [code, other] of [
      ['a1', 'a2'],
      ['a2', 'a1'],
    ] as const) {
      await eventually(async () =>
        (await healthOf(code)) === 'the worker is being drained for a restart' ? true : undefined,
      );
      expect((await health('/health/ready')).status).to.equal('UP');
      for (let opened = 0; opened < 4; opened++) {
        const session = await open();
        expect(session.worker).to.equal(other);
        await session.end();
      }
      expect(await sessions[code].status()).to.equal(200);
      expect(await sessions[code].notice()).to.include('This session ends in 10 minutes at the latest');
      const read = logged('the configuration was read again').length;
      server.child.kill('SIGHUP');
      await eventually(() => (logged('the configuration was read again').length === read + 2 ? true : undefined));
      await sessions[code].end();
      await eventually(async () => {
        expect(await ask()).to.equal(200);
        return (await healthOf(code)) === undefined ? true : undefined;
      });
    }
    await eventually(() => (server.stdout.includes('all workers were restarted') ? true : undefined));
    expect(await clients.leave()).to.deep.equal(['200']);
    expect(workers(server).filter((pid) => before.includes(pid))).to.deep.equal([]);
  });

  it('are not restarted for a configuration that is wrong', async () => {
    const before = workers(server);
    writeFileSync(file, 'nothing: here\n');
    server.child.kill('SIGUSR2');
    await eventually(() =>
      server.stdout.includes('no worker was restarted: The configuration has errors') ? true : undefined,
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

  it('end in good order on Ctrl-C, which reaches all of them at once, after the delay of a stop', async () => {
    configure('', '', ', stopDelaySeconds: 1');
    const interrupted = new SallyportProcess(['serve', '--config', file], folder);
    await interrupted.prints(/^A-HTTP +http/m);
    for (const pid of [...workers(interrupted), interrupted.child.pid ?? 0]) process.kill(pid, 'SIGINT');
    const { code, stdout } = await interrupted.finished;
    expect(code).to.equal(0);
    expect(stdout).to.not.include('the worker died');
    expect(stdout.match(/"worker":"a[12]".*"msg":"stopped"/g)).to.have.length(2);
  });

  it('are killed and started again where they hang', async () => {
    configure('', 'workerSilenceSeconds: 4\nworkerStartSeconds: 20');
    server = new SallyportProcess(['serve', '--config', file], folder);
    await server.prints(/^A-HTTP +http/m);
    const [hanging = 0, other = 0] = workers(server);
    process.kill(hanging, 'SIGSTOP');
    const { samples } = readExposition(await metrics());
    const up = samples.filter(({ name }) => name === 'sallyport_worker_up');
    expect(up.map(({ labels, value }) => [labels.worker, value])).to.deep.equal([
      ['a1', 0],
      ['a2', 1],
    ]);
    expect(samples.find(({ name, labels }) => name === 'sallyport_build_info' && labels.worker === 'a1')).to.equal(
      undefined,
    );
    await eventually(() => (logged('the worker no longer answers').length > 0 ? true : undefined));
    expect(JSON.parse(logged('the worker no longer answers')[0] ?? '')).to.include({
      worker: 'a1',
      silenceMilliseconds: 4_000,
    });
    await eventually(isUp);
    expect(workers(server)).to.include(other).and.to.not.include(hanging);
  });

  it('read the configuration again where SIGHUP came while they start', async () => {
    const [first = 0, other = 0] = workers(server);
    process.kill(first, 'SIGKILL');
    const starting = await eventually(() => workers(server).find((pid) => pid !== first && pid !== other));
    process.kill(starting, 'SIGSTOP');
    server.child.kill('SIGHUP');
    await eventually(() => (logged('the configuration was read again').length === 1 ? true : undefined));
    process.kill(starting, 'SIGCONT');
    const lines = await eventually(() => {
      const read = logged('the configuration was read again');
      return read.length === 2 ? read : undefined;
    });
    expect(lines.map((line) => JSON.parse(line).worker).sort()).to.deep.equal(['a1', 'a2']);
    await eventually(isUp);
  });

  it('are killed and started again where they hang while they start', async () => {
    const [first = 0, other = 0] = workers(server);
    process.kill(first, 'SIGKILL');
    const hanging = await eventually(() => workers(server).find((pid) => pid !== first && pid !== other));
    process.kill(hanging, 'SIGSTOP');
    await eventually(() => (logged('the worker hangs during its start').length > 0 ? true : undefined));
    expect(JSON.parse(logged('the worker hangs during its start')[0] ?? '')).to.include({ startMilliseconds: 20_000 });
    await eventually(isUp);
    expect(workers(server)).to.include(other).and.to.not.include(hanging);
  });

  it('end when the supervisor dies', async () => {
    const orphans = workers(server);
    expect(orphans).to.have.length(2);
    server.child.kill('SIGKILL');
    await eventually(() => (orphans.every((pid) => /^(Z.*)?$/.test(stateOf(pid))) ? true : undefined));
  });

  it('leave no sockets behind where a second signal ends the supervisor', async () => {
    configure('');
    server = new SallyportProcess(['serve', '--config', file], folder);
    await server.prints(/^A-HTTP +http/m);
    const [hanging = 0] = workers(server);
    const [, sockets = ''] =
      /SALLYPORT_NODE_FOLDER=([^\0]+)/.exec(readFileSync(`/proc/${hanging}/environ`, 'utf8')) ?? [];
    expect(existsSync(sockets)).to.equal(true);
    process.kill(hanging, 'SIGSTOP');
    // signals that come at once are taken for one
    await eventually(() => {
      server.child.kill('SIGTERM');
      return server.child.exitCode ?? undefined;
    });
    process.kill(hanging, 'SIGKILL');
    expect(existsSync(sockets)).to.equal(false);
  });
});
