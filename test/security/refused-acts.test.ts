import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AuditTrail } from '../../src/security/audit-trail.js';
import { MOST_RECORDED_ACTS, RefusedActs } from '../../src/security/refused-acts.js';

describe('acts that are refused', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-acts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have an entry each, and past the bound a number of each who tried', async () => {
    const trail = new AuditTrail({ file: join(folder, 'audit.jsonl') });
    const acts = new RefusedActs(trail, (error) => expect.fail(String(error)));
    const [opera, program] = ['OPERA', 'token CALLS'].map((who) => ({ who, from: '192.0.2.1' }));
    if (opera === undefined || program === undefined) return;
    for (let time = 0; time < MOST_RECORDED_ACTS; time++) await acts.note(opera, `POST /groups/${time}`, {});
    await acts.note(program, 'lines C-HTTP stop', { scopes: ['services'] });
    const found = async () =>
      [...(await trail.latest(100))].reverse().map(({ who, subject, after }) => [who, subject, after]);
    const each = [
      ...Array.from({ length: MOST_RECORDED_ACTS }, (_, time) => ['OPERA', `POST /groups/${time}`, {}]),
      ['token CALLS', 'lines C-HTTP stop', { scopes: ['services'] }],
    ];
    expect(await found()).to.deep.equal(each);
    for (let time = 0; time < 41; time++) await acts.note(opera, 'POST /groups', {});
    expect(await found()).to.deep.equal(each);
    await acts.stop();
    expect(await found()).to.deep.equal([...each, ['OPERA', 'further requests', { more: 41 }]]);
    await acts.note(opera, 'POST /groups', {});
    expect((await found()).at(-1)).to.deep.equal(['OPERA', 'POST /groups', {}]);
    await acts.stop();
  });
});
