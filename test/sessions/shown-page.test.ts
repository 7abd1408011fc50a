import { expect } from 'chai';
import { beginPage, rememberPage, rememberRevision, shownPageOf } from '../../src/web/sessions/shown-page.js';
import { HostedSessions } from './hosted-session.js';

const page = (name: string) => ({
  uses: undefined,
  fieldNames: new Map(),
  offeredFields: [],
  offeredChoices: new Map(),
  revision: 1,
  name,
});

describe('the page that a session has shown last', () => {
  let sessions: HostedSessions;

  before(async () => {
    sessions = await HostedSessions.start();
  });

  after(() => sessions.stop());

  it('is the one that was begun last, whichever is complete first', async () => {
    const session = await sessions.beginWith('f5c3 1d40 13 00000000 1d60');
    const [first, second] = [beginPage(), beginPage()];
    rememberPage(session, page('second'), second);
    rememberPage(session, page('first'), first);
    expect(shownPageOf(session).name).to.equal('second');
    const third = beginPage();
    rememberRevision(session, 7, 'as JSON');
    rememberPage(session, page('third'), third);
    expect(shownPageOf(session).name).to.equal('as JSON');
  });
});
