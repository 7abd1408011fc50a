import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { PortalClient, textOf } from './portal-client.js';

const TOKEN = /sallyport_[A-Za-z0-9_-]{43}/;

describe('tokens in the portal', () => {
  let site: PortalSite;
  let administrator: PortalClient;

  before(async () => {
    site = await startPortalSite();
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
  });
  after(() => site.stop());

  const kept = (name: string) => readFileSync(join(site.folder, 'data', name), 'utf8');

  it('are added, shown once, listed and revoked, on record', async () => {
    const fields = { NAME: 'billing', SCOPES: 'services:account-inquiry sessions', DAYS: '30' };
    const added = await administrator.post('/tokens', fields);
    expect(added.status).to.equal(200);
    const [token = ''] = TOKEN.exec(added.text) ?? [];
    expect(added.headers.get('cache-control')).to.include('no-store');
    const list = (await administrator.get('/tokens')).text;
    expect(textOf(list)).to.match(/billing\s+services:account-inquiry, sessions\s+until .* UTC\s+never\s+Revoke …/);
    const question = textOf((await administrator.get('/tokens/BILLING/revoke')).text);
    expect(question).to.include('Revoke token billing?').and.include('It was never used.');
    const revoked = await administrator.post('/tokens/billing/revoke', {});
    expect([revoked.status, revoked.headers.get('location')]).to.deep.equal([303, '/tokens?done=token-revoked']);
    expect(textOf((await administrator.get('/tokens?done=token-revoked')).text))
      .to.include('There are no tokens.')
      .and.include('The token was revoked');
    const done = kept('audit.jsonl')
      .split('\n')
      .filter((line) => line.includes('"done"') && line.includes('"token.'));
    expect(done.map((line) => (JSON.parse(line) as { who: string; what: string }).what)).to.deep.equal([
      'token.added',
      'token.revoked',
    ]);
    expect(token).to.match(TOKEN);
    for (const text of [list, question, kept('audit.jsonl'), kept('tokens.json'), site.log()]) {
      expect(text).to.not.include(token);
    }
  });

  it('are refused where a field is wrong, with what was typed', async () => {
    for (const [fields, words] of [
      [{ NAME: 'a b', SCOPES: 'sessions', DAYS: '1' }, 'is not a valid token name.'],
      [{ NAME: 'a', SCOPES: 'all <b>', DAYS: '1' }, '"all" is not a valid scope'],
      [{ NAME: 'a', SCOPES: '', DAYS: '1' }, 'at least one scope'],
      [{ NAME: 'a', SCOPES: 'sessions', DAYS: '0' }, 'is valid for 1 to 3650 days'],
      [{ NAME: 'a', SCOPES: 'sessions', DAYS: '3651' }, 'is valid for 1 to 3650 days'],
      [{ NAME: 'a', SCOPES: 'sessions', DAYS: 'x' }, 'whole number'],
    ] as const) {
      const { status, text } = await administrator.post('/tokens', fields);
      expect(status).to.equal(400);
      expect(textOf(text)).to.include(words);
      expect(text).to.include(`value="${fields.NAME}"`).and.not.include('<b>');
    }
    expect((await administrator.get('/tokens/nobody/revoke')).status).to.equal(404);
  });

  it('are seen by operators, and changed by administrators alone', async () => {
    await administrator.post('/tokens', { NAME: 'seen', SCOPES: 'services', DAYS: '30' });
    const operator = await PortalClient.signedOn(site, OPERATOR);
    const { text } = await operator.get('/tokens');
    expect(textOf(text)).to.include('seen').and.not.include('Revoke').and.not.include('Add a token');
    expect((await operator.post('/tokens', { NAME: 'x', SCOPES: 'services', DAYS: '1' })).status).to.equal(403);
    expect((await operator.post('/tokens/seen/revoke', {})).status).to.equal(403);
  });
});
