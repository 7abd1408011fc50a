import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifyAuditTrail } from '../../../src/access/audit/audit-verification.js';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';

const zeros = '0'.repeat(64);

describe('verification of an audit trail', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-audit-'));
    file = join(folder, 'audit.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function appended(count: number): Promise<string[]> {
    const trail = new FileAuditTrail({ file, now: () => Date.UTC(2027, 0, 1) });
    for (let number = 1; number <= count; number += 1) {
      await trail.append({ who: 'ADMIN', from: '192.0.2.7', what: 'user.added', subject: `USER${number}` });
    }
    return (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  }

  async function faultOf(lines: readonly string[]): Promise<{ line: number; reason: string } | undefined> {
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    const result = await verifyAuditTrail(file);
    return result.kind === 'broken' ? result.fault : undefined;
  }

  it('finds a file that is not there, and an empty one, to be trails of no entries', async () => {
    const none = { kind: 'unbroken', entries: 0, lastHash: zeros, lastTime: undefined };
    expect(await verifyAuditTrail(file)).to.deep.equal(none);
    await writeFile(file, '');
    expect(await verifyAuditTrail(file)).to.deep.equal(none);
  });

  type Tampering = (lines: string[]) => string[];
  const changed = (number: number, from: string, to: string): Tampering => {
    return (lines) => lines.map((line, index) => (index === number - 1 ? line.replace(from, to) : line));
  };
  const tamperings: readonly [string, Tampering, number, RegExp][] = [
    ['a changed line', changed(2, 'USER2', 'USER9'), 3, /line 2 or this one was changed/],
    ['a changed first line', changed(1, 'USER1', 'USER9'), 2, /line 1 or this one was changed/],
    ['a changed bit of a hash', changed(4, '"previous":"', '"previous":"0'), 4, /it is not an audit entry/],
    [
      'another hash',
      (lines) => lines.map((line, at) => (at === 3 ? line.replace(/[0-9a-f]{64}/, zeros) : line)),
      4,
      /does not match/,
    ],
    ['a removed line', (lines) => lines.toSpliced(2, 1), 3, /expected sequence 3, found 4: lines were removed/],
    ['a removed first line', (lines) => lines.slice(1), 1, /expected sequence 1, found 2/],
    [
      'a removed line, the rest renumbered',
      (lines) => lines.toSpliced(2, 1).map((line, at) => line.replace(/\d+/, `${at + 1}`)),
      3,
      /does not match/,
    ],
    [
      'a first line of another trail',
      (lines) => lines.slice(1).map((line, at) => line.replace(/\d+/, `${at + 1}`)),
      1,
      /not that of a first line/,
    ],
    ['an inserted line', (lines) => lines.toSpliced(3, 0, lines[0] ?? ''), 4, /expected sequence 4, found 1/],
    ['a line twice', (lines) => lines.toSpliced(3, 0, lines[2] ?? ''), 4, /expected sequence 4, found 3/],
    [
      'two lines in another order',
      (lines) => lines.toSpliced(1, 2, lines[2] ?? '', lines[1] ?? ''),
      2,
      /expected sequence 2, found 3/,
    ],
    [
      'a wrong sequence in the last line',
      changed(6, '"sequence":6', '"sequence":7'),
      6,
      /expected sequence 6, found 7/,
    ],
    ['a sequence that is not a number', changed(6, '"sequence":6', '"sequence":"6"'), 6, /it is not an audit entry/],
    ['a time that is none', changed(6, '2027-', '27-'), 6, /it is not an audit entry/],
    ['an empty line', (lines) => lines.toSpliced(4, 0, ''), 5, /it is not JSON/],
    ['a line that is no JSON', changed(6, '{', ''), 6, /it is not JSON/],
    ['JSON that is not an entry', (lines) => [...lines, 'null'], 7, /it is not an audit entry/],
    ['a space in the last line', changed(6, '"who":', '"who": '), 6, /does not have the form of an entry/],
    ['a carriage return', changed(6, '"}', '"}\r'), 6, /does not have the form of an entry/],
    ['a name twice', changed(6, '"who":', '"who":"NOBODY","who":'), 6, /does not have the form of an entry/],
    ['a raw control character', changed(6, 'USER6', 'USER\x9b'), 6, /does not have the form of an entry/],
    ['a line of 65,537 bytes', changed(6, 'USER6', 'x'.repeat(65_537)), 6, /longer than 65536/],
    [
      'lines far deeper than entries',
      (lines) => [...lines, '['.repeat(60_000) + ']'.repeat(5_000)],
      7,
      /it is not JSON/,
    ],
  ];
  for (const [what, tamper, line, reason] of tamperings) {
    it(`finds ${what}`, async () => {
      const lines = await appended(6);
      expect(await faultOf(lines)).to.equal(undefined);
      const fault = await faultOf(tamper([...lines]));
      expect(fault?.reason).to.match(reason);
      expect(fault?.line).to.equal(line);
    });
  }

  it('finds every changed byte of every line but the last', async () => {
    const whole = Buffer.from((await appended(2)).map((line) => `${line}\n`).join(''));
    for (let at = 0; at < whole.indexOf('\n'); at += 1) {
      const tampered = Buffer.from(whole);
      tampered[at] = (tampered[at] ?? 0) ^ 1;
      await writeFile(file, tampered);
      expect(await verifyAuditTrail(file), `byte ${at}`).to.have.property('fault');
    }
  });

  it('finds bytes that are no UTF-8', async () => {
    await new FileAuditTrail({ file }).append({ who: 'ADMIN', from: '', what: 'user.added', subject: '\ufffd' });
    const bytes = await readFile(file);
    const at = bytes.indexOf('\ufffd');
    await writeFile(file, Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff), bytes.subarray(at + 3)]));
    expect(await verifyAuditTrail(file))
      .to.have.nested.property('fault.reason')
      .that.matches(/does not have the form of/);
  });

  it('rejects where the file cannot be read', async () => {
    const error = await verifyAuditTrail(folder).catch((reason: Error) => reason);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/^EISDIR/);
  });

  describe('against an entry that is kept elsewhere', () => {
    const hash = (line: string | undefined) =>
      createHash('sha256')
        .update(line ?? '')
        .digest('hex');

    it('finds it, however much came after it', async () => {
      const lines = await appended(4);
      for (const sequence of [1, 3, 4]) {
        const expected = { sequence, hash: hash(lines[sequence - 1]) };
        expect(await verifyAuditTrail(file, { expected })).to.include({ entries: 4 });
      }
    });

    it('finds that the end was cut off, which it cannot find by itself where the file beside it is gone', async () => {
      const lines = await appended(4);
      const expected = { sequence: 4, hash: hash(lines[3]) };
      await rm(`${file}.head`);
      expect(await faultOf(lines.slice(0, 3))).to.equal(undefined);
      const reason = 'there is no entry 4: the trail ends after 3, the rest was cut off';
      expect(await verifyAuditTrail(file, { expected })).to.deep.equal({ kind: 'broken', fault: { line: 4, reason } });
      await rm(file);
      expect(await verifyAuditTrail(file, { expected })).to.have.nested.property('fault.line', 4);
    });

    it('finds that the last line was changed, or everything was written anew, which it cannot find by itself where the file beside it is gone', async () => {
      const lines = await appended(4);
      const expected = { sequence: 4, hash: hash(lines[3]) };
      await rm(`${file}.head`);
      const lastChanged = lines.with(3, (lines[3] ?? '').replace('USER4', 'USER9'));
      let previous = zeros;
      const anew = lines.map((line) => {
        const written = line
          .replace('KOLB', 'OTHER')
          .replace('USER1', 'USER9')
          .replace(/[0-9a-f]{64}/, previous);
        previous = hash(written);
        return written;
      });
      for (const tampered of [lastChanged, anew]) {
        expect(await faultOf(tampered)).to.equal(undefined);
        const result = await verifyAuditTrail(file, { expected });
        expect(result).to.have.nested.property('fault.line', 4);
        expect(result)
          .to.have.nested.property('fault.reason')
          .that.matches(/^it is not the entry [0-9a-f]{64}: /);
      }
    });
  });
});
