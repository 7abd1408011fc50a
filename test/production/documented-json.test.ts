import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';

const page = readFileSync(join(projectFolder, 'docs', 'write', 'json-api.md'), 'utf8');
const JSON_WANTED = { Accept: 'application/json' };

/** The words in code of the cells of a table, below a heading. */
function named(heading: string, column: number): string[] {
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) =>
    [...(row.split('|')[column] ?? '').matchAll(/`([a-zA-Z]+)`/g)].map(([, word = '']) => word),
  );
}

/** What docs/write/json-api.md says is what a server does. */
describe('the documented JSON', () => {
  let site: PortalSite;

  before(async () => {
    site = await startPortalSite({
      crypts: "CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)'",
      transactions: '      TSO: { applicationType: 1, application: SIM, crypt: CRYPT3270, page: TERMINAL.HTML }',
    });
  });
  after(() => site.stop());

  it('of a session has the members that the page names, and ends as it says', async () => {
    const first = await fetch(`${site.clientUrl}/TERMINAL.HTML+TSO`, { headers: JSON_WANTED });
    expect([first.status, first.headers.get('content-type')]).to.deep.equal([200, 'application/json']);
    const screen = (await first.json()) as { action: string; fields: readonly object[] };
    const sometimes = ['notice', 'operatorError', 'programCheck'];
    const members = named('Sessions', 1).filter((name) => !sometimes.includes(name));
    expect(members).to.have.members(Object.keys(screen));
    const ofFields = new Set(screen.fields.flatMap((field) => Object.keys(field)));
    expect(named('Sessions', 2)).to.include.members([...ofFields]);

    const headers = { ...JSON_WANTED, Cookie: first.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const submit = (pf: string) =>
      fetch(site.clientUrl + screen.action, { method: 'POST', headers, body: new URLSearchParams({ pf }) });
    const sessions = await fetch(`${site.clientUrl}/w2h/sessions`, { headers });
    expect(await sessions.json()).to.have.keys('sessions', 'applications');
    const validate = screen.action.replace('SvcSession=', 'ValidateSvcSession=');
    expect((await fetch(site.clientUrl + validate, { headers })).status).to.equal(304);
    expect(await (await submit('DISCONNECT')).json()).to.deep.equal({ ended: 'disconnected' });
    expect((await submit('ENTER')).status).to.equal(404);
  });

  it('of what goes wrong has code, message and request id', async () => {
    const reply = await fetch(`${site.clientUrl}/TERMINAL.HTML+NOPE`, { headers: JSON_WANTED });
    const { requestId, ...said } = (await reply.json()) as { requestId: string };
    const example = JSON.parse(/^\{"code".*$/m.exec(page)?.[0] ?? '') as Record<string, string>;
    expect([reply.status, { ...said, requestId: example.requestId }]).to.deep.equal([404, example]);
    expect(requestId).to.match(/^\w+-\w+$/);
    expect((await fetch(`${site.clientUrl}/TERMINAL.HTML+NOPE`)).headers.get('content-type')).to.match(/^text\/html/);
  });
});
