import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditLine } from '../../../src/access/audit/audit-entry.js';
import { eventually } from '../../support/eventually.js';
import { ServiceSite } from './service-site.js';

const UPDATE = '/api/v1/services/account-update';
const body = { account: '10000001', limit: '77.50' };
const PF5 = 0xf5;

describe('the audit trail, of programs that call services', () => {
  let site: ServiceSite;
  const trail = () => join(site.folder, 'data', 'audit.jsonl');
  const entries = () =>
    readFileSync(trail(), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditLine);

  beforeEach(async () => {
    site = await ServiceSite.open({ pool: 'ready: 1, most: 1' });
    // the trail begins with its first entry
    await site.token('services');
  });
  afterEach(() => site.stop());

  it('has an entry about a token that is refused, with the address and without the token', async () => {
    const token = `sallyport_${'B'.repeat(43)}`;
    expect((await site.request(UPDATE, { token, body })).status).to.equal(401);
    const entry = await eventually(() => entries().find(({ what }) => what === 'token.refused'));
    expect(entry).to.deep.include({
      who: 'unknown program',
      from: '127.0.0.1',
      subject: 'unknown token',
      after: { reason: 'unknown' },
    });
    expect(site.written()).to.not.include(token);
  });

  it('has an entry about a token from before its first request is answered', async () => {
    const token = await site.token('services');
    expect((await site.request('/api/v1/services', { token })).status).to.equal(200);
    const used = entries().filter(({ what }) => what === 'token.used');
    expect(used).to.have.length(1);
    expect(used[0]).to.deep.include({ from: '127.0.0.1', who: used[0]?.subject });
  });

  it('lets no program do anything while it cannot be written, and all of it afterwards', async () => {
    const token = await site.token('services', 'sessions');
    const kept = `${trail()}.kept`;
    renameSync(trail(), kept);
    mkdirSync(trail());
    const calls = () =>
      [
        ['POST', UPDATE, body],
        ['POST', '/api/v1/sessions', { transaction: 'TSO' }],
        ['GET', '/api/v1/services', undefined],
        ['GET', '/api/v1/openapi.json', undefined],
      ] as const;
    for (const [method, path, sent] of calls()) {
      const headers = { 'idempotency-key': 'once' };
      const reply = await site.request(path, { token, method, body: sent, ...(method === 'POST' ? { headers } : {}) });
      expect([reply.status, reply.body.code], path).to.deep.equal([503, 'audit-unavailable']);
    }
    expect(site.relay.pressed).to.not.include(PF5);
    rmSync(trail(), { recursive: true });
    renameSync(kept, trail());
    const statuses = [];
    for (const [method, path, sent] of calls()) {
      statuses.push((await site.request(path, { token, method, body: sent })).status);
    }
    expect(statuses).to.deep.equal([200, 201, 200, 200]);
    expect(site.relay.pressed.filter((aid) => aid === PF5)).to.have.length(1);
  }).timeout(20_000);
});
