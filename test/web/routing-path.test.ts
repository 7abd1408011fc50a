import { expect } from 'chai';
import { portOf } from '../lines/listener/definition.js';
import { exchange, statusOf } from '../lines/listener/raw-connection.js';
import { type PortalSite, startPortalSite } from '../support/portal-site.js';

describe('routes, however a path is written', () => {
  let site: PortalSite;

  before(async () => {
    site = await startPortalSite();
  });

  after(() => site.stop());

  // %C5%BF is U+017F, whose upper case is S
  for (const name of ['SECURE', 'secure', '%53ECURE', 'sec%75re', '%73%65%63%75%72%65', '%C5%BFecure']) {
    for (const rest of ['MACROS.HTML', 'MACROS.HTML+USRCAP', 'MACROS.HTML+%55SRCAP', 'MACROS.HTML++x', '', '%2B']) {
      it(`asks for an administrator at /${name}/${rest}`, async () => {
        const { status, headers } = await fetch(`${site.portalUrl}/${name}/${rest}`);
        expect(status).to.equal(401);
        expect(headers.get('www-authenticate')).to.match(/^Basic /);
      });
    }
  }

  for (const path of ['/w2h/user/macros.json', '/W2H/%75ser/MACROS.json', '/w2h/user/macros%2Ejson']) {
    it(`asks who wants ${path}`, async () => {
      const { status } = await fetch(`${site.clientUrl}${path}`, { headers: { Accept: 'application/json' } });
      expect(status).to.equal(401);
    });
  }

  for (const path of ['/signoff', '/%73ignoff', '/SIGNOFF']) {
    it(`signs off at ${path}`, async () => {
      const { status } = await fetch(`${site.clientUrl}${path}`, { method: 'POST', redirect: 'manual' });
      expect(status).to.equal(303);
    });
  }

  it('takes the absolute form, also of an origin that nobody can have', async () => {
    for (const origin of ['http://x', 'http://x:99999', 'http://[1', 'http://%']) {
      const answer = await exchange(
        portOf(site.clientUrl),
        `GET ${origin}/signoff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(statusOf(answer), origin).to.equal(405);
    }
  });
});
