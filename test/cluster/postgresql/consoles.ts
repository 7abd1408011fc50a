import { join } from 'node:path';
import { expect } from 'chai';
import { sallyportInProcess } from '../../cli/command-in-process.js';
import { readExposition, sumOf } from '../../operation/metrics/exposition.js';
import { openScreen } from '../../sessions/screen-client.js';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import type { PostgresqlServer } from '../../support/postgresql.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import { EventClient } from '../../web/event-client.js';
import { ADMINISTRATOR, begun, type ClusterOfTwo, type Node, type RunningCluster } from './cluster-of-two.js';

/** The portal and `sallyport admin`, of one server for all. */
export function itHasConsoles(running: () => RunningCluster): void {
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;
  let a: Node;
  let b: Node;
  before(() => {
    ({ database, cluster, a, b } = running());
  });
  const { name, password } = ADMINISTRATOR;
  let token: string;
  before(async () => {
    const added = await sallyportInProcess(
      ['token', 'add', 'OPS', '--scope', 'operation', '--config', join(cluster.folder, 'a.yaml')],
      { folder: cluster.folder },
    );
    token = added.stdout.trim();
  });

  const admin = (...args: string[]) =>
    sallyportInProcess(['admin', ...args, '--server', a.portal], {
      folder: cluster.folder,
      environment: { SALLYPORT_TOKEN: token },
    });
  const tokenOf = (text: string) => ({ TOKEN: /name="TOKEN" value="([^"]*)"/.exec(text)?.[1] ?? '' });
  const sessionsOfB = async (client: SignOnClient) =>
    [...(await client.request('/sessions')).text.matchAll(/"\/sessions\/(b-[0-9a-f]{12})"/g)].map(([, id = '']) => id);
  const recorded = async (what: string) => {
    const rows = await database.run<{ line: string }>('select line from sallyport.audit_entries order by sequence');
    return rows.map(({ line }) => JSON.parse(line)).filter((entry) => entry.what === what);
  };

  it('show sessions of all servers, with their server, send messages to them and end them anywhere', async () => {
    const console = new SignOnClient(a.portal);
    expect((await console.signOn('/sessions', name, password)).status).to.equal(303);
    // those of other tests may end while this one looks
    const earlier = await sessionsOfB(console);
    const { browser, action } = await begun(b);
    const id = await eventually(async () => (await sessionsOfB(console)).find((one) => !earlier.includes(one)));
    const { text } = await console.request(`/sessions/${id}`);
    expect(text).to.include('<dt>Server</dt><dd>b</dd>');
    expect((await console.request(`/sessions?search=server+b`)).text).to.include(id);
    const told = await console.post(`/sessions/${id}/message`, { ...tokenOf(text), MESSAGE: 'to all servers' });
    expect([told.status, told.headers.get('location')]).to.deep.equal([303, `/sessions/${id}?done=message-sent`]);
    const listed = JSON.parse((await admin('sessions', '--json')).stdout) as {
      sessions: { id: string; node: string }[];
    };
    expect(listed.sessions.find((one) => one.id === id)?.node).to.equal('b');
    const { code, stdout } = await admin('kill', id);
    expect([code, stdout]).to.deep.equal([0, `Session ${id} is ending.\n`]);
    await eventually(async () => ((await browser.get(action)).status === 404 ? true : undefined));
    const [ended] = (await recorded('session.ended')).slice(-1);
    expect(ended).to.include({ who: 'token OPS', subject: `session ${id}` });
    expect((await recorded('session.messageSent'))[0]).to.include({
      who: name,
      subject: `session ${id}`,
      from: '127.0.0.1',
    });
    await eventually(async () => ((await console.request('/sessions')).text.includes(id) ? undefined : true));
    expect((await admin('kill', id)).stderr).to.include('HTTP 404');
  });

  it('lead from a session of another server to its log and its traces, by way of the choice of that server', async () => {
    const console = new SignOnClient(a.portal);
    await console.signOn('/sessions', name, password);
    const earlier = await sessionsOfB(console);
    await begun(b);
    const id = await eventually(async () => (await sessionsOfB(console)).find((one) => !earlier.includes(one)));
    const logged = id.slice('b-'.length);
    const linkOf = async (words: string) => {
      const { text } = await console.request(`/sessions/${id}`);
      return (new RegExp(`href="([^"]*)">${words}<`).exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
    };
    expect(await linkOf('Start a trace')).to.equal(`/nodes/b/choose?trace=${id}`);
    const way = await linkOf('Its lines in the log');
    expect(way).to.equal(`/nodes/b/choose?log=${logged}`);
    const asked = await console.request(way);
    expect(asked.text).to.include('Switch to server b?').and.to.include(`action="${way}"`);
    const chosen = await console.post(way, tokenOf(asked.text));
    expect([chosen.status, chosen.headers.get('location')]).to.deep.equal([303, `/log?session=${logged}`]);
    expect((await console.request(`/log?session=${logged}`)).text).to.include('server <strong>b</strong>');
    // and now there is nothing to choose
    expect(await linkOf('Its lines in the log')).to.equal(`/log?session=${logged}`);
    const trace = `/traces?kind=session&subject=${id}`;
    expect(await linkOf('Start a trace')).to.equal(trace);
    const begins = await console.post(`/nodes/b/choose?trace=${id}`, tokenOf(asked.text));
    expect(begins.headers.get('location')).to.equal(trace);
  });

  it('show the screen of a session of another server while it is watched, and tell its user', async () => {
    const console = new SignOnClient(a.portal);
    await console.signOn('/sessions', name, password);
    const earlier = await sessionsOfB(console);
    const screen = await openScreen(b.client, '/TERMINAL.HTML+TSO');
    await screen.connect();
    const id = await eventually(async () => (await sessionsOfB(console)).find((one) => !earlier.includes(one)));
    expect((await console.request(`/sessions/${id}/watch`)).text).to.include(id);
    const stream = await EventClient.open(a.portal, console.cookie, `topic=screen:${id}`);
    const whole = await stream.event((data) => (data as { k: string }).k === 's');
    expect(JSON.stringify(whole)).to.include('Type your userid');
    expect(await screen.message(({ k }) => k === 'v')).to.deep.equal({ k: 'v', b: [name] });
    screen.key(1, 'DISCONNECT');
    await stream.event((data) => (data as { k: string }).k === 'e');
    stream.close();
    screen.cut();
    expect((await recorded('session.watched'))[0]).to.include({ who: name, subject: `session ${id}` });
  });

  it('tell pages what changes of the server that made them, whichever server they ask', async () => {
    const console = new SignOnClient(b.portal);
    await console.signOn('/lines', name, password);
    expect((await console.request('/lines')).text).to.include(' data-server="b"');
    const linesTold = async (query: string) => {
      const stream = await EventClient.open(a.portal, console.cookie, `topic=lines${query}`);
      const told = JSON.stringify(await stream.event((_, topic) => topic === 'lines'));
      stream.close();
      return told;
    };
    expect(await linesTold('&server=b'))
      .to.include(b.client)
      .and.to.not.include(a.client);
    expect(await linesTold('')).to.include(a.client);
    const gone = await EventClient.open(a.portal, console.cookie, 'topic=lines&server=nobody');
    expect(gone.status).to.equal(404);
  });

  it('count on the overview what all servers do, and say which ones are not counted', async () => {
    const consoles = [a, b].map(({ portal }) => new SignOnClient(portal));
    for (const console of consoles) await console.signOn('/', name, password);
    const shown = async (client: SignOnClient, path = '/') =>
      JSON.parse((await client.request(path, { headers: { Accept: 'application/json' } })).text) as Record<
        string,
        string[]
      >;
    const [atA, atB] = consoles as [SignOnClient, SignOnClient];
    for (const node of [a, b, b]) await begun(node);
    // sessions of other tests may end meanwhile
    const overviews = await eventually(async () => {
      const { $NODE$: codes = [], '$NODE-SESSIONS$': counts = [] } = await shown(atA, '/nodes');
      const both = [await shown(atA), await shown(atB)];
      const ofBoth = counts.filter((_, at) => ['a', 'b'].includes(codes[at] ?? ''));
      const sum = String(ofBoth.reduce((all, count) => all + Number(count), 0));
      return both.every(({ $SESSIONS$: sessions = [] }) => sessions[0] === sum) ? both : undefined;
    });
    const { '$LINE-SESSIONS$': ofA = [] } = await shown(atA, '/lines');
    expect(Number(overviews[0]?.$SESSIONS$?.[0])).to.be.at.least(ofA.reduce((all, count) => all + Number(count), 2));
    for (const overview of overviews) {
      expect(overview['$COUNTED-SERVERS$']).to.deep.equal(['a, b']);
      // those of other tests may be gone
      expect(`${overview['$MISSING-SERVERS$']}`).not.to.match(/\b[ab]\b/);
      // the newest first
      expect(Number(overview['$MINUTE-SESSIONS$']?.[0])).to.be.at.least(3);
    }
    const another = (code: string, address: string, heartbeat: string) =>
      database.run(
        `insert into sallyport.nodes select '${code}', 1, ${address}, version, 'up', 7, heartbeat ${heartbeat} from sallyport.nodes where code = 'b'`,
      );
    // where nobody listens, and one that its machine has taken along
    await another('d', "'127.0.0.1:1'", '+ 60000');
    await another('e', 'address', '- 60000');
    const { text } = await eventually(async () => {
      const page = await atA.request('/');
      return page.text.includes('Servers not counted: d, e') ? page : undefined;
    });
    expect(text)
      .to.include('Servers counted: a, b.')
      .and.include('server d</a>: it is not counted below. <span lang="en">it could not be reached')
      .and.include('server e</a>: it is not counted below. <span lang="en">it no longer reports');
    await database.run("delete from sallyport.nodes where code in ('d', 'e')");
  });

  it('show servers, drain one through another, and tell of one that is gone', async () => {
    const c = await cluster.begin('c');
    await eventually(async () => (/^c +up /m.test((await admin('nodes')).stdout) ? true : undefined));
    const { stdout } = await admin('nodes');
    expect(stdout)
      .to.match(/^NODE +STATE +SESS /)
      .and.to.match(/^a +up /m)
      .and.to.match(/^b +up /m);
    const console = new SignOnClient(a.portal);
    await console.signOn('/nodes', name, password);
    const asked = await console.request('/nodes/c/drain');
    expect(asked.text).to.include('Drain server c?');
    const drained = await console.post('/nodes/c/drain', tokenOf(asked.text));
    expect([drained.status, drained.headers.get('location')]).to.deep.equal([303, '/nodes?done=node-drained']);
    await c.server.drained;
    await eventually(async () => ((await admin('node', 'c')).stdout.includes('draining') ? true : undefined));
    expect((await new CookieClient(b.client).get('/TERMINAL.HTML+TSO')).status).to.equal(200);
    await cluster.end(c);
    await eventually(async () => ((await admin('nodes')).stdout.includes('\nc ') ? undefined : true));
    expect((await admin('node', 'c', 'drain')).stderr).to.include('There is no such server in the cluster.');
    const late = await console.post('/nodes/c/drain', tokenOf(asked.text));
    expect(late.status).to.equal(404);
    expect(late.text).to.include('There is no such server in the cluster.');
    // programs read problem documents, whoever refuses what they want
    for (const [url, problem] of [
      [`${a.portal}/api/admin/v1/nodes/c/drain`, 'node-unknown'],
      [`${a.portal}/api/admin/v1/s%65ssions/c-0123456789ab/end`, 'node-gone'],
      [`${a.client}/api/v1/sessions/c.0123456789ab`, 'node-gone'],
    ] as const) {
      const refused = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
      expect([refused.status, refused.headers.get('content-type')], url).to.deep.equal([
        404,
        'application/problem+json',
      ]);
      expect(((await refused.json()) as { code: string }).code).to.equal(problem);
    }
    expect((await recorded('server.drained')).at(-1)).to.include({ who: name });
    // its process has died, or its machine: by the clock of the database
    await database.run(
      "insert into sallyport.nodes select 'd', 1, address, version, 'up', 7, heartbeat - 60000 from sallyport.nodes where code = 'b'",
    );
    const gone = await eventually(async () => {
      const { text } = await console.request('/nodes');
      return text.includes('Unreachable: no sign of life') ? text : undefined;
    });
    expect(gone).to.match(/no sign of life for \d+ seconds/);
    const metrics = a.server.listeners.find((listener) => listener.name === 'management')?.url;
    const exposed = await (await fetch(`${metrics}/metrics`)).text();
    expect(sumOf(readExposition(exposed), 'sallyport_nodes', { state: 'gone' })).to.equal(1);
    expect(sumOf(readExposition(exposed), 'sallyport_nodes', { state: 'up' })).to.equal(2);
    await database.run("delete from sallyport.nodes where code = 'd'");
  });
}
