import { expect } from 'chai';
import { type SessionSite, startSessionSite } from './session-site.js';

interface Screen {
  readonly rows: number;
  readonly columns: number;
  readonly text: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

/** How a URL, a transaction and a host make a session (reference 1.2, 4.6). */
describe('the beginning of a session', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: `MENU: { simulated: true, start: MENU }
  GERMAN: { simulated: true, start: MENU, codePage: IBM273, deviceType: IBM-3278-4-E }
  BUSY: { simulated: true, faults: [busy] }
  SILENT: { simulated: true, faults: [locked] }
  GONE: { address: '127.0.0.1:1' }`,
      transactions: [
        'MENU: { applicationType: 1, application: MENU }',
        'BUSY: { applicationType: 1, application: BUSY }',
        'GONE: { applicationType: 1, application: GONE }',
        'GERMAN: { applicationType: 1, application: GERMAN }',
        "AUTO: { applicationType: 1, application: SIM, tioaAtLogon: 'Userid&/WDEMO&>demo&/AOption&/W2&/A' }",
        "USER: { applicationType: 1, application: SIM, tioaAtLogon: 'Userid&/W&=USER=&>demo&/A' }",
        "KEYS: { applicationType: 1, application: MENU, tioaAtLogon: 'Option&/W4&/AColours&/W&#F3&/AOption&/W&*7D0310&/A' }",
      ].join('\n      '),
    });
  });

  after(() => site?.stop());

  async function begin(words: string): Promise<{ status: number; screen: Screen }> {
    const response = await fetch(`${site.url}/WEB2SUB.HTML+${words}`, { headers: { Accept: 'application/json' } });
    return { status: response.status, screen: (await response.json()) as Screen };
  }

  for (const [words, rows, columns] of [
    ['MENU', 24, 80],
    ['MENU?ROWS=32&COLS=80', 32, 80],
    ['MENU?rows=43&cols=80', 43, 80],
    ['MENU?ROWS=27&COLS=132', 27, 132],
    ['MENU?ROWS=62&COLS=160', 62, 160],
    ['MENU?LOGMODE=D4C32784', 43, 80],
    ['GERMAN', 43, 80],
  ] as const) {
    it(`/${words}: ${rows} x ${columns}`, async () => {
      const { status, screen } = await begin(words);
      expect(status).to.equal(200);
      expect([screen.rows, screen.columns]).to.deep.equal([rows, columns]);
      expect(screen.text[0]).to.include('Sallyport simulated host');
    });
  }

  for (const [words, status, code] of [
    ['MENU?ROWS=256&COLS=80', 400, 'SVC_ERR_REQUEST_PARAMETERS'],
    ['MENU?ROWS=23&COLS=80', 400, 'SVC_ERR_REQUEST_PARAMETERS'],
    ['MENU?ROWS=x', 400, 'SVC_ERR_REQUEST_PARAMETERS'],
    ['MENU?CODEPAGE=nosuch', 400, 'SVC_ERR_REQUEST_PARAMETERS'],
    ['MENU+ForceLUNAME=no%20name', 400, 'SVC_ERR_REQUEST_PARAMETERS'],
    ['BUSY+ForceLUNAME=LU1', 406, 'SVC_ERR_HOST_DEVICE'],
    ['GONE', 502, 'SVC_ERR_HOST_REFUSED'],
  ] as const) {
    it(`/${words}: ${status}`, async () => {
      const answer = await begin(words);
      expect(answer.status).to.equal(status);
      expect(answer.screen.code).to.equal(code);
      // where our hosts are is nobody's business
      expect(answer.screen.message).to.not.match(/127\.0\.0\.1|ECONN/);
    });
  }

  it('gives the logical unit that is asked for, once', async () => {
    const { screen } = await begin('MENU+ForceLUNAME=lu0042');
    expect(screen.text.join('\n')).to.include('LU0042');
    const second = await begin('MENU+TNLUNAME=LU0042');
    expect(second.status).to.equal(406);
    expect(second.screen.message).to.include('It is in use.');
    const headers = { 'Accept-Language': 'de' };
    const third = await fetch(`${site.url}/WEB2SUB.HTML+MENU+TNLUNAME=LU0042`, { headers });
    expect(await third.text())
      .to.include('Sie wird schon benutzt.')
      .and.not.include('lang="en"');
  });

  it('plays the connection script before anybody sees a screen', async () => {
    expect((await begin('AUTO')).screen.text[0]).to.include('Account inquiry');
    expect((await begin('USER?USER=DEMO')).screen.text.join('\n')).to.include('User . . : DEMO');
    // nobody writes orders of the data stream by a parameter
    expect((await begin('USER?USER=D%1DE%11MO')).screen.text.join('\n')).to.include('User . . : DEMO');
  });

  it('presses keys with cursor and without', async () => {
    const { screen } = await begin('KEYS');
    expect(screen.text.join('\n')).to.include('Please select an option');
  });
});
