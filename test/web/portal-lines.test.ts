import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { EventClient } from './event-client.js';
import { lastEntries, PortalClient, textOf } from './portal-client.js';

describe('lines, hosts and pools in the portal', () => {
  let site: PortalSite;
  let operator: PortalClient;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      transactions: '      TSO: { applicationType: 1, application: SIM }',
      hosts: "AWAY: { address: '127.0.0.1:9' }, ",
      lines:
        "  O-HTTP: { outbound: true, site: '127.0.0.1:9' }\n  X-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration }",
      yaml: `services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, ready: 0, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, home: MENU, returnHome: [PF3, PF3] }`,
    });
    operator = await PortalClient.signedOn(site, OPERATOR);
  });
  after(() => site?.stop());

  const shown = async (path: string) => {
    const { status, text } = await operator.get(path);
    expect(status, text).to.equal(200);
    return textOf(text).replace(/\s+/g, ' ');
  };
  const order = async (path: string) => {
    const { status, headers } = await operator.post(path, {});
    return [status, headers.get('location')];
  };
  const session = () =>
    fetch(`${site.clientUrl}/TERMINAL.HTML+TSO`).then(
      ({ status }) => status,
      () => 0,
    );

  it('are listed with what they do', async () => {
    expect(await session()).to.equal(200);
    const list = await shown('/lines');
    expect(list).to.match(new RegExp(`C-HTTP Open ${site.clientUrl} \\d+ 1 1 0 –`));
    expect(list).to.match(new RegExp(`W-HTTP portal Open ${site.portalUrl} `));
    expect(list).to.include('O-HTTP 127.0.0.1:9 0 0 –');
    expect(list)
      .to.include('AWAY 127.0.0.1:9 – 0 0')
      .and.match(/SIM simulated (Reached|–) 1 0/);
  });

  it('are drained and opened again, after a question, by operators', async () => {
    expect(await shown('/lines/C-HTTP/drain'))
      .to.include('No new sessions start on it.')
      .and.include('1 existing session continues.');
    expect(await order('/lines/C-HTTP/drain')).to.deep.equal([303, '/lines/C-HTTP?done=line-drained']);
    expect(await session()).to.equal(503);
    const page = await shown('/lines/C-HTTP?done=line-drained');
    expect(page).to.include('Drained: no new sessions').and.include('End the drain').and.not.include('Drain …');
    expect(await order('/lines/C-HTTP/start')).to.deep.equal([303, '/lines/C-HTTP?done=line-started']);
    expect(await session()).to.equal(200);
    expect(lastEntries(site, 1)[0]).to.include({
      who: 'OPERA',
      what: 'line.started',
      subject: 'C-HTTP',
      stage: 'done',
    });
  });

  it('are stopped with their sessions, and started', async () => {
    expect(await shown('/lines/C-HTTP/stop')).to.include('2 sessions end.');
    expect(await order('/lines/C-HTTP/stop')).to.deep.equal([303, '/lines/C-HTTP?done=line-stopped']);
    await eventually(async () => ((await shown('/lines/C-HTTP')).includes('State Stopped') ? true : undefined));
    expect(await session()).to.equal(0);
    expect(await shown('/lines/C-HTTP/stop')).to.include('It is not listening.');
    expect(await order('/lines/C-HTTP/start')).to.deep.equal([303, '/lines/C-HTTP?done=line-started']);
    expect(await shown('/lines/C-HTTP'))
      .to.include('State Open')
      .and.include('Sessions 0');
  });

  it('tell on a page that is open what changes, made once for all who look', async () => {
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    const streams = await Promise.all(
      [operator, operator, administrator].map(({ cookie }) => EventClient.open(site.portalUrl, cookie, 'topic=lines')),
    );
    const sections = (data: unknown) => (data as { sections?: Record<string, string> }).sections ?? {};
    try {
      for (const stream of streams) {
        const first = await stream.event((data) => sections(data)['inbound-lines'] !== undefined);
        expect(Object.keys(sections(first))).to.have.members([
          'inbound-lines',
          'outbound-lines',
          'hosts',
          'pools',
          'printers',
        ]);
        expect(stream.text).to.not.include(operator.token).and.not.include('<form');
      }
      expect(await order('/lines/C-HTTP/drain')).to.include(303);
      for (const stream of streams) {
        const told = await stream.event((data) => sections(data)['inbound-lines']?.includes('Drained') === true);
        expect(sections(told)).to.not.have.property('outbound-lines');
      }
    } finally {
      for (const stream of streams) stream.close();
      await order('/lines/C-HTTP/start');
    }
  });

  it('tell on the page of one line how it does, and that it is gone, to each role what it may do', async () => {
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    const topic = (await operator.get('/lines/C-HTTP')).text.match(/data-topic="([^"]*)"/)?.[1] ?? '';
    const gone = `line:${Buffer.from('name=GONE').toString('base64url')}`;
    const [seen, traced] = await Promise.all(
      [operator, administrator].map(({ cookie }) =>
        EventClient.open(site.portalUrl, cookie, `topic=${topic}&topic=${gone}`),
      ),
    );
    const state = (of: string, holds: (html: string) => boolean) => (data: unknown, name: string) =>
      name === of && holds((data as { sections?: Record<string, string> }).sections?.state ?? '');
    try {
      await seen?.event(state(topic, (html) => html.includes('Drain …') && !html.includes('Start a trace')));
      await traced?.event(state(topic, (html) => html.includes('Drain …') && html.includes('Start a trace')));
      expect(await order('/lines/C-HTTP/drain')).to.include(303);
      await seen?.event(state(topic, (html) => html.includes('Drained') && html.includes('End the drain …')));
      await seen?.event(state(gone, (html) => html.includes('no longer has this line') && !html.includes('href')));
    } finally {
      for (const stream of [seen, traced]) stream?.close();
      await order('/lines/C-HTTP/start');
    }
  });

  it('tell on other pages, too, and only whom the page is for', async () => {
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    const parameter = (await administrator.get('/loaded?search=member')).text.match(/data-topic="loaded:([^"]*)"/)?.[1];
    const topics = ['overview', 'configuration', `loaded:${parameter}`];
    const stream = await EventClient.open(
      site.portalUrl,
      administrator.cookie,
      topics.map((name) => `topic=${name}`).join('&'),
    );
    try {
      const html = async (topic: string, section: string) => {
        const data = await stream.event((_, name) => name === topic);
        return (data as { sections: Record<string, string> }).sections[section] ?? '';
      };
      expect(await html('overview', 'health')).to.include('All checks are UP.');
      expect(await html('configuration', 'running')).to.include('W-HTTP');
      const services = await html(`loaded:${parameter}`, 'services');
      expect(services).to.include('member-list').and.not.include('account-inquiry');
      expect(services).to.include('/loaded/services/member-list');
    } finally {
      stream.close();
    }
    const refused = await EventClient.open(site.portalUrl, operator.cookie, 'topic=configuration');
    expect(refused.status).to.equal(403);
  });

  it('have pools that are drained, told to programs, and resumed, after a question', async () => {
    expect(await shown('/lines')).to.match(/ACCOUNTS SIM .*Drain …/);
    expect(await shown('/pools/ACCOUNTS/drain')).to.include('New calls of its services get 503');
    expect(await order('/pools/ACCOUNTS/drain')).to.deep.equal([303, '/lines?done=pool-drained']);
    expect(lastEntries(site, 1)[0]).to.include({ what: 'pool.drained', subject: 'pool ACCOUNTS', stage: 'done' });
    expect(await shown('/lines')).to.match(/ACCOUNTS Drained SIM 0 .*End the drain …/);
    expect(await shown('/')).to.include('pool ACCOUNTS : an operator has drained it');
    expect(await shown('/pools/ACCOUNTS/drain')).to.include('It is already drained.');
    expect((await operator.post('/pools/ACCOUNTS/drain', {})).status).to.equal(409);
    expect(lastEntries(site, 1)[0]).to.include({ what: 'pool.drained', stage: 'failed' });
    expect(await order('/pools/ACCOUNTS/resume')).to.deep.equal([303, '/lines?done=pool-resumed']);
    expect(lastEntries(site, 1)[0]).to.include({ what: 'pool.resumed', subject: 'pool ACCOUNTS', stage: 'done' });
    expect((await operator.post('/pools/ACCOUNTS/resume', {})).status).to.equal(409);
    expect((await operator.post('/pools/NONE/drain', {})).status).to.equal(404);
  });

  it('say where the portal is when the line that serves the page is stopped beside another', async () => {
    const [, own = ''] = /X-HTTP portal Open (http:\S+)/.exec(await shown('/lines')) ?? [];
    const there = await PortalClient.signedOn({ ...site, portalUrl: own }, OPERATOR);
    const asked = textOf((await there.get('/lines/X-HTTP/stop')).text);
    expect(asked).to.include(`This page uses this line. The portal stays available at ${site.portalUrl}.`);
    expect(await shown('/lines/X-HTTP/stop')).to.not.include('It serves this page');
    const stopped = await there.post('/lines/X-HTTP/stop', {});
    expect(textOf(stopped.text)).to.include(`The portal is also at ${site.portalUrl}.`);
    await eventually(async () => ((await shown('/lines/X-HTTP')).includes('State Stopped') ? true : undefined));
  });

  it('keep the portal line that serves the page', async () => {
    expect(await shown('/lines/W-HTTP')).to.include('It cannot be stopped. It is the only open portal line');
    const { status, text } = await operator.post('/lines/W-HTTP/stop', {});
    expect(status).to.equal(409);
    expect(textOf(text)).to.include('only open portal line');
    expect(lastEntries(site, 1)[0]).to.include({ who: 'OPERA', what: 'line.stopped', stage: 'failed' });
    expect((await operator.get('/lines/NONE')).status).to.equal(404);
    const forged = await operator.post('/lines/C-HTTP/stop', { TOKEN: 'x' });
    expect(forged.status).to.equal(403);
  });

  it('are served without a sign-on to nobody', async () => {
    expect((await fetch(`${site.portalUrl}/lines`)).status).to.equal(401);
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    expect((await administrator.get('/lines')).status).to.equal(200);
  });
});
