import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { ADMINISTRATOR, ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';

const PROXY = '127.0.0.1';
/** As many as one address may have wrong, from each of these many. */
const GUESSES = 10;
const ADDRESSES = 60;
const GUESSING_CONNECTIONS = 32;

/** Somebody guesses passwords from a great many addresses; a proxy says which. */
describe('sign-ons that fail, from many addresses', () => {
  let site: PortalSite;
  const agent = new Agent({ keepAlive: true, maxSockets: GUESSING_CONNECTIONS });

  before(async () => {
    site = await startPortalSite({ crypts: '', clientLine: `trustedProxies: [${PROXY}]`, security: 'lockAfter: 1000' });
  });
  after(async () => {
    agent.destroy();
    await site.stop();
  });

  function signOn(from: string, name: string, password: string, using?: Agent): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { ...basic(name, password), 'X-Forwarded-For': from };
      request(`${site.clientUrl}/w2h/user/macros.json`, { headers, agent: using ?? false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end();
    });
  }

  it('keep nobody else away', async () => {
    const statuses: number[] = [];
    let isOver = false;
    const guesses = Array.from({ length: ADDRESSES * GUESSES }, (_, at) =>
      signOn(`10.1.${at % ADDRESSES}.1`, ANNA.name, `guess-${at}`, agent).then((status) => statuses.push(status)),
    );
    const guessing = Promise.all(guesses).finally(() => {
      isOver = true;
    });
    // each comes from an address of its own, all the time that the guesses last
    let times = 0;
    do {
      const from = `192.0.2.${1 + (times % 250)}`;
      expect(await signOn(from, BERT.name, BERT.password), `time ${times}`).to.equal(200);
      times++;
    } while (!isOver);
    await guessing;
    expect(statuses).to.have.length(ADDRESSES * GUESSES);
    expect([...new Set(statuses)].sort().filter((status) => ![401, 429, 503].includes(status))).to.deep.equal([]);
    expect(statuses.filter((status) => status === 401).length, 'some were looked at').to.be.greaterThan(20);
    expect(await signOn('192.0.2.251', ANNA.name, ANNA.password), 'she is not locked yet').to.equal(200);
    expect(await signOn('192.0.2.252', ADMINISTRATOR.name, ADMINISTRATOR.password)).to.equal(200);
    expect(site.log()).to.not.include('guess-');
  });
});
