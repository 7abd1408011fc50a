import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';

const MOST_FAILURES = 10;

const PLACE = '/TERMINAL.HTML+TSO4';
const LOCK_AFTER = 3;

describe('a browser that a user has signed on with', () => {
  let site: PortalSite;
  let address = 0;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      clientLine: 'trustedProxies: [127.0.0.1]',
      security: `lockAfter: ${LOCK_AFTER}`,
    });
  });
  after(() => site?.stop());
  afterEach(async () => {
    await site.users.unlock(ANNA.name);
    await site.users.unlock(BERT.name);
  });

  const somewhere = () => `198.51.100.${++address}`;
  const from = (client: string) => ({ 'X-Forwarded-For': client });

  async function signOn(client: SignOnClient, name: string, password: string, at = somewhere()): Promise<number> {
    const { text } = await client.request(PLACE, { headers: from(at) });
    return (await client.post(PLACE, client.fieldsFor(text, name, password), from(at))).status;
  }

  /** With nothing but what its browser was given for the user. */
  async function browserOf({ name, password }: typeof ANNA | typeof BERT): Promise<SignOnClient> {
    const client = new SignOnClient(site.clientUrl);
    expect(await signOn(client, name, password)).to.equal(303);
    client.cookies.delete('SvcSignon');
    expect([...client.cookies.keys()]).to.deep.equal(['SvcDevice']);
    return client;
  }

  async function lock(name: string): Promise<void> {
    for (let at = 0; at < LOCK_AFTER; at++) {
      expect(await signOn(new SignOnClient(site.clientUrl), name, 'wrong')).to.equal(401);
    }
  }

  it('gets a cookie that no script, no other site and no other port without TLS can have or set', async () => {
    const plain = new SignOnClient(site.clientUrl);
    const { text } = await plain.request(PLACE);
    const answer = await plain.post(PLACE, plain.fieldsFor(text, ANNA.name, ANNA.password));
    const device = answer.headers.getSetCookie().find((one) => one.startsWith('SvcDevice='));
    expect(device).to.match(/^SvcDevice=[\w-]{48}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=7776000$/);
    const overTls = { 'X-Forwarded-For': somewhere(), 'X-Forwarded-Proto': 'https' };
    const secure = new SignOnClient(site.clientUrl);
    const form = await secure.request(PLACE, { headers: overTls });
    const fields = secure.fieldsFor(form.text, ANNA.name, ANNA.password);
    const { headers } = await secure.post(PLACE, fields, {
      ...overTls,
      Origin: site.clientUrl.replace('http:', 'https:'),
    });
    expect(headers.getSetCookie().find((one) => one.includes('SvcDevice'))).to.match(
      /^__Host-SvcDevice=[\w-]{48}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=7776000$/,
    );
    // who signs on again keeps what the browser has
    plain.cookies.delete('SvcSignon');
    const again = await plain.post(PLACE, plain.fieldsFor((await plain.request(PLACE)).text, ANNA.name, ANNA.password));
    expect(again.status).to.equal(303);
    expect(again.headers.getSetCookie().join()).not.to.contain('SvcDevice');
  });

  it('lets the user in whom others have locked, and nobody else', async () => {
    const [anna, bert] = [await browserOf(ANNA), await browserOf(BERT)];
    const { cookies } = anna;
    const code = cookies.get('SvcDevice') ?? '';
    await lock(ANNA.name);
    await eventually(async () => (await site.users.findRecord(ANNA.name))?.locked);
    const altered = new SignOnClient(site.clientUrl);
    altered.cookies.set('SvcDevice', `${code[0] === 'A' ? 'B' : 'A'}${code.slice(1)}`);
    const cut = new SignOnClient(site.clientUrl);
    cut.cookies.set('SvcDevice', code.slice(0, 40));
    for (const other of [new SignOnClient(site.clientUrl), bert, altered, cut]) {
      expect(await signOn(other, ANNA.name, ANNA.password)).to.equal(401);
    }
    expect(await signOn(anna, ANNA.name, ANNA.password)).to.equal(303);
    expect((await site.users.findRecord(ANNA.name))?.locked, 'to all others').to.be.a('string');
  });

  it('lets the user in though its address has failed too often', async () => {
    const bert = await browserOf(BERT);
    const at = somewhere();
    for (let nth = 0; nth < MOST_FAILURES; nth++) {
      expect(await signOn(new SignOnClient(site.clientUrl), `NOBODY${nth}`, 'wrong', at)).to.equal(401);
    }
    expect(await signOn(new SignOnClient(site.clientUrl), BERT.name, BERT.password, at)).to.equal(429);
    expect(await signOn(bert, BERT.name, BERT.password, at)).to.equal(303);
  });

  it('has a count of its own, and after as many wrong passwords as lock a user it is like any other', async () => {
    const bert = await browserOf(BERT);
    for (let nth = 0; nth < LOCK_AFTER; nth++) expect(await signOn(bert, BERT.name, `wrong${nth}`)).to.equal(401);
    expect((await site.users.findRecord(BERT.name))?.locked, 'the others are not locked out by it').to.equal(undefined);
    await lock(BERT.name);
    expect(await signOn(bert, BERT.name, BERT.password)).to.equal(401);
  });

  it('is forgotten with the password', async () => {
    const anna = await browserOf(ANNA);
    await site.users.setPassword(ANNA.name, ANNA.password);
    await lock(ANNA.name);
    expect(await signOn(anna, ANNA.name, ANNA.password)).to.equal(401);
  });
});
