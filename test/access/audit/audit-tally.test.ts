import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditEntry } from '../../../src/access/audit/audit-entry.js';
import { verifyAuditTrail } from '../../../src/access/audit/audit-verification.js';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { ServiceError } from '../../../src/lib/errors.js';

const MOST_ANONYMOUS_CHANGES = 60;
const NOBODY_SIGNED_ON = 'nobody signed on';

const newYear = Date.UTC(2027, 0, 1);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

describe('the tally of audit entries', () => {
  let folder: string;
  let file: string;
  let now: number;
  let trail: FileAuditTrail;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-tally-'));
    file = join(folder, 'audit.jsonl');
    now = newYear;
    trail = new FileAuditTrail({ file, now: () => now });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const opened = (document: number, who = NOBODY_SIGNED_ON, from = '192.0.2.1'): AuditEntry => ({
    who,
    from,
    what: 'document.opened',
    subject: 'printer P1',
    after: { document },
  });
  const shown = async () =>
    [...(await trail.latest(1000))]
      .reverse()
      .map(({ who, stage, subject, after }) => [who, stage ?? '', subject, after] as const);
  const sent = (name: string, who = NOBODY_SIGNED_ON): AuditEntry => ({
    who,
    from: '192.0.2.1',
    what: 'file.sent',
    subject: 'host H',
    after: { file: name },
  });
  const refuse = async () => {
    throw new Error('the host refuses it');
  };
  const unwritable = () => {
    renameSync(file, `${file}.kept`);
    mkdirSync(file);
  };
  const writable = () => {
    rmdirSync(file);
    renameSync(`${file}.kept`, file);
  };

  it('has the first of what is alike at once, and the number and the times of the repeats at the end of the window', async () => {
    for (let time = 0; time < 500; time++) {
      await trail.note(opened(1));
      now += 10;
    }
    expect(await shown()).to.deep.equal([[NOBODY_SIGNED_ON, '', 'printer P1', { document: 1 }]]);
    await trail.settle();
    const repeats = { document: 1, more: 499, first: '2027-01-01T00:00:00.010Z', last: '2027-01-01T00:00:04.990Z' };
    expect((await shown()).slice(1)).to.deep.equal([[NOBODY_SIGNED_ON, '', 'printer P1', repeats]]);
    await trail.note(opened(1));
    expect(await shown()).to.have.length(3);
    expect(await verifyAuditTrail(file)).to.include({ kind: 'unbroken', entries: 3 });
  });

  it('has thirty entries of a client at most, and a number past them, beside those of others', async () => {
    for (let document = 1; document <= 30; document++) await trail.note(opened(document));
    expect(await shown()).to.have.length(30);
    for (let document = 31; document <= 90; document++) await trail.note(opened(document));
    await trail.note(opened(31, 'ANNA'));
    await trail.settle();
    const entries = await shown();
    expect(entries).to.have.length(32);
    expect(entries[30]).to.deep.equal(['ANNA', '', 'printer P1', { document: 31 }]);
    const time = '2027-01-01T00:00:00.000Z';
    expect(entries[31]).to.deep.equal([NOBODY_SIGNED_ON, '', 'several', { more: 60, first: time, last: time }]);
  });

  it('has one entry for each kind past its bound, with the number of addresses', async () => {
    const refused = (at: number): AuditEntry => ({
      who: 'OPERA',
      from: `10.0.0.${at}`,
      what: 'operation.refused',
      subject: 'POST /groups',
    });
    const all = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => trail.note(refused(at))));
    await all(200);
    await trail.settle();
    expect((await trail.latest(1))[0]).to.include({ sequence: 200, from: '10.0.0.199' });
    await all(201);
    await trail.settle();
    const [last] = await trail.latest(1);
    expect(last).to.deep.include({ sequence: 401, who: 'several', from: 'several', subject: 'several' });
    expect(last?.after).to.include({ more: 1, addresses: 1 });
  });

  it('refuses what would only be counted while the trail cannot be written, and goes on counting afterwards', async () => {
    await trail.note(opened(1));
    await trail.note(opened(1));
    unwritable();
    expect(await codeOf(trail.note(opened(2)))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(await codeOf(trail.note(opened(1)))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(await codeOf(trail.settle())).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    writable();
    await trail.note(opened(1));
    await trail.settle();
    const numbers = (await shown()).map(([, , , after]) => (after as { more?: number }).more ?? 0);
    expect(numbers).to.deep.equal([0, 0, 1]);
  });

  it('lets a repeat wait for the entry that it relies on', async () => {
    mkdirSync(file);
    const both = await Promise.all([codeOf(trail.note(opened(1))), codeOf(trail.note(opened(1)))]);
    expect(both).to.deep.equal(['SVC_ERR_AUDIT_UNAVAILABLE', 'SVC_ERR_AUDIT_UNAVAILABLE']);
  });

  it('counts on when the clock is set', async () => {
    await trail.note(opened(1));
    now -= 3_600_000;
    await trail.note(opened(1));
    now += 7_200_000;
    await trail.note(opened(1));
    await trail.settle();
    expect((await shown()).at(-1)?.[3]).to.deep.equal({
      document: 1,
      more: 2,
      first: '2026-12-31T23:00:00.000Z',
      last: '2027-01-01T01:00:00.000Z',
    });
  });

  it('keeps four entries of a change that is refused again and again', async () => {
    for (let time = 0; time < 300; time++) expect(await codeOf(trail.record(sent('A'), refuse))).to.match(/refuses/);
    const stages = async () => (await trail.latest(10)).map(({ sequence, stage, intent }) => [sequence, stage, intent]);
    expect(await stages()).to.deep.equal([
      [3, 'intended', undefined],
      [2, 'failed', 1],
    ]);
    await trail.settle();
    expect(await stages()).to.deep.equal([
      [4, 'failed', 3],
      [2, 'failed', 1],
    ]);
    const time = '2027-01-01T00:00:00.000Z';
    expect((await trail.latest(1))[0]?.after).to.deep.equal({
      failed: 'the host refuses it',
      more: 299,
      first: time,
      last: time,
    });
    expect(await verifyAuditTrail(file))
      .to.include({ entries: 4 })
      .and.not.have.property('unfinished');
  });

  it('has the intent on disk before every repeat, and an outcome for every change that is made', async () => {
    const intents: (number | undefined)[] = [];
    const look = async () => {
      const [line] = await trail.latest(1);
      intents.push(line?.stage === 'intended' ? line.sequence : undefined);
    };
    await trail.record(sent('A'), refuse).catch(() => {});
    await trail.record(sent('A'), refuse).catch(() => {});
    await trail.record(sent('A'), look);
    await trail.record(sent('A'), look);
    await trail.settle();
    expect(intents).to.deep.equal([3, 5]);
    expect((await trail.latest(10)).map(({ stage, intent }) => [stage, intent])).to.deep.equal([
      ['failed', undefined],
      ['done', 5],
      ['done', 3],
      ['failed', 1],
    ]);
    expect(await verifyAuditTrail(file)).to.not.have.property('unfinished');
  });

  it('covers repeats that are under way while one of them changes something', async () => {
    await trail.record(sent('A'), refuse).catch(() => {});
    const begun: (() => void)[] = [];
    const waiting = () => new Promise<void>((resolve) => begun.push(resolve));
    const both = [trail.record(sent('A'), waiting), trail.record(sent('A'), waiting)];
    while (begun.length < 2) await new Promise(setImmediate);
    begun[0]?.();
    await both[0];
    const unfinished = async () => (await trail.state()).unfinished.map(({ sequence }) => sequence);
    expect(await unfinished()).to.deep.equal([4]);
    begun[1]?.();
    await both[1];
    expect(await unfinished()).to.deep.equal([]);
  });

  it('makes no repeat while the trail cannot be written', async () => {
    await trail.record(sent('A'), refuse).catch(() => {});
    await trail.record(sent('A'), refuse).catch(() => {});
    unwritable();
    expect(await codeOf(trail.note(opened(1)))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    let isMade = false;
    const make = async () => {
      isMade = true;
    };
    expect(await codeOf(trail.record(sent('A'), make))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(isMade).to.equal(false);
    writable();
  });

  it('refuses the change past the bound of those who have not signed on, and says when to come again', async () => {
    for (let at = 0; at < MOST_ANONYMOUS_CHANGES; at++) await trail.record(sent(`F${at}`), async () => {});
    let isMade = false;
    const refused = await trail
      .record(sent('ONE-MORE'), async () => {
        isMade = true;
      })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ServiceError).and.include({ code: 'SVC_ERR_AUDIT_PACE' });
    expect(Number((refused as ServiceError).headers['Retry-After'])).to.be.within(1, 60);
    expect(isMade).to.equal(false);
    await trail.record({ ...sent('X'), from: '192.0.2.2' }, async () => {});
    await trail.record(sent('X', 'ANNA'), async () => {});
  });

  it('takes all addresses of an IPv6 network for one client', async () => {
    const from = (at: number) => `2001:db8:0:1::${at.toString(16)}`;
    for (let document = 1; document <= 31; document++) await trail.note(opened(document, 'X', from(document)));
    expect(await shown()).to.have.length(30);
    for (let at = 0; at < MOST_ANONYMOUS_CHANGES; at++)
      await trail.record({ ...sent(`F${at}`), from: from(at) }, async () => {});
    const refused = trail.record({ ...sent('ONE-MORE'), from: from(99) }, async () => {});
    expect(await codeOf(refused)).to.equal('SVC_ERR_AUDIT_PACE');
    await trail.settle();
    expect((await trail.latest(1))[0]).to.include({ from: '2001:db8:0:1::/64' });
  });

  it('keeps every act of operators and administrators', async () => {
    const entry: AuditEntry = { who: 'ADMIN', from: '192.0.2.7', what: 'user.changed', subject: 'user KOLB' };
    for (let time = 0; time < 20; time++) await trail.record(entry, refuse).catch(() => {});
    expect((await trail.latest(1))[0]).to.include({ sequence: 40 });
  });

  it('bounds what one address can write in a minute, of all that it can cause without signing on', async () => {
    const from = '192.0.2.1';
    const jobs: Promise<unknown>[] = [];
    for (let at = 0; at < 10_000; at++) {
      jobs.push(trail.note(opened(at)).catch(() => {}));
      const who = `unknown user ${at}`;
      const after = { method: 'form', reason: 'unknown' };
      const facts = { who, from, what: 'user.signOnRefused', subject: who, after } as const;
      jobs.push(trail.note(facts, { isOfUnknown: true }).catch(() => {}));
      const refused = { who: 'unknown program', from, what: 'token.refused', subject: 'unknown token' } as const;
      jobs.push(trail.note(refused, { isOfUnknown: true }).catch(() => {}));
      jobs.push(trail.record(sent(`FILE${at}`), refuse).catch(() => {}));
    }
    await Promise.all(jobs);
    await trail.settle();
    // 30 + 1 documents, 10 + 1 sign-ons, 1 + 1 programs, 2 for each of 60 files
    expect((await trail.latest(1))[0]?.sequence).to.equal(31 + 11 + 2 + 120);
    expect(statSync(file).size).to.be.lessThan(60_000);
  });
});
