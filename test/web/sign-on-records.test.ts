import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';
import { auditText, lastEntries, PortalClient, type WrittenEntry } from './portal-client.js';

const from = '127.0.0.1';

describe('sign-ons in the audit trail', () => {
  let site: PortalSite;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      clientLine: 'trustedProxies: [127.0.0.1]',
      transactions: '      T1: { applicationType: 2, security: 1, page: BYE.HTML }',
    });
  });
  after(() => site.stop());

  const last = (count: number) => lastEntries(site, count) as readonly (WrittenEntry & { from: string })[];
  const read = (name: string, password: string, address: string) =>
    fetch(`${site.clientUrl}/BYE.HTML+T1`, { headers: { ...basic(name, password), 'X-Forwarded-For': address } });

  it('are there with user, address and way, at the portal and on client lines', async () => {
    await PortalClient.signedOn(site, ADMINISTRATOR);
    const signedOn = { what: 'user.signedOn', from };
    const { name: admin } = ADMINISTRATOR;
    expect(last(1)[0]).to.deep.include({
      ...signedOn,
      who: admin,
      subject: `user ${admin}`,
      after: { method: 'form' },
    });
    const client = new SignOnClient(site.clientUrl);
    expect((await client.signOn('/TERMINAL.HTML+TSO4', 'anna', ANNA.password)).status).to.equal(303);
    expect(last(1)[0]).to.deep.include({ ...signedOn, who: 'ANNA', after: { method: 'form' } });
    expect((await client.post('/signoff', {})).status).to.equal(303);
    expect(last(1)[0]).to.deep.include({ what: 'user.signedOff', who: 'ANNA', from });
    // a second sign-on with a password that is remembered is one of its own
    await client.signOn('/TERMINAL.HTML+TSO4', 'anna', ANNA.password);
    expect(last(1)[0]).to.deep.include({ ...signedOn, who: 'ANNA', after: { method: 'form' } });
    for (let count = 0; count < 3; count++)
      expect((await read('BERT', BERT.password, '192.0.2.9')).status).to.equal(200);
    const ofBert = last(50).filter(({ who }) => who === 'BERT');
    expect(ofBert).to.have.length(1);
    expect(ofBert[0]).to.deep.include({ what: 'user.signedOn', from: '192.0.2.9', after: { method: 'basic' } });
  });

  it('that were refused say why, and have neither password nor a name that nobody has', async () => {
    expect((await read('anna', 'canary-wrong', '192.0.2.10')).status).to.equal(401);
    expect((await read('canary-name', 'canary-wrong', '192.0.2.10')).status).to.equal(401);
    const [ofAnna, ofNobody] = await eventually(() => {
      const found = last(2);
      return found[1]?.what === 'user.signOnRefused' && found[0]?.what === 'user.signOnRefused' ? found : undefined;
    });
    const refused = { what: 'user.signOnRefused', from: '192.0.2.10' };
    expect(ofAnna).to.deep.include({ ...refused, who: 'ANNA', after: { method: 'basic', reason: 'password' } });
    expect(ofNobody).to.deep.include({ ...refused, after: { method: 'basic', reason: 'unknown' } });
    expect(auditText(site) + site.log()).to.not.include('canary');
  });

  it('from many addresses that are refused keep nobody out, and make few entries', async () => {
    const before = auditText(site).split('\n').length;
    const addresses = Array.from({ length: 40 }, (_, at) => `198.51.100.${at}`);
    const guessing = Promise.all(addresses.map((address, at) => read(`guess${at}`, 'wrong', address)));
    const anna = await read('ANNA', ANNA.password, '192.0.2.77');
    expect(anna.status).to.equal(200);
    for (const { status } of await guessing) expect(status).to.be.oneOf([401, 503]);
    // a minute may end meanwhile
    expect(auditText(site).split('\n').length - before).to.be.at.most(25);
  });

  describe('while the trail cannot be written', () => {
    const trail = () => join(site.folder, 'data', 'audit.jsonl');
    let administrator: PortalClient;

    before(async () => {
      administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
      renameSync(trail(), `${trail()}.kept`);
      mkdirSync(trail());
    });
    after(() => {
      rmSync(trail(), { recursive: true });
      renameSync(`${trail()}.kept`, trail());
    });

    it('are not done: 503, by form and by HTTP Basic, also with a password that is remembered from elsewhere', async () => {
      const client = new SignOnClient(site.clientUrl);
      const reply = await client.signOn('/TERMINAL.HTML+TSO4', 'BERT', BERT.password);
      expect(reply.status).to.equal(503);
      expect([...client.cookies.keys()]).to.not.include('SvcSignon');
      for (let count = 0; count < 2; count++)
        expect((await read('BERT', BERT.password, '192.0.2.12')).status).to.equal(503);
    });

    it('go on where they were done before, and end when their user says so', async () => {
      expect((await administrator.get('/users')).status).to.equal(200);
      expect((await administrator.post('/signoff', {})).status).to.equal(303);
      expect((await administrator.get('/users')).status).to.equal(401);
    });
  });
});
