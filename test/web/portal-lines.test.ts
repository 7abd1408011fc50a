import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { lastEntries, PortalClient, textOf } from './portal-client.js';

describe('lines, hosts and pools in the portal', () => {
  let site: PortalSite;
  let operator: PortalClient;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      transactions: '      TSO: { applicationType: 1, application: SIM }',
      hosts: "AWAY: { address: '127.0.0.1:9' }, ",
      lines: "  O-HTTP: { outbound: true, site: '127.0.0.1:9' }",
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
      .to.include('No further sessions begin at it')
      .and.include('1 session.');
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
    expect(await shown('/lines/C-HTTP/stop')).to.include('Its sessions end: 2 sessions.');
    expect(await order('/lines/C-HTTP/stop')).to.deep.equal([303, '/lines/C-HTTP?done=line-stopped']);
    await eventually(async () => ((await shown('/lines/C-HTTP')).includes('State Stopped') ? true : undefined));
    expect(await session()).to.equal(0);
    expect(await shown('/lines/C-HTTP/stop')).to.include('It does not listen.');
    expect(await order('/lines/C-HTTP/start')).to.deep.equal([303, '/lines/C-HTTP?done=line-started']);
    expect(await shown('/lines/C-HTTP'))
      .to.include('State Open')
      .and.include('Sessions 0');
  });

  it('keep the portal line that serves the page', async () => {
    expect(await shown('/lines/W-HTTP')).to.include('It cannot be stopped. It is the only portal line that is open');
    const { status, text } = await operator.post('/lines/W-HTTP/stop', {});
    expect(status).to.equal(409);
    expect(textOf(text)).to.include('only portal line');
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
