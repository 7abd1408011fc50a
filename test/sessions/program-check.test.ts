import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { openScreen } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

/** The input of the menu: row 3, column 14. */
const OPTION = 'V00000AD';

interface JsonScreen {
  readonly locked: boolean;
  readonly waitingForHost: boolean;
  readonly programCheck?: number;
  readonly notice?: string;
  readonly text: readonly string[];
}

/** A faulty record of the host, as pages and programs are told of it: docs/write/screen-protocol.md, docs/write/browser-sessions.md. */
describe('a program check of a browser session', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      transactions: `MENU: { applicationType: 1, application: MENU }
      LATE: { applicationType: 1, application: LATE }`,
      hosts: `MENU: { simulated: true, start: MENU }
  LATE: { simulated: true, start: MENU, faults: [delay] }`,
    });
  });

  after(() => site?.stop());

  const open = (transaction = 'MENU') => openScreen(site.url, `/WEB2SUB.HTML+${transaction}`);

  async function submit({ action, cookie }: Awaited<ReturnType<typeof open>>, fields: Record<string, string>) {
    const response = await fetch(site.url + action, {
      method: 'POST',
      headers: { Accept: 'application/json', Cookie: cookie },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, screen: (await response.json()) as JsonScreen };
  }

  it('is in the JSON screen, at once and in words; the next submit goes on', async () => {
    const client = await open();
    const { screen } = await submit(client, { pf: 'ENTER', [OPTION]: '6' });
    expect(screen).to.include({ locked: true, waitingForHost: false, programCheck: 755 });
    expect(screen.notice).to.match(/X PROG 755/);
    expect(screen.text[2]).to.match(/Option ===> +6/);
    const next = await submit(client, { pf: 'PF3' });
    expect(next.screen).to.include({ locked: false }).and.not.have.any.keys('programCheck', 'notice');
    expect(next.screen.text[2]).to.match(/Option ===> +User/);
  });

  it('refuses what was sent for the screen that did not come', async () => {
    const client = await open('LATE');
    const results = await Promise.all([
      submit(client, { pf: 'ENTER', [OPTION]: '6' }),
      submit(client, { pf: 'ENTER', [OPTION]: '2' }),
    ]);
    expect(results.map(({ status }) => status).sort()).to.deep.equal([200, 502]);
  });

  it('is the lock of the page, until its next submit; a second one is another', async () => {
    const client = await open();
    await client.connect();
    await client.message(({ k }) => k === 's');
    client.key(1, 'ENTER', { [OPTION]: '6' });
    await eventually(() => (client.lock === 'programCheck 755/1' ? true : undefined));
    client.key(2, 'PF03');
    await eventually(() => (client.lock === 0 ? true : undefined));
    client.key(3, 'ENTER', { [OPTION]: '6' });
    await eventually(() => (client.lock === 'programCheck 755/2' ? true : undefined));
    client.cut();
  });
});
