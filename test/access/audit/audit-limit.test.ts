import { expect } from 'chai';
import type { EntryJson } from '../../../src/access/audit/audit-entry.js';
import { AuditWriting } from '../../../src/access/audit/audit-writing.js';
import type { ServiceError } from '../../../src/lib/errors.js';

const entry = (subject: string) => ({ who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject });
const HOUR = 3_600_000;

describe('entries of the audit trail that wait for those before them', () => {
  /** A trail whose first append ends when `finish` says so. */
  function slowTrail(limits: readonly number[]) {
    const appended: (readonly [readonly string[], number])[] = [];
    let finish = (_: Error | undefined) => {};
    const first = new Promise<void>((resolve, reject) => {
      finish = (error) => (error === undefined ? resolve() : reject(error));
    });
    const rest = [...limits];
    const append = async (entries: readonly EntryJson[], _: boolean, until: number) => {
      appended.push([entries.map(({ subject }) => `${JSON.parse(`${subject}`)}`), until]);
      if (appended.length === 1) await first;
      return appended.flatMap(([subjects]) => subjects).length;
    };
    const until = () => performance.now() + (rest.shift() ?? HOUR);
    return { writing: new AuditWriting(append, { until }), appended, finish };
  }

  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'written',
      (error: ServiceError) => [error.code, error.headers['Retry-After'], error.detail],
    );
  const late = ['SVC_ERR_AUDIT_UNAVAILABLE', '5', 'it could not be written within the time limit'];

  it('are refused at their limit, even while those are still written, and are never written later', async () => {
    const { writing, appended, finish } = slowTrail([HOUR, 200]);
    const first = writing.note(entry('first'));
    let isMade = false;
    const change = writing.record(entry('late'), async () => {
      isMade = true;
    });
    expect(await refusalOf(change)).to.deep.equal(late);
    expect(writing.failure).to.include('within the time limit');
    const later = writing.note(entry('later'));
    finish(undefined);
    await Promise.all([first, later]);
    expect(isMade).to.equal(false);
    expect(appended.map(([subjects]) => subjects)).to.deep.equal([['first'], ['later']]);
    expect(writing.failure).to.equal(undefined);
  });

  it('share the limit of the one that began to wait first, and one that is nearly over does not shorten it', async () => {
    const { writing, appended, finish } = slowTrail([HOUR, 2 * HOUR, HOUR, 99, 3 * HOUR]);
    const asked = performance.now();
    const first = refusalOf(writing.note(entry('first')));
    const waiting = ['two hours', 'an hour', 'over', 'three hours'].map((subject) =>
      refusalOf(writing.note(entry(subject))),
    );
    finish(new Error('locked'));
    expect((await first)[0]).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(await Promise.all(waiting)).to.deep.equal(['written', 'written', late, 'written']);
    const [, [subjects, until] = [[], 0]] = appended;
    expect(subjects).to.deep.equal(['two hours', 'an hour', 'three hours']);
    expect(until).to.be.within(asked + HOUR, asked + 1.5 * HOUR);
  });

  it('are 2,000 at most, and the next one is told when to come again', async () => {
    const { writing, finish } = slowTrail([]);
    const first = writing.append(entry('first'));
    const waiting = Array.from({ length: 2_000 }, () => writing.append(entry('x')));
    expect(await refusalOf(writing.append(entry('one too many')))).to.deep.equal([
      'SVC_ERR_AUDIT_UNAVAILABLE',
      '5',
      'too many entries wait to be written',
    ]);
    finish(undefined);
    await Promise.all([first, ...waiting]);
  });
});
