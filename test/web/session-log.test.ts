import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';

const MOST_LINES_A_MINUTE = 20;

type Line = Readonly<Record<string, unknown>>;

/** Erase/Write, keyboard unlocked, `HI`. */
const FIRST_SCREEN = `${BIND} 00 00 00 0000 f5c3 c8c9 ffef`;
const HOSTILE_NAME = 'x\u001b[2J\nforged';
/** Of one chunk that takes longer than one peer's turn. */
const FAULTY_RECORDS = 6_000;

/** An auditor asks who was on which logical unit at nine o'clock: the log says it. */
describe('the log of sessions', () => {
  const host = new ScriptedHost();
  let site: PortalSite;

  before(async function () {
    needCommand(this, 'openssl');
    site = await startPortalSite({
      hosts: `SCR: { address: '127.0.0.1:${await host.listen()}' }, GONE: { address: '127.0.0.1:1' }, `,
      transactions: [
        'SCR: { applicationType: 1, application: SCR, security: 1, page: TERMINAL.HTML }',
        'GONE: { applicationType: 1, application: GONE, page: TERMINAL.HTML }',
      ]
        .map((transaction) => `      ${transaction}`)
        .join('\n'),
    });
  });

  after(async () => {
    await site?.stop();
    await host.close();
  });

  const lines = (transaction: string, message: string): Line[] =>
    site
      .log()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.transaction === transaction && line.msg === message);

  it('says at the beginning who is on which logical unit, and at the end for how long, how much, and why', async () => {
    const client = new SignOnClient(site.clientUrl);
    const shown = client.request('/TERMINAL.HTML+SCR', { headers: basic(ANNA.name, ANNA.password) });
    await host.send(AGREEMENT);
    await host.hears('fffa 2803');
    await host.send(FIRST_SCREEN);
    const { status, text } = await shown;
    expect(status).to.equal(200);
    const [began] = lines('SCR', 'session began');
    const who = { kind: 'browser', user: 'ANNA', line: 'C-HTTP', host: 'SCR', lu: 'TEST', remoteAddress: '127.0.0.1' };
    expect(began).to.include(who);
    expect(began?.session).to.match(/^[0-9a-f]{12}$/);
    expect(text).to.not.include(`${began?.session}`);
    const socket = await host.connected();
    // a flood of records that are none (X PROG 750)
    await host.send('0000000000 33 ffef'.repeat(FAULTY_RECORDS));
    // the host, and not the browser, ends it, before all of them had their turn
    socket.end();
    const ended = await eventually(() => lines('SCR', 'session ended')[0]);
    expect(ended).to.include({ ...who, session: began?.session, end: 'hostEnded' });
    expect(ended.bytesToHost).to.equal(host.received.length);
    expect(ended.bytesFromHost).to.equal(socket.bytesWritten);
    expect(ended.milliseconds).to.be.a('number');
    expect(lines('SCR', 'session began')).to.have.length(1);
    expect(lines('SCR', 'the host sent a faulty record')).to.have.length(MOST_LINES_A_MINUTE);
    expect(ended.leftOut).to.equal(FAULTY_RECORDS - MOST_LINES_A_MINUTE);
  });

  it('has both lines of a session that never got to its host, without a logical unit', async () => {
    const { status } = await new SignOnClient(site.clientUrl).request('/TERMINAL.HTML+GONE');
    expect(status).to.equal(502);
    const [[began], [ended]] = [lines('GONE', 'session began'), lines('GONE', 'session ended')];
    expect(began).to.include({ host: 'GONE', kind: 'browser' }).and.not.have.any.keys('lu', 'user');
    expect(ended).to.include({ session: began?.session, end: 'hostEnded', bytesFromHost: 0, bytesToHost: 0 });
    expect(ended?.detail).to.match(/127\.0\.0\.1:1/);
  });

  it('has nothing of who tries to sign on with what would be lines of their own', async () => {
    const headers = basic(HOSTILE_NAME, 'x');
    const { status } = await new SignOnClient(site.clientUrl).request('/TERMINAL.HTML+SCR', { headers });
    expect(status).to.equal(401);
    expect(site.log()).to.not.include('forged');
  });
});
