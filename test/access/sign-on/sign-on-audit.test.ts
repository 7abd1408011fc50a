import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { SignOnAudit } from '../../../src/access/sign-on/sign-on-audit.js';

const MOST_OF_UNKNOWN = 10;

const newYear = Date.UTC(2027, 0, 1);
const period = { first: '2027-01-01T00:00:00.000Z', last: '2027-01-01T00:00:00.000Z' };
const MOST_OF_USERS = 20;

interface Entry {
  readonly who: string;
  readonly from: string;
  readonly what: string;
  readonly subject: string;
  readonly after: Readonly<Record<string, unknown>>;
}

describe('the record of sign-ons', () => {
  let folder: string;
  let signOns: SignOnAudit;
  let trail: FileAuditTrail;
  let lost: unknown[];
  let now: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-sign-on-audit-'));
    lost = [];
    now = 0;
    trail = new FileAuditTrail({ file: join(folder, 'audit.jsonl'), now: () => newYear });
    signOns = new SignOnAudit(trail, { onLost: (error) => lost.push(error), now: () => now });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const entries = (): Entry[] =>
    readFileSync(join(folder, 'audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
  const refuse = (address: string, name: string, isUser = false) =>
    signOns.refused({
      address,
      name,
      method: 'form',
      user: isUser ? { name, reason: 'password' } : undefined,
      reason: 'unknown',
    });

  it('counts what is alike within a minute: one entry at once, one with the number of the others', async () => {
    for (let count = 0; count < 7; count++) refuse('192.0.2.1', 'ANNA', true);
    refuse('192.0.2.2', 'ANNA', true);
    await trail.settle();
    const facts = { who: 'ANNA', what: 'user.signOnRefused', subject: 'user ANNA' };
    const after = { method: 'form', reason: 'password' };
    expect(entries().map(({ who, from, what, subject, after }) => ({ who, from, what, subject, after }))).to.deep.equal(
      [
        { ...facts, from: '192.0.2.1', after },
        { ...facts, from: '192.0.2.2', after },
        { ...facts, from: '192.0.2.1', after: { ...after, more: 6, ...period } },
      ],
    );
  });

  it('makes few entries of a flood from many addresses, and names the users that there are all the same', async () => {
    for (let count = 0; count < 10_000; count++)
      refuse(`10.${count % 7}.${count >> 8}.${count & 255}`, `guess-${count}`);
    for (let count = 0; count < MOST_OF_USERS + 1; count++) refuse(`192.0.2.${count}`, 'ANNA', true);
    await trail.settle();
    const written = entries();
    expect(written.filter(({ who }) => who.startsWith('unknown'))).to.have.length(MOST_OF_UNKNOWN);
    expect(written.filter(({ who }) => who === 'ANNA')).to.have.length(MOST_OF_USERS);
    expect(written).to.have.length(MOST_OF_UNKNOWN + MOST_OF_USERS + 2);
    const more = 10_000 - MOST_OF_UNKNOWN;
    expect(written.at(-2)).to.deep.include({ who: 'several', after: { addresses: more, more, ...period } });
    expect(written.at(-1)).to.deep.include({ who: 'several', after: { addresses: 1, more: 1, ...period } });
    expect(readFileSync(join(folder, 'audit.jsonl'), 'utf8').length).to.be.lessThan(20_000);
    expect(lost).to.deep.equal([]);
  });

  it('never has what was typed as a name that nobody has: it may be a password', async () => {
    for (const name of [
      'Secret-Password-1',
      'secret-password-1',
      'x\u001b[31m\n{"who":"admin"}',
      '',
      'y'.repeat(5_000),
    ]) {
      refuse('192.0.2.1', name);
    }
    await trail.settle();
    const text = readFileSync(join(folder, 'audit.jsonl'), 'utf8');
    expect(text).to.not.match(/secret-password|\[31m|yyy|"admin"/i);
    const masked = entries().map(({ who }) => who);
    // the same name twice, in another case: one entry, and the number of the other
    expect(new Set(masked).size).to.equal(4);
    for (const who of masked) expect(who).to.match(/^unknown user [0-9a-f]{8}$/);
    expect(entries().at(-1)).to.deep.include({
      who: masked[0],
      after: { method: 'form', reason: 'unknown', more: 1, ...period },
    });
  });

  it('has the use of a token from an address once an hour', async () => {
    const use = async (address: string, name: string) => signOns.tokenUsed(address, name);
    await use('192.0.2.1', 'billing');
    await use('192.0.2.1', 'billing');
    await use('192.0.2.2', 'billing');
    now = 3_600_000 - 1;
    await use('192.0.2.1', 'billing');
    expect(entries().map(({ who, from }) => `${who} ${from}`)).to.deep.equal([
      'token billing 192.0.2.1',
      'token billing 192.0.2.2',
    ]);
    now++;
    await Promise.all(Array.from({ length: 200 }, () => use('192.0.2.1', 'billing')));
    expect(entries()).to.have.length(3);
  });

  it('writes many sign-ons at once together, each with an entry, in their order', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `USER${at}`);
    await Promise.all(names.map((name) => signOns.signedOn('192.0.2.1', name, 'basic')));
    expect(entries().map(({ who }) => who)).to.deep.equal(names);
  });
});
