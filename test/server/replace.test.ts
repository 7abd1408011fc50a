import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ExchangeSite, NamedService } from './exchange-site.js';

const CALL = '/PAGE.HTML+CALL';
const CRYPT = "CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)'";

/** A server whose configuration is exchanged under requests. */
describe('exchange of parts', () => {
  const first = new NamedService('first');
  const second = new NamedService('second');
  let firstSite = '';
  let secondSite = '';
  let site: ExchangeSite;

  before(async () => {
    [firstSite, secondSite] = await Promise.all([first.listen(), second.listen()]);
  });
  beforeEach(async () => {
    site = new ExchangeSite();
    await site.start({ service: firstSite });
  });
  afterEach(async () => {
    first.letGo();
    await site.stop();
  });
  after(() => Promise.all([first.close(), second.close()]));

  const everythingNew = () => ({ pages: 'new/pages', scenarios: 'new/scenarios', service: secondSite });

  it('serves the old or the new all the while, and never something of both', async () => {
    const answers = new Set<string>();
    let isOver = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver) answers.add(await site.text(CALL));
    });
    const [old, fresh] = [
      '200 old page, old scenario, first, first',
      '200 new page, new scenario, second, second',
    ] as const;
    for (let round = 0; round < 5; round++) {
      const replaced = await site.replace(everythingNew());
      expect(replaced).to.deep.equal({ takenOver: ['directories', 'scenarios', 'outboundLines'], needsRestart: [] });
      expect(await site.text(CALL)).to.equal(fresh);
      await site.replace({ service: firstSite });
      expect(await site.text(CALL)).to.equal(old);
    }
    isOver = true;
    await Promise.all(clients);
    expect(
      [...answers].every((answer) => answer === old || answer === fresh),
      [...answers].join('\n'),
    ).to.equal(true);
  });

  it('ends a request under way with what it began with, calls that it has yet to make too', async () => {
    first.hold();
    const underWay = site.text(CALL);
    await eventually(() => (first.callsHeld === 1 ? true : undefined));
    await site.replace(everythingNew());
    expect(await site.text(CALL)).to.equal('200 new page, new scenario, second, second');
    first.letGo();
    expect(await underWay).to.equal('200 old page, old scenario, first, first');
  });

  it('takes over transactions, and the entry point of a line', async () => {
    expect(await site.text('/PAGE.HTML+MORE')).to.match(/^404 /);
    const transactions = "MORE: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: CALL }";
    const more = `  OTHER: { directory: PAGES, transactions: { ${transactions} } }`;
    expect(await site.replace({ service: firstSite, more })).to.deep.equal({
      takenOver: ['entryPoints'],
      needsRestart: [],
    });
    expect(await site.text('/PAGE.HTML+MORE')).to.match(/^404 /);
    await site.replace({ service: firstSite, more, entryPoint: 'OTHER' });
    expect(await site.text('/PAGE.HTML+MORE')).to.match(/^200 old page/);
    expect(await site.text(CALL)).to.match(/^404 /);
  });

  it('says that nothing has changed where nothing has', async () => {
    expect(await site.replace({ service: firstSite })).to.deep.equal({ takenOver: [], needsRestart: [] });
  });

  it('leaves everything as it is where one part cannot work with the new configuration', async () => {
    const missing = { ...everythingNew(), tls: '{ ca: ./nowhere.pem }' };
    let reason = '';
    await site.replace(missing).catch((error: Error) => {
      reason = error.message;
    });
    expect(reason).to.include('nowhere.pem');
    expect(await site.text(CALL)).to.equal('200 old page, old scenario, first, first');
    await site.replace(everythingNew());
    expect(await site.text(CALL)).to.equal('200 new page, new scenario, second, second');
  });

  for (const [what, settings] of [
    ['tct.crypts', { tct: CRYPT }],
    ['sessions', { sessions: '{ keysReady: 2 }' }],
    ['hosts.SIM', { hosts: 'SIM: { simulated: true, users: { DEMO: demo } }' }],
    ['demo', { more: "demo: { currencyService: '127.0.0.1:41085' }" }],
    ['data', { data: './elsewhere' }],
    ['security', { more: 'security: { realm: Elsewhere }' }],
    ['macros', { more: 'macros: ./macros' }],
    ['log', { more: 'log: { level: debug }' }],
  ] as const) {
    it(`says that ${what} needs a restart, and takes over the rest`, async () => {
      const { takenOver, needsRestart } = await site.replace({ ...everythingNew(), ...settings });
      expect(needsRestart.map((refusal) => refusal.what)).to.deep.equal([what]);
      expect(needsRestart[0]?.reason).to.match(/^\w.*\w$/);
      expect(takenOver).to.deep.equal(['directories', 'scenarios', 'outboundLines']);
      expect(await site.text(CALL)).to.equal('200 new page, new scenario, second, second');
    });
  }

  it('takes over no transaction whose field encryption it does not have', async () => {
    const changed = {
      service: firstSite,
      tct: CRYPT,
      transactions: 'TSO: { applicationType: 1, application: HOST, crypt: CRYPT3270 }',
      hosts: "HOST: { address: '127.0.0.1:9' }",
    };
    const { takenOver, needsRestart } = await site.replace(changed);
    expect(takenOver).to.deep.equal(['hosts.HOST']);
    expect(needsRestart.map(({ what }) => what)).to.deep.equal(['tct.crypts', 'entryPoints']);
    expect(await site.text('/PAGE.HTML+TSO')).to.match(/^404 /);
  });

  it('carries out replacements one after the other', async () => {
    await Promise.all([site.replace(everythingNew()), site.replace({ service: firstSite })]);
    expect(await site.text(CALL)).to.equal('200 old page, old scenario, first, first');
  });
});
