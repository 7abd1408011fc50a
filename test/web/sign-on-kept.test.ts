import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';
import { PortalClient } from './portal-client.js';

const SIGN_ONS_PER_USER = 50;
const MOST_COOKIES_OF_NAME = 10;

/** What a browser or a program that has signed on may still do when something has changed since. */
describe('a sign-on that is kept', () => {
  let site: PortalSite;
  before(async () => {
    site = await startPortalSite({ crypts: '' });
  });
  after(() => site?.stop());

  it('goes by the role that the user has now: an administrator who is demoted changes nothing any more', async () => {
    const boss = { name: 'BOSS', password: 'boss-Geheim-55' } as const;
    await site.users.addUser({ name: boss.name, role: 'administrator', groups: [], expires: undefined }, boss.password);
    const browser = await PortalClient.signedOn(site, boss);
    expect((await browser.get('/new/user')).status).to.equal(200);
    await site.users.changeUser(boss.name, { role: 'operator' });
    expect((await browser.get('/new/user')).status).to.equal(403);
    expect((await browser.post('/groups', { GROUP: 'MINE' })).status).to.equal(403);
    expect(await site.users.findGroup('MINE')).to.equal(undefined);
    expect((await browser.get('/users')).status, 'what an operator may see').to.equal(200);
  });

  it('ends where its browser signs on anew: the cookie before is good for nothing', async () => {
    const path = '/TERMINAL.HTML+TSO4';
    const browser = new SignOnClient(site.clientUrl);
    expect((await browser.signOn(path, ANNA.name, ANNA.password)).status).to.equal(303);
    const before = new SignOnClient(site.clientUrl);
    for (const [name, value] of browser.cookies) before.cookies.set(name, value);
    expect((await before.request(path)).status).to.equal(200);
    const { text } = await new SignOnClient(site.clientUrl).request(path);
    expect((await browser.post(path, browser.fieldsFor(text, ANNA.name, ANNA.password))).status).to.equal(303);
    expect((await browser.request(path)).status).to.equal(200);
    expect((await before.request(path)).status).to.equal(401);
  });

  it('ends its sessions where it gives way, as there are as many of its user as there may be', async () => {
    const many = { name: 'MANY', password: 'many-Geheim-66' } as const;
    await site.users.addUser({ name: many.name, role: 'user', groups: [], expires: undefined }, many.password);
    const path = '/TERMINAL.HTML+TSO4';
    const signedOn = async () => {
      const browser = new SignOnClient(site.clientUrl);
      expect((await browser.signOn(path, many.name, many.password)).status).to.equal(303);
      const session = /\/w2h\/[^"]*\+\+SvcSession=[^"]*/.exec((await browser.request(path)).text)?.[0] ?? 'none';
      return { status: async () => (await browser.request(session)).status };
    };
    const [first, second] = [await signedOn(), await signedOn()];
    for (let more = 2; more < SIGN_ONS_PER_USER; more++) {
      await new SignOnClient(site.clientUrl).signOn(path, many.name, many.password);
    }
    expect([await first.status(), await second.status()]).to.deep.equal([200, 200]);
    await new SignOnClient(site.clientUrl).signOn(path, many.name, many.password);
    await eventually(async () => ((await first.status()) === 200 ? undefined : true));
    expect(await second.status()).to.equal(200);
  });

  it('takes along the sessions of the same user in its browser, and ends them all with itself', async () => {
    const path = '/TERMINAL.HTML+TSO4';
    const browser = new SignOnClient(site.clientUrl);
    const other = new SignOnClient(site.clientUrl);
    const begun = async (client: SignOnClient) =>
      /\/w2h\/[^"]*\+\+SvcSession=[^"]*/.exec((await client.request(path)).text)?.[0] ?? 'none';
    const statusOf = async (client: SignOnClient, session: string) => (await client.request(session)).status;
    await browser.signOn(path, ANNA.name, ANNA.password);
    await other.signOn(path, ANNA.name, ANNA.password);
    const sessions = [await begun(browser)];
    const elsewhere = await begun(other);
    for (let times = 0; times < 2; times++) {
      const { text } = await new SignOnClient(site.clientUrl).request(path);
      await browser.post(path, browser.fieldsFor(text, ANNA.name, ANNA.password));
      sessions.push(await begun(browser));
    }
    for (const session of sessions) expect(await statusOf(browser, session), 'signed on anew').to.equal(200);
    expect((await browser.post('/signoff', {})).status).to.equal(303);
    for (const session of sessions) {
      await eventually(async () => ((await statusOf(browser, session)) === 200 ? undefined : true));
    }
    expect(await statusOf(other, elsewhere), 'in another browser').to.equal(200);
  });

  it(`is looked for among the first ${MOST_COOKIES_OF_NAME} cookies of its name`, async () => {
    const path = '/TERMINAL.HTML+TSO4';
    const browser = new SignOnClient(site.clientUrl);
    await browser.signOn(path, ANNA.name, ANNA.password);
    const own = browser.cookie;
    browser.cookies.clear();
    const statusAfter = async (others: number) => {
      const planted = Array.from({ length: others }, () => `SvcSignon=${'x'.repeat(32)}`);
      return (await browser.request(path, { headers: { Cookie: [...planted, own].join('; ') } })).status;
    };
    expect(await statusAfter(MOST_COOKIES_OF_NAME - 1)).to.equal(200);
    expect(await statusAfter(MOST_COOKIES_OF_NAME)).to.equal(401);
  });

  it('leaves no session behind that began while its user signed off', async () => {
    const path = '/TERMINAL.HTML+TSO4';
    let begun = 0;
    for (let turns = 0; turns < 40; turns++) {
      const browser = new SignOnClient(site.clientUrl);
      await browser.signOn(path, ANNA.name, ANNA.password);
      const beginning = browser.request(path);
      // server and client share this event loop: from turn to turn the server is further with the page
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      const signedOff = browser.post('/signoff', {});
      for (const { text } of [await beginning, await signedOff]) {
        const [session] = /\/w2h\/[^"]*\+\+SvcSession=[^"]*/.exec(text) ?? [];
        if (session === undefined) continue;
        begun++;
        await eventually(async () => ((await browser.request(session)).status === 200 ? undefined : true));
      }
    }
    expect(begun, 'sessions that were ended').to.be.greaterThan(0);
  });

  it('is told on the pages of its sessions', async () => {
    const path = '/TERMINAL.HTML+TSO4';
    const browser = new SignOnClient(site.clientUrl);
    await browser.signOn(path, ANNA.name, ANNA.password);
    expect((await browser.request(path)).text).to.include('<span>TSO4, ANNA</span>');
  });
});
