import { expect } from 'chai';
import { compileTemplate } from '../../src/templates/compile.js';
import { issueForPage, sessionContext } from '../../src/web/sessions/session-context.js';
import { renderAtOnce } from '../templates/context-of.js';
import { HostedSessions } from './hosted-session.js';

const compiled = (body: string) =>
  compileTemplate(`<!--SVC start="{{{" end="}}}" -->${body}`, { file: 'page.html', sourceCharset: 'UTF-8' });
const INPUT = 'f5c3 1d40 13 0000000000000000 1d60';

describe('what a page issues', () => {
  let sessions: HostedSessions;

  before(async () => {
    sessions = await HostedSessions.start();
  });

  after(() => sessions.stop());

  it('is known of the template, also where a condition decides', () => {
    const own = 'GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID';
    const { uses } = compiled(
      `{{{WHEN-EXISTS "X"}}}{{{SESSION-CODE}}}{{{SET-HEADER (${own}) "x-a:"}}}{{{SET-HEADER (${own}) "x-b:"}}}{{{END-WHEN-EXISTS "X"}}}`,
    );
    expect([uses.sessionCode, uses.capabilities]).to.deep.equal([true, [own]]);
    const { uses: none } = compiled('{{{AJAX-SESSION-CODE}}}{{{SET-HEADER (AS-IS) "x-a: b"}}}');
    expect([none.sessionCode, none.capabilities]).to.deep.equal([false, []]);
  });

  it('is issued before, once: rendering again issues nothing', async () => {
    const session = await sessions.beginWith(INPUT);
    const { registry } = sessions.service;
    const template = compiled('{{{SESSION-CODE}}} {{{SESSION-CODE}}}');
    // two codes are kept: a third one would be the end of the first
    const before = registry.changeCode(session);
    const issued = await issueForPage(template.uses, session, sessions.service, undefined);
    const context = sessionContext(template, {
      session,
      screen: session.formScreen(),
      names: new Map(),
      codePage: 'IBM1147',
      macros: undefined,
      settings: { ofSite: () => '{}', isStored: false },
      issued,
      embedders: [],
      printing: { isReady: false, printedText: undefined },
      language: 'en',
    });
    const code = `SvcSession=${issued.code}`;
    for (let times = 0; times < 3; times++) expect(renderAtOnce(template, context).text).to.equal(`${code} ${code}`);
    for (const each of [before, issued.code ?? ''])
      expect(registry.find(each, 'LINE', []), 'still leads to its session').to.equal(session);
  });

  it('is nothing where the page asks for nothing', async () => {
    const session = await sessions.beginWith(INPUT);
    const { registry } = sessions.service;
    const { uses } = compiled('{{{AJAX-SESSION-CODE}}}');
    const before = registry.changeCode(session);
    for (let times = 0; times < 3; times++) {
      expect(await issueForPage(uses, session, sessions.service, undefined)).to.deep.equal({
        code: undefined,
        capabilities: new Map(),
      });
    }
    expect(registry.find(before, 'LINE', [])).to.equal(session);
  });
});
