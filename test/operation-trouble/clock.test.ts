import { expect } from 'chai';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { openScreen, type ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { setClock, setClockBack } from '../support/set-clock.js';
import { basic } from '../support/sign-on-client.js';
import { lastEntries, PortalClient, textOf } from '../web/portal-client.js';

const TSO = '      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }';
const HOUR = 3_600_000;
const GUESSER = '192.0.2.66';

describe('a clock that is set while the server runs', () => {
  let site: PortalSite;
  let administrator: PortalClient;
  let page: ScreenClient;
  let keys = 0;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      transactions: TSO,
      clientLine: 'trustedProxies: [127.0.0.1]',
      security: 'lockAfter: 3',
    });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    page = await openScreen(site.clientUrl, '/TERMINAL.HTML+TSO');
    await page.connect();
    await page.message(({ k }) => k === 's');
    for (let times = 0; times < 3; times++) expect(await signOn('192.0.2.1', BERT.name, 'wrong')).to.equal(401);
    for (let times = 0; times < 10; times++) expect(await signOn(GUESSER, `NOBODY${times}`, 'wrong')).to.equal(401);
  });
  afterEach(setClockBack);
  after(() => site?.stop());

  async function signOn(from: string, name: string, password: string): Promise<number> {
    const headers = { ...basic(name, password), 'X-Forwarded-For': from };
    return (await fetch(`${site.clientUrl}/w2h/user/macros.json`, { headers })).status;
  }

  for (const [what, ahead] of [
    ['back', -2 * HOUR],
    ['forward', 2 * HOUR],
  ] as const) {
    it(`${what}: nobody is sent home, locks and limits last as long as they should, and everything is on record`, async () => {
      setClock(ahead);
      // who was there goes on
      const before = page.messages.length;
      page.key(++keys, 'ENTER');
      await eventually(() => (page.messages.length > before ? true : undefined));
      expect(page.closed).to.equal(undefined);
      for (const path of ['/', '/sessions', '/lines']) expect((await administrator.get(path)).status).to.equal(200);
      // others come, but for those who may not yet
      expect(await signOn('192.0.2.2', ANNA.name, ANNA.password)).to.be.oneOf([200, 404]);
      expect(await signOn(GUESSER, ANNA.name, ANNA.password)).to.equal(429);
      expect(await signOn('192.0.2.3', BERT.name, BERT.password), 'locked').to.equal(401);
      expect(textOf((await administrator.get('/users/BERT')).text)).to.match(/locked/i);
      // changes are made, and the trail goes on
      expect((await administrator.post('/groups', { GROUP: what })).status).to.equal(303);
      expect(lastEntries(site, 1)[0]).to.include({ what: 'group.added', subject: `group ${what}` });
      const verified = await verifyAuditTrail(`${site.folder}/data/audit.jsonl`);
      expect(verified).to.include({ kind: 'unbroken' });
    });
  }
});
