import { expect } from 'chai';
import type { AuditLine } from '../../../src/access/audit/audit-entry.js';
import type { AuditQuery } from '../../../src/access/audit/audit-reading.js';
import type { AuditTrail } from '../../../src/access/audit/audit-trail.js';

const MOST_LATEST_LINES = 1000;

/** A record without entries. */
export interface EmptyAuditTrail {
  readonly audit: AuditTrail;
  /** Another one over the same entries, as a second process has it. */
  beside(): Promise<AuditTrail>;
  remove(): Promise<void>;
}

const actor = { who: 'anna', from: '192.0.2.1' };
const note = (subject: string) => ({ ...actor, what: 'data.backedUp' as const, subject });

/** What every record of changes does, wherever it keeps them. */
export function auditTrailContract(what: string, make: () => Promise<EmptyAuditTrail>): void {
  describe(`${what}, as a record of changes`, () => {
    let made: EmptyAuditTrail;
    let audit: AuditTrail;

    beforeEach(async () => {
      made = await make();
      audit = made.audit;
    });
    afterEach(() => made.remove());

    const shown = ({ sequence, stage, subject }: AuditLine) => [sequence, stage, subject];

    it('holds nothing at first, and can be written', async () => {
      expect(await audit.latest(10)).to.deep.equal([]);
      expect(await audit.state()).to.deep.equal({ fault: undefined, unfinished: [] });
    });

    it('says that an entry can be kept, whoever wrote the last one', async () => {
      const other = await made.beside();
      expect(await audit.fault()).to.equal(undefined);
      for (const writing of [audit, other, other, audit]) {
        await writing.note(note('x'));
        expect([await audit.fault(), await other.fault()]).to.deep.equal([undefined, undefined]);
      }
    });

    it('keeps the intent of a change before it is made, and the outcome after it, with what it brings along', async () => {
      let seen: readonly AuditLine[] = [];
      const entry = { ...note('user bert'), before: { role: 'user' }, after: { role: 'operator' } };
      const result = await audit.record(entry, async () => {
        seen = await audit.latest(10);
        return 42;
      }, [note('group OPS')]);
      expect(result).to.equal(42);
      expect(seen.map(shown)).to.deep.equal([[1, 'intended', 'user bert']]);
      const lines = await audit.latest(10);
      expect(lines.map(shown)).to.deep.equal([
        [3, 'done', 'user bert'],
        [2, 'done', 'group OPS'],
      ]);
      expect(lines[0]).to.deep.include({ ...entry, intent: 1 });
    });

    it('says that a change failed, and why, and hands the reason on', async () => {
      const said = await audit
        .record({ ...note('x'), after: { a: 1 } }, async () => {
          throw new Error('the disk is full');
        })
        .catch((error: Error) => error.message);
      expect(said).to.equal('the disk is full');
      const [line] = await audit.latest(10);
      expect(line).to.deep.include({ stage: 'failed', after: { failed: 'the disk is full' } });
    });

    it('names changes that have no outcome yet, to whoever begins', async () => {
      await audit.record(note('slow'), async () => {
        const { unfinished } = await (await made.beside()).state();
        expect(unfinished.map(shown)).to.deep.equal([[1, 'intended', 'slow']]);
        // and to a process that has verified it before
        expect((await audit.state()).unfinished.map(shown)).to.deep.equal([[1, 'intended', 'slow']]);
      });
      expect((await audit.state()).unfinished).to.deep.equal([]);
    });

    it('gives the newest first, so many and no more, from any of them on', async () => {
      for (const subject of ['a', 'b', 'c', 'd']) await audit.note(note(subject));
      expect((await audit.latest(2)).map(({ subject }) => subject)).to.deep.equal(['d', 'c']);
      expect((await audit.latest(2, { before: 3 })).map(({ subject }) => subject)).to.deep.equal(['b', 'a']);
      expect(await audit.latest(MOST_LATEST_LINES)).to.have.length(4);
      for (const count of [0, 1.5, MOST_LATEST_LINES + 1]) {
        const error = await audit.latest(count).catch((thrown: unknown) => thrown);
        expect(error, String(count)).to.be.instanceOf(RangeError);
      }
    });

    it('searches all of it, the newest first, an intent only where it has no outcome', async () => {
      const subjects = async (query: AuditQuery, before?: number) => {
        const found: string[] = [];
        for await (const { subject } of audit.search(query, before === undefined ? {} : { before }))
          found.push(subject);
        return found;
      };
      expect(await subjects({})).to.deep.equal([]);
      await audit.note(note('first'));
      await audit.record({ ...note('second'), from: '192.0.2.99' }, async () => {});
      await audit.record(note('third'), async () => {
        expect(await subjects({ outcome: 'unfinished' })).to.deep.equal(['third']);
      });
      expect(await subjects({})).to.deep.equal(['third', 'second', 'first']);
      expect(await subjects({ outcome: 'done' }, 5)).to.deep.equal(['second']);
      expect(await subjects({ address: '.99' })).to.deep.equal(['second']);
      expect(await subjects({ who: '.99' })).to.deep.equal(['second']);
      expect(await subjects({ address: 'anna' })).to.deep.equal([]);
    });

    it('keeps no value under the name of a secret', async () => {
      await audit.note({ ...note('x'), after: { password: 'canary', bindPassword: 'canary', passwordSet: true } });
      expect(JSON.stringify(await audit.latest(1))).to.not.include('canary');
    });

    it('counts repeats of what changes nothing, and of changes that are refused, and keeps their numbers', async () => {
      const opened = { ...actor, what: 'document.opened', subject: 'printer P1', after: { document: 7 } } as const;
      const sent = { ...actor, what: 'file.sent', subject: 'host H', after: { file: 'A' } } as const;
      const refuse = () => Promise.reject(new Error('the host refuses it'));
      for (let time = 0; time < 5; time++) await audit.note(opened);
      for (let time = 0; time < 4; time++) await audit.record(sent, refuse).catch(() => {});
      const before = await audit.latest(10);
      expect(before.map(shown)).to.deep.equal([
        [4, 'intended', 'host H'],
        [3, 'failed', 'host H'],
        [1, undefined, 'printer P1'],
      ]);
      await audit.settle();
      const [second, first, ...earlier] = await audit.latest(10);
      expect(first).to.deep.include({ ...sent, sequence: 5, stage: 'failed', intent: 4, after: first?.after });
      expect(first?.after).to.include({ failed: 'the host refuses it', more: 3 });
      expect(second?.after).to.include({ document: 7, more: 4 });
      const { first: begun, last: ended } = Object(second?.after) as Readonly<Record<string, unknown>>;
      for (const time of [begun, ended]) expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(earlier.map(shown)).to.deep.equal(before.slice(1).map(shown));
      expect(await audit.state()).to.deep.equal({ fault: undefined, unfinished: [] });
      await audit.settle();
      expect(await audit.latest(10)).to.have.length(4);
      await audit.note(opened);
      expect(await audit.latest(10)).to.have.length(5);
    });

    it('numbers the entries of two processes at once without a gap', async () => {
      const other = await made.beside();
      const many = Array.from({ length: 20 }, (_, number) =>
        (number % 2 === 0 ? audit : other).note(note(`${number}`)),
      );
      await Promise.all(many);
      const lines = await audit.latest(100);
      expect(lines.map(({ sequence }) => sequence)).to.deep.equal(Array.from({ length: 20 }, (_, index) => 20 - index));
      expect(new Set(lines.map(({ subject }) => subject)).size).to.equal(20);
    });
  });
}
