import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { ExchangeSite } from './exchange-site.js';

/** Write with keyboard restore, the cursor at the start, and letters from A to I. */
const drawing = (text: string) =>
  `0000000000 f5 c2 11 40 40 ${Buffer.from([...text].map((letter) => letter.charCodeAt(0) - 0x41 + 0xc1)).toString('hex')} 13 ffef`;

/** Sessions with hosts, of which the configuration has others by and by. */
describe('exchange of parts under sessions', () => {
  const [oldHost, newHost] = [new ScriptedHost(), new ScriptedHost()];
  let site: ExchangeSite;
  const hosts: string[] = [];
  const transactions = 'TSO: { applicationType: 1, application: HOST }';

  before(async () => {
    for (const host of [oldHost, newHost]) hosts.push(`HOST: { address: '127.0.0.1:${await host.listen()}' }`);
    site = new ExchangeSite();
    for (const version of ['old', 'new']) {
      site.write(
        version,
        'pages/SCREEN.HTML',
        `<!--SVC start="{{{" end="}}}" -->${version} {{{SESSION-CODE}}} {{{COPY-FROM (1,1,8)}}}`,
      );
    }
    await site.start({ hosts: hosts[0] ?? '', transactions });
  });
  after(async () => {
    await site.stop();
    await Promise.all([oldHost.close(), newHost.close()]);
  });

  async function begin(host: ScriptedHost, text: string): Promise<string> {
    const before = host.sockets.length;
    const page = site.text('/SCREEN.HTML+TSO');
    await eventually(() => (host.sockets.length > before ? true : undefined));
    await host.send(AGREEMENT);
    await host.send(BIND);
    await host.send(drawing(text));
    return page;
  }

  it('keeps host and pages of a session that is open, and gives new ones the new', async () => {
    const opened = await begin(oldHost, 'CAFE');
    expect(opened).to.match(/^200 old \S+ CAFE/);
    const replaced = await site.replace({ hosts: hosts[1] ?? '', pages: 'new/pages', transactions });
    expect(replaced).to.deep.equal({ takenOver: ['directories', 'hosts.HOST'], needsRestart: [] });
    expect(await begin(newHost, 'DEAF')).to.match(/^200 new \S+ DEAF/);
    await oldHost.send(drawing('FACE'));
    let shown = opened;
    // each page has its own session code, which replaces the previous code
    await eventually(async () => {
      shown = await site.text(`/SCREEN.HTML++${shown.split(' ')[2]}`);
      return shown.includes('CAFE') ? undefined : true;
    });
    expect(shown).to.match(/^200 old \S+ FACE/);
    expect(oldHost.sockets).to.have.length(1);
    expect(newHost.sockets).to.have.length(1);
  });

  it('has no session with a host that is gone, and keeps those that are open', async () => {
    await site.replace({ transactions: '' });
    expect(await site.text('/SCREEN.HTML+TSO')).to.match(/^404 /);
    expect(newHost.sockets[0]?.destroyed).to.equal(false);
  });
});
