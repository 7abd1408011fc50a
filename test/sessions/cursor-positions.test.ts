import { expect } from 'chai';
import { type SessionSite, startSessionSite } from './session-site.js';

/** Fields cursorField and focusField of a submit (specification 4.2), on a screen of 24 x 80: addresses 0 to 77F. */
describe('the cursor of a submit', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      transactions: 'MENU: { applicationType: 1, application: MENU }',
    });
  });

  after(() => site?.stop());

  for (const [sent, refused] of [
    ['P000077F', undefined],
    ['V77F', undefined],
    ['P0000780', 'V0000780'],
    ['VFFFF', 'V000FFFF'],
    ['X1', 'X1'],
  ] as const) {
    it(`${sent} ${refused === undefined ? 'is taken' : 'is refused as one'}`, async () => {
      const headers = { Accept: 'application/json' };
      const opened = await fetch(`${site.url}/LOGON.HTML+MENU`, { headers });
      const { action } = (await opened.json()) as { action: string };
      const body = new URLSearchParams({ pf: 'ENTER', cursorField: sent });
      const answer = await fetch(site.url + action, { method: 'POST', headers, body });
      const { message } = (await answer.json()) as { message?: string };
      if (refused === undefined) expect([answer.status, message]).to.deep.equal([200, undefined]);
      else
        expect([answer.status, message?.split('. ')[1]]).to.deep.equal([
          400,
          `${refused} is not a valid position for the cursor.`,
        ]);
    });
  }
});
