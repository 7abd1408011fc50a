import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { silentLog } from '../../src/lib/log/log.js';
import { HostsPart } from '../../src/server/parts/hosts-part.js';
import { OutboundPart } from '../../src/server/parts/outbound-part.js';
import { PagesPart } from '../../src/server/parts/pages-part.js';
import { ScenariosPart } from '../../src/server/parts/scenarios-part.js';
import { ServicesPart } from '../../src/server/parts/services-part.js';
import { SessionsPart } from '../../src/server/parts/sessions-part.js';
import { eventually } from '../support/eventually.js';
import { fixture, projectFolder } from '../support/project.js';

const sources = {
  WALKS: `         SCENARIO INITIAL
         COPY$ VALUE-TO-SCREEN,VALUE='DEMO',SCREEN=(8,31)
         COPY$ VALUE-TO-SCREEN,VALUE='demo',SCREEN=(10,31)
         ACTION$ TO-APPLICATION,KEY=ENTER
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(1,2,4),VAR='A'
         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'
         SCENARIO END
`,
  OTHER: `         SCENARIO INITIAL
         COPY$ VALUE-TO-VARIABLE,VAR='A',VALUE='other'
         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'
         SCENARIO END
`,
};

/** Services and pools of a configuration, exchanged while they are called. */
describe('services of a server', () => {
  let folder: string;
  let hosts: HostsPart;
  let outbound: OutboundPart;
  let services: ServicesPart;
  let scenarios: ScenariosPart;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-services-'));
    cpSync(join(projectFolder, 'templates', 'services'), join(folder, 'services'), { recursive: true });
    mkdirSync(join(folder, 'scenarios'));
    for (const [name, source] of Object.entries(sources)) {
      writeFileSync(join(folder, 'scenarios', `${name}.scn`), source);
    }
    writeFileSync(join(folder, 'services', 'of-scenario.yaml'), 'service: of-scenario\nscenario: WALKS\nhost: SIM\n');
    const configuration = await configurationOf();
    hosts = new HostsPart(configuration, silentLog);
    const pages = new PagesPart(configuration, silentLog);
    scenarios = new ScenariosPart(configuration, silentLog);
    const sessions = new SessionsPart(configuration, silentLog);
    outbound = new OutboundPart(configuration);
    const security = { users: { audit: { record: <T>(_: object, make: () => Promise<T>) => make() } } };
    services = new ServicesPart(configuration, { hosts, pages, scenarios, outbound, sessions, security }, silentLog);
    await outbound.start();
    await hosts.start();
    await services.start();
  });
  afterEach(async () => {
    await services.stop(0);
    await hosts.stop();
    await outbound.stop(0);
    rmSync(folder, { recursive: true });
  });

  async function configurationOf(pool = 'ready: 1, most: 2', password = 'demo') {
    const file = join(folder, 'sallyport.yaml');
    const users = `users: [{ user: DEMO, password: ${password} }], sessionsPerUser: 8`;
    writeFileSync(
      file,
      `directories: { CLI-DIR: '${fixture('session-pages')}' }
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
services: ./services
scenarios: ./scenarios
pools:
  ACCOUNTS: { host: SIM, ${users}, ${pool}, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI } }
entryPoints: { CLI: { directory: CLI-DIR } }
`,
    );
    return (await loadConfiguration(file)).configuration;
  }

  const call = (calls = services.calls) =>
    calls.call({
      service: 'account-inquiry',
      values: new Map([['account', '10000002']]),
      caller: 'caller',
      by: { who: 'caller', from: 'test' },
      signal: new AbortController().signal,
    });
  const grace = { name: 'GRACE HOPPER', balance: '984.10' };

  async function replace(...settings: Parameters<typeof configurationOf>) {
    const next = await configurationOf(...settings);
    const [ofHosts, replacement] = [await hosts.replace(next), await services.replace(next)];
    ofHosts.take();
    replacement.take();
    return replacement.takenOver;
  }

  it('are those with a pool', async () => {
    expect([...services.calls.definitions.keys()]).to.deep.equal([
      'account-inquiry',
      'account-update',
      'member-list',
      'of-scenario',
    ]);
    expect(await call()).to.deep.equal({ kind: 'done', extracts: grace });
  });

  it('are exchanged: calls that began before end as they began, and a pool that is the same keeps its sessions', async () => {
    await eventually(() => (services.calls.poolStates[0]?.free === 1 ? true : undefined));
    const before = services.calls;
    const underWay = call();
    const file = join(folder, 'services', 'account-inquiry.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('balance:', 'amount: '));
    // a screen that the pool itself has no use for
    appendFileSync(join(folder, 'services', 'screens.yaml'), '  OTHER: [{ text: OTHER }]\n');
    expect(await replace()).to.deep.equal(['services']);
    expect(await underWay).to.deep.equal({ kind: 'done', extracts: grace });
    expect(await call()).to.deep.equal({ kind: 'done', extracts: { name: 'GRACE HOPPER', amount: '984.10' } });
    expect(await call(before)).to.deep.equal({ kind: 'done', extracts: grace });
    expect(services.calls.poolStates).to.deep.equal(before.poolStates);
  });

  it('get another pool where its settings are others, and the old one signs off', async () => {
    await eventually(() => (services.calls.poolStates[0]?.free === 1 ? true : undefined));
    const before = services.calls;
    const underWay = call();
    expect(await replace('ready: 3, most: 4')).to.deep.equal(['pools']);
    expect(await underWay).to.deep.equal({ kind: 'done', extracts: grace });
    await eventually(() => (services.calls.poolStates[0]?.free === 3 ? true : undefined));
    await eventually(() => (before.poolStates[0]?.users[0]?.sessions === 3 ? true : undefined));
    expect(before.poolStates[0]).to.deep.include({ free: 0, lent: 0, between: 0 });
    expect(await call()).to.deep.equal({ kind: 'done', extracts: grace });
  });

  it('stay drained where their pool is another one, or the same', async () => {
    await replace();
    services.drainPool('ACCOUNTS');
    const drained = { kind: 'drained', retryAfterSeconds: 30 };
    expect(await call()).to.deep.equal(drained);
    expect(await replace('ready: 2, most: 2')).to.deep.equal(['pools']);
    expect(await call()).to.deep.equal(drained);
    expect(services.calls.poolStates[0]).to.include({ isDrained: true, most: 2 });
    services.resumePool('ACCOUNTS');
    expect(await call()).to.deep.equal({ kind: 'done', extracts: grace });
  });

  it('end as the scenario that they began with where that is exchanged meanwhile', async () => {
    await replace();
    await scenarios.start();
    const answer = async (calls = services.calls) => {
      const end = await calls.call({
        service: 'of-scenario',
        values: new Map(),
        caller: 'caller',
        by: { who: 'caller', from: 'test' },
        signal: new AbortController().signal,
      });
      return end.kind === 'body' ? Buffer.from(end.body).toString() : end.kind;
    };
    expect(await answer()).to.equal('MENU');
    const before = services.calls;
    const underWay = answer();
    writeFileSync(join(folder, 'services', 'of-scenario.yaml'), 'service: of-scenario\nscenario: OTHER\n');
    expect(await replace('ready: 1, most: 3')).to.deep.equal(['services', 'pools']);
    expect(await underWay).to.equal('MENU');
    expect(await answer()).to.equal('other');
    expect(await answer(before)).to.equal('MENU');
  });

  it('still do not sign on with a password that was refused, and do with another one', async function () {
    this.timeout(60_000);
    await replace('ready: 1, most: 1', 'wrong');
    await eventually(() => (services.calls.poolStates[0]?.users[0]?.isStopped ? true : undefined));
    await replace('ready: 1, most: 2', 'wrong');
    expect(await call()).to.deep.equal({ kind: 'cannotSignOn' });
    await replace('ready: 1, most: 2', 'other');
    expect(services.calls.poolStates[0]?.users[0]).to.deep.include({ refusals: 0, isStopped: false });
  });
});
