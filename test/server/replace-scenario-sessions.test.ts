import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { eventually } from '../support/eventually.js';
import { ExchangeSite } from './exchange-site.js';

/** Says which terminal of which host it has. */
const serve = `SERVE    SCREENS APPL=SERVE,EXEC=NO
         SCENARIO INITIAL
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,RELAY),VAR='LU'
         SEND$ AS-ANSWER,VAR='LU',TYPE='text/plain'
         ACTION$ SERVE-ANOTHER-USER
         SCENARIO END
         SCRNEND
         END
`;

describe('exchange of a host that service transactions have sessions with', () => {
  let site: ExchangeSite;
  const running: SimulatedHost[] = [];

  afterEach(async () => {
    await site.stop();
    for (const host of running.splice(0)) await host.close();
  });

  async function hostWith(device: string): Promise<{ host: SimulatedHost; setting: string }> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: {}, start: 'MENU', deviceNames: [device] });
    running.push(host);
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    return { host, setting: `HOST: { address: '127.0.0.1:${port}' }` };
  }

  const transactions = (logon = '&/S') =>
    `SERVE: { applicationType: 2, application: HOST, tioaAtLogon: '${logon}', initialScenario: SERVE }`;

  it('ends the session that waits, and the next request is served by the new one', async () => {
    const [old, next] = [await hostWith('OLD00001'), await hostWith('NEW00001')];
    site = new ExchangeSite();
    site.write('old', 'scenarios/SERVE.scn', serve);
    const ask = () => site.text('/PAGE.HTML+SERVE');
    await site.start({ hosts: old.setting, transactions: transactions() });
    expect([await ask(), await ask(), old.host.sessions]).to.deep.equal(['200 OLD00001', '200 OLD00001', 1]);
    // what has nothing to do with it leaves the session as it is
    await site.replace({ hosts: old.setting, transactions: transactions(), pages: 'new/pages' });
    expect([await ask(), old.host.sessions]).to.deep.equal(['200 OLD00001', 1]);
    await site.replace({ hosts: next.setting, transactions: transactions() });
    await eventually(() => (old.host.sessions === 0 ? true : undefined));
    expect([await ask(), await ask(), next.host.sessions]).to.deep.equal(['200 NEW00001', '200 NEW00001', 1]);
  });

  it('does so where the script is another one, too', async () => {
    const { host, setting } = await hostWith('ONE00001');
    site = new ExchangeSite();
    site.write('old', 'scenarios/SERVE.scn', serve);
    await site.start({ hosts: setting, transactions: transactions() });
    expect(await site.text('/PAGE.HTML+SERVE')).to.equal('200 ONE00001');
    await site.replace({ hosts: setting, transactions: transactions('&/M &/S') });
    await eventually(() => (host.sessions === 0 ? true : undefined));
    expect([await site.text('/PAGE.HTML+SERVE'), host.sessions]).to.deep.equal(['200 ONE00001', 1]);
  });
});
