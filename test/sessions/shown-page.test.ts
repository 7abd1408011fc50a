import { expect } from 'chai';
import { ShownPages } from '../../src/web/sessions/shown-page.js';
import { viewOf } from '../../src/web/sessions/view-state.js';
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
  it('is the one that was begun last, whichever is complete first', () => {
    const pages = new ShownPages();
    const [first, second] = [pages.begin(), pages.begin()];
    pages.remember(page('second'), second);
    pages.remember(page('first'), first);
    expect(pages.page.name).to.equal('second');
    const third = pages.begin();
    pages.rememberRevision(7, 'as JSON');
    pages.remember(page('third'), third);
    expect(pages.page.name).to.equal('as JSON');
  });

  it('belongs to its session', async () => {
    const sessions = await HostedSessions.start();
    try {
      const one = await sessions.beginWith('f5c3 1d40 13 00000000 1d60');
      const other = await sessions.beginWith('f5c3 1d40 13 00000000 1d60');
      viewOf(one).shown.rememberRevision(3, 'of one');
      expect(viewOf(one).shown.page).to.include({ name: 'of one', revision: 3 });
      expect(viewOf(other).shown.page).to.include({ name: '', revision: -1 });
      expect(viewOf(one).macros).to.equal(viewOf(one).macros);
      expect(viewOf(one).macros).not.to.equal(viewOf(other).macros);
      expect(viewOf(one).socketPages).to.equal(viewOf(one).socketPages);
      expect(viewOf(one).socketPages).not.to.equal(viewOf(other).socketPages);
    } finally {
      await sessions.stop();
    }
  });
});
