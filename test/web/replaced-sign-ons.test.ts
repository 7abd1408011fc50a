import { expect } from 'chai';
import { ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';
import { lastEntries } from './portal-client.js';

const PATH = '/TERMINAL.HTML+TSO4';
const REPLACED = 'Your sign-on has ended: too many were open, and a newer one replaced it. Sign on again.';

describe('a sign-on past security.signOnsPerUser', () => {
  let site: PortalSite;

  before(async () => {
    site = await startPortalSite({ security: 'signOnsPerUser: 2' });
  });
  after(() => site?.stop());

  async function signedOn({ name, password }: { readonly name: string; readonly password: string }) {
    const browser = new SignOnClient(site.clientUrl);
    expect((await browser.signOn(PATH, name, password)).status).to.equal(303);
    return browser;
  }

  it('replaces the oldest one of its user; page, form, log and audit trail give the reason', async () => {
    const [first, second, other] = [await signedOn(ANNA), await signedOn(ANNA), await signedOn(BERT)];
    const page = await first.request(PATH);
    const action = /\/w2h\/[^"]*\+\+SvcSession=[^"]*/.exec(page.text)?.[0] ?? 'none';
    const watching = new ScreenClient(site.clientUrl, action, first.cookie);
    await watching.connect();
    for (const browser of [first, second, other]) expect((await browser.request(PATH)).status).to.equal(200);

    await signedOn(ANNA);
    const end = await eventually(() => watching.messages.find(({ k }) => k === 'e'));
    expect(JSON.stringify(end)).to.include('signOnReplaced');
    const form = await first.request(PATH);
    expect(form.status).to.equal(401);
    expect(form.text).to.include(REPLACED);
    const json = await first.request(PATH, { headers: { Accept: 'application/json' } });
    expect(json.status).to.equal(401);
    expect(json.text).to.include('SVC_ERR_SIGNON_REPLACED');
    for (const browser of [second, other]) expect((await browser.request(PATH)).status).to.equal(200);

    const line = site
      .log()
      .split('\n')
      .find((text) => text.includes('a newer sign-on has replaced the oldest one'));
    expect(JSON.parse(line ?? '{}')).to.include({
      user: ANNA.name,
      by: ANNA.name,
      reason: 'limit of the user (security.signOnsPerUser)',
    });
    expect(site.log()).to.include('"end":"signOnReplaced"');
    const entry = await eventually(() => lastEntries(site, 20).find(({ what }) => what === 'user.signedOff'));
    expect(entry).to.deep.include({
      who: ANNA.name,
      subject: `user ${ANNA.name}`,
      after: { reason: 'limit of the user (security.signOnsPerUser)' },
    });
  });

  it('replaces the oldest one in the portal, too, and a browser that never signed on is told nothing of it', async () => {
    const browsers: SignOnClient[] = [];
    for (let count = 0; count < 3; count++) {
      const browser = new SignOnClient(site.portalUrl);
      await browser.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
      browsers.push(browser);
    }
    const [first, second, third] = await Promise.all(browsers.map((browser) => browser.request('/')));
    expect([first?.status, second?.status, third?.status]).to.deep.equal([401, 200, 200]);
    expect(first?.text).to.include(REPLACED);
    expect((await new SignOnClient(site.portalUrl).request('/')).text).to.not.include(REPLACED);
  });
});
