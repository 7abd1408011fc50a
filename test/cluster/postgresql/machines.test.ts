import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { faultsAsItStands, faultsAtAllWidths, hasAxe } from '../../browser/axe.js';
import { PortalPage } from '../../browser/portal-page.js';
import { browserFor, leaveBrowser } from '../../browser/shared-browser.js';
import { named, TerminalPage } from '../../browser/terminal-page.js';
import { sallyportInProcess } from '../../cli/command-in-process.js';
import { SallyportProcess } from '../../cli/sallyport-process.js';
import { eventually } from '../../support/eventually.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { projectFolder } from '../../support/project.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import { ADMINISTRATOR, ClusterOfTwo, type Node } from './cluster-of-two.js';

const JSON_ONLY = { headers: { Accept: 'application/json' } };

/** Server a in this process, and a machine with the workers m1 and m2. */
describe('a machine with two workers in a cluster', () => {
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;
  let machine: SallyportProcess;
  let a: Node;
  let portal: string;
  let client: string;
  let token: string | undefined;
  const operator = { m: undefined as unknown as SignOnClient };

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
    a = await cluster.begin('a');
    const services = join(projectFolder, 'templates', 'services');
    const settings = `processes: 2
services: '${services}'
pools:
  ACCOUNTS: { host: SIM, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`;
    await cluster.configuration('m', { settings });
    machine = new SallyportProcess(['serve', '--config', join(cluster.folder, 'm.yaml')], cluster.folder);
    const urlOf = async (line: string) => (await machine.prints(new RegExp(`^${line} +(http:\\S+)`, 'm')))[1] ?? '';
    portal = await urlOf('W-HTTP');
    client = await urlOf('C-HTTP');
    operator.m = new SignOnClient(portal);
    await operator.m.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
    await eventually(allAreUp);
  });
  after(async () => {
    machine?.child.kill('SIGTERM');
    await machine?.finished;
    await cluster?.remove();
    await database?.remove();
  });

  const variables = async (path: string, client = operator.m) =>
    JSON.parse((await client.request(path, JSON_ONLY)).text) as Record<string, string[] | undefined>;
  async function allAreUp(): Promise<true | undefined> {
    const { $NODE$, '$NODE-STATE$': states } = await variables('/nodes');
    return `${$NODE$}` === 'a,m1,m2' && `${states}` === 'Up,Up,Up' ? true : undefined;
  }
  const tokenOf = (text: string) => /name="TOKEN" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const serverOf = (text: string) => /server <strong>(\w+)<\/strong>/.exec(text)?.[1];

  async function send(path: string, fields: Record<string, string> = {}) {
    const { text } = await operator.m.request(path);
    const SEEN = /name="SEEN" value="([^"]*)"/.exec(text)?.[1] ?? '';
    return operator.m.post(path, { TOKEN: tokenOf(text), SEEN, ...fields });
  }

  async function choose(code: string): Promise<void> {
    const chosen = await send(`/nodes/${code}/choose`);
    expect([chosen.status, chosen.headers.get('location')]).to.deep.equal([303, '/nodes?done=node-chosen']);
  }

  async function operationToken(): Promise<string> {
    token ??= (
      await sallyportInProcess(
        ['token', 'add', 'OPS', '--scope', 'operation', '--config', join(cluster.folder, 'm.yaml')],
        { folder: cluster.folder },
      )
    ).stdout.trim();
    return token;
  }

  async function orderServer(what: string) {
    const headers = { Authorization: `Bearer ${await operationToken()}` };
    const reply = await fetch(`${portal}/api/admin/v1/server/${what}`, { method: 'POST', headers });
    return { status: reply.status, detail: ((await reply.json()) as { detail?: string }).detail };
  }

  /** How a line does at each of the workers. */
  async function stateOf(line: string): Promise<readonly (string | undefined)[]> {
    const states: (string | undefined)[] = [];
    for (const code of ['m1', 'm2']) {
      await choose(code);
      const { $LINE: _, ...shown } = await variables(`/lines/${line}`);
      states.push(shown['$LINE-STATE$']?.[0] || shown['$LINE-TROUBLE$']?.[0]);
    }
    return states;
  }

  it('takes answers to sign-on forms of each worker that another server got, whichever worker they reach', async () => {
    const { name, password } = ADMINISTRATOR;
    const shownBy = new Set<string>();
    while (shownBy.size < 2) {
      const shown = new SignOnClient(client);
      const { text } = await shown.request('/TERMINAL.HTML+FORM', { headers: { Connection: 'close' } });
      shownBy.add(/name="SIGNON-CODE" value="(m\d)\./.exec(text)?.[1] ?? '');
      // the workers take connections of the internal line in turn
      await Promise.all(
        ['one', 'another'].map(async (wrongPassword) => {
          const answered = new SignOnClient(a.client);
          const fields = answered.fieldsFor(text, name, wrongPassword);
          const { text: refused } = await answered.post('/TERMINAL.HTML+FORM', fields);
          expect(refused).to.include('The user ID or the password is wrong');
        }),
      );
      const answered = new SignOnClient(a.client);
      const reply = await answered.post('/TERMINAL.HTML+FORM', answered.fieldsFor(text, name, password));
      expect(reply.status).to.equal(303);
    }
    expect([...shownBy]).to.have.members(['m1', 'm2']);
  });

  it('lists the sessions that a browser has at each worker, whichever worker another server reaches', async () => {
    const browser = new SignOnClient(client);
    const labels = () => [...browser.cookies.keys()].flatMap((name) => /^SvcSession-(m\d)\./.exec(name)?.[1] ?? []);
    const actions: string[] = [];
    while (!['m1', 'm2'].every((code) => labels().includes(code))) {
      const headers = { ...JSON_ONLY.headers, Connection: 'close' };
      actions.push(JSON.parse((await browser.request('/TERMINAL.HTML+TSO', { headers })).text).action);
    }
    const elsewhere = new SignOnClient(a.client);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const asked = Array.from({ length: 4 }, () => elsewhere.request('/w2h/sessions', JSON_ONLY));
    for (const { text } of await Promise.all(asked)) {
      const { sessions } = JSON.parse(text) as { sessions: readonly { label: string }[] };
      expect(sessions.map(({ label }) => label.slice(0, 2)).sort()).to.deep.equal(labels().sort());
    }
    // a worker that is to be started anew would wait for them
    for (const action of actions) await browser.post(action, { pf: 'DISCONNECT' }, JSON_ONLY.headers);
    expect(labels()).to.deep.equal([]);
  });

  it('shows the pages of the server that was chosen, whichever one is asked, and says which it is', async () => {
    for (const code of ['m1', 'm2', 'a', 'm1']) {
      await choose(code);
      // one after the other the workers are asked in turn
      for (let asked = 0; asked < 2; asked++) {
        const { text } = await operator.m.request('/lines', { headers: { Connection: 'close' } });
        expect(serverOf(text)).to.equal(code);
      }
    }
  });

  it('is counted whole on the overview of each server, whichever worker is asked how much another one does', async () => {
    const atA = new SignOnClient(a.portal);
    await atA.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
    for (const shown of [atA, operator.m]) {
      // the workers take connections of the internal line in turn
      for (let times = 0; times < 3; times++) {
        const { '$COUNTED-SERVERS$': counted, '$MISSING-SERVERS$': missing } = await variables('/', shown);
        expect([counted, missing]).to.deep.equal([['a, m1, m2'], undefined]);
      }
    }
  });

  it('shows those of another one where the chosen one is gone, and forgets the choice', async () => {
    const [cookie = ''] = [...operator.m.cookies.keys()].filter((name) => name.includes('Server'));
    operator.m.cookies.set(cookie, 'gone');
    const { status, text } = await operator.m.request('/lines');
    expect([status, serverOf(text)?.charAt(0)]).to.deep.equal([200, 'm']);
    expect(operator.m.cookies.has(cookie)).to.equal(false);
  });

  it('tries a service at the server that was chosen, whichever one is asked', async () => {
    for (const code of ['m1', 'm2']) {
      await choose(code);
      const tried = await send('/loaded/services/account-inquiry', { 'VALUE:account': '10000001' });
      expect(tried.status, tried.text).to.equal(200);
      expect(serverOf(tried.text)).to.equal(code);
      expect(tried.text).to.include('Status 200').and.include('ADA LOVELACE');
    }
  });

  describe('in Chromium', () => {
    let browser: Browser;
    before(async function () {
      browser = await browserFor(this);
    });
    after(() => leaveBrowser());

    it('is looked at and chosen by the keyboard alone, wide and narrow, light and dark', async () => {
      const shown = await PortalPage.signedOnByForm(browser, { portalUrl: portal }, ADMINISTRATOR);
      await hasAxe(shown.page);
      for (const path of ['/nodes', '/nodes/m2/choose', '/configuration/reload']) {
        await shown.go(path);
        expect(await faultsAtAllWidths(shown.page, [1440, 390], 844), path).to.deep.equal([]);
      }
      // asks as the page of a choice does
      await shown.go('/nodes/a/drain');
      expect(await faultsAsItStands(shown.page)).to.deep.equal([]);
      await shown.go('/nodes');
      // a worker of a busy machine may be late, and nobody can look at it then
      await shown.page.getByRole('link', { name: 'Switch to it … (m2)' }).waitFor();
      await shown.follow('Switch to it … (m2)', 'Switch to server m2?');
      await shown.tabTo('Switch to m2');
      await shown.keys('Enter');
      await shown.says('From now on, this server answers in the portal');
      await shown.page.getByRole('link', { name: 'server m2' }).waitFor();
      expect(shown.complaints).to.deep.equal([]);
      await shown.close();
    });

    it('has a session of another server go on at its workers while they are started anew, one after the other', async () => {
      const opened = await TerminalPage.open(browser, named(a.client, '/TERMINAL.HTML+TSO'));
      await opened.shows('Type your userid');
      // all that the browser asks for goes over a worker of this machine from now on
      await opened.page.goto(named(client, new URL(opened.page.url()).pathname));
      await opened.shows('Type your userid');
      await choose('m1');
      expect((await orderServer('restart')).status).to.equal(200);
      await eventually(() => (machine.stdout.includes('all workers were restarted') ? true : undefined));
      await opened.signOn();
      await opened.shows('Option ===>');
      await opened.close();
    });
  });

  // a line that is started again may have another port
  describe('afterwards', () => {
    it('has all its workers do what is done with a line, by the portal and by a command', async () => {
      // one that is still to come back from its restart is gone to whoever chooses it
      await eventually(allAreUp);
      const drained = await send('/lines/C-HTTP/drain');
      expect(drained.headers.get('location')).to.equal('/lines/C-HTTP?done=line-drained');
      expect(await stateOf('C-HTTP')).to.deep.equal(['Drained: no new sessions', 'Drained: no new sessions']);
      await send('/lines/C-HTTP/start');
      expect(await stateOf('C-HTTP')).to.deep.equal(['Open', 'Open']);
      const headers = { Authorization: `Bearer ${await operationToken()}` };
      const act = async (what: string) => {
        const reply = await fetch(`${portal}/api/admin/v1/lines/C-HTTP/${what}`, { method: 'POST', headers });
        return [reply.status, ((await reply.json()) as { state?: string }).state];
      };
      expect((await act('stop'))[0]).to.equal(200);
      await eventually(async () => ((await stateOf('C-HTTP')).join() === 'Stopped,Stopped' ? true : undefined));
      expect(await act('start')).to.deep.equal([200, 'listening']);
      expect(await stateOf('C-HTTP')).to.deep.equal(['Open', 'Open']);
      // on record at each of them: what it was about to do, and that it has done it
      const rows = await database.run<{ line: string }>('select line from sallyport.audit_entries');
      const stopped = rows.map(({ line }) => JSON.parse(line)).filter(({ what }) => what === 'line.stopped');
      expect(stopped.map(({ who }) => who)).to.deep.equal(Array.from({ length: 4 }, () => 'token OPS'));
    });

    it('refuses to restart workers where that comes to nothing, and says why', async () => {
      const refusedFor = (reason: string) => ({ status: 409, detail: `No worker was restarted. ${reason}` });
      const file = join(cluster.folder, 'm.yaml');
      const configuration = readFileSync(file);
      const headers = { Authorization: `Bearer ${await operationToken()}` };
      const { url } = (await (await fetch(`${portal}/api/admin/v1/lines/C-HTTP`, { headers })).json()) as {
        url: string;
      };
      // keeps its worker there until that is told to stop
      await new SignOnClient(url).request('/TERMINAL.HTML+TSO');
      writeFileSync(file, 'nothing: here\n');
      expect(await orderServer('restart')).to.deep.equal(
        refusedFor('The configuration has errors. Run sallyport check-config.'),
      );
      writeFileSync(file, configuration);
      const ordered = await Promise.all([orderServer('restart'), orderServer('restart')]);
      expect(ordered.find(({ status }) => status === 409)).to.deep.equal(
        refusedFor('The workers are already being restarted.'),
      );
      expect(ordered.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
      expect((await orderServer('drain')).status).to.equal(200);
      expect(await orderServer('restart')).to.deep.equal(refusedFor('The server is stopping.'));
      const rows = await database.run<{ line: string }>('select line from sallyport.audit_entries order by sequence');
      const stages = rows.map(({ line }) => JSON.parse(line)).filter(({ what }) => what === 'server.restarted');
      expect(stages.at(-1)).to.include({ stage: 'failed' });
    });
  });

  it('reads the configuration again at all workers, and at every server, each of which answers', async () => {
    const shown = await operator.m.request('/configuration/reload');
    expect(shown.text).to.include('All 2 workers of this machine').and.to.include('Reload on every server');
    const here = await send('/configuration/reload');
    expect(answersOf(here.text)).to.deep.equal({
      m1: 'The configuration was reloaded.',
      m2: 'The configuration was reloaded.',
    });
    const everywhere = await send('/configuration/reload', { WHERE: 'everywhere' });
    expect(Object.keys(answersOf(everywhere.text))).to.deep.equal(['a', 'm1', 'm2']);
    // each server has a file of its own
    writeFileSync(join(cluster.folder, 'a.yaml'), 'nothing: here\n');
    const partly = answersOf((await send('/configuration/reload', { WHERE: 'everywhere' })).text);
    expect(partly.m2).to.equal('The configuration was reloaded.');
    expect(partly.a).to.match(/The file has \d+ errors\.$/);
    expect(a.log()).to.include('the configuration is invalid');
  });

  function answersOf(text: string): Record<string, string> {
    const found = [...text.matchAll(/<li>(\w+): ([^<]*)<\/li>/g)].map(([, node = '', words = '']) => [node, words]);
    return Object.fromEntries(found.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)));
  }
});
