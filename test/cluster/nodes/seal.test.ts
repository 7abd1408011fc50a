import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { carriedIn } from '../../../src/cluster/nodes/carried-request.js';
import { machineKey } from '../../../src/cluster/nodes/machine-key.js';
import { Seal, type SealedHead } from '../../../src/cluster/nodes/seal.js';

const HEAD: SealedHead = { method: 'POST', url: '/w2h/A?x=1', framing: 12, isUpgrade: false };
const SAID = { line: 'L', client: '192.0.2.1', isOverTls: false, reached: '192.0.2.2' };

describe('a seal', () => {
  const KEY = randomBytes(32);
  const begun = async (read: () => Promise<Buffer>) => {
    const seal = new Seal(read);
    await seal.begin();
    return seal;
  };

  it('opens for the request that it was made for, and for no other', async () => {
    const [one, other] = [await begun(async () => KEY), await begun(async () => KEY)];
    const text = one.close(SAID, HEAD);
    expect(await other.open(text, HEAD)).to.deep.equal(SAID);
    const others: readonly Partial<SealedHead>[] = [
      { method: 'GET' },
      { url: '/w2h/A?x=2' },
      { url: '/W2H/A?x=1' },
      { framing: 13 },
      { framing: 'chunked' },
      { framing: 'none' },
      { isUpgrade: true },
    ];
    for (const change of others) {
      expect(await other.open(text, { ...HEAD, ...change }), JSON.stringify(change)).to.equal(undefined);
    }
  });

  it('does not open if one bit of it is another', async () => {
    const seal = await begun(async () => KEY);
    const bytes = Buffer.from(seal.close(SAID, HEAD), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes[at] ?? 0) ^ 1, at);
      expect(await seal.open(changed.toString('base64url'), HEAD), `byte ${at}`).to.equal(undefined);
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(await seal.open(bytes.subarray(0, length).toString('base64url'), HEAD), `${length}`).to.equal(undefined);
    }
    for (const text of ['', '!', encodeURIComponent(JSON.stringify(SAID)), 'A'.repeat(10_000)]) {
      expect(await seal.open(text, HEAD), text.slice(0, 9)).to.equal(undefined);
    }
  });

  it('is another one each time, and shows nothing of what it says', async () => {
    const seal = await begun(async () => KEY);
    const texts = Array.from({ length: 100 }, () => seal.close(SAID, HEAD));
    expect(new Set(texts)).to.have.length(100);
    for (const text of texts) expect(Buffer.from(text, 'base64url').toString('latin1')).to.not.include('192.0.2');
  });

  it('has its key read again when it does not open, and goes on where the key cannot be read', async () => {
    let key = KEY;
    let readings = 0;
    let milliseconds = 0;
    const read = async () => {
      readings++;
      if (key.length === 0) throw new Error('no database');
      return key;
    };
    const seal = new Seal(read, () => milliseconds);
    await seal.begin();
    key = randomBytes(32);
    const next = await begun(async () => key);
    milliseconds += 1_000;
    expect(await seal.open(next.close(SAID, HEAD), HEAD)).to.deep.equal(SAID);
    expect(readings).to.equal(2);
    milliseconds += 999;
    // within a second a flood of forged seals has nothing read
    for (let forged = 0; forged < 100; forged++) expect(await seal.open('AQ', HEAD)).to.equal(undefined);
    expect(readings).to.equal(2);
    key = Buffer.alloc(0);
    milliseconds += 1_000;
    expect(await seal.open('AQ', HEAD)).to.equal(undefined);
    expect(readings).to.equal(3);
    expect(await seal.open(next.close(SAID, HEAD), HEAD)).to.deep.equal(SAID);
  });

  it('has a key of 32 bytes', async () => {
    for (const length of [31, 33]) {
      const fault = await begun(async () => Buffer.alloc(length)).catch((error: Error) => error.message);
      expect(fault).to.equal('the key of the internal line does not have 32 bytes');
    }
    expect(() => new Seal(async () => KEY).close(SAID, HEAD)).to.throw('has not been read');
  });

  it('says a request of a client or a question of a node, and nothing else is understood', () => {
    expect(carriedIn('question')).to.equal('question');
    expect(carriedIn(SAID)).to.deep.equal(SAID);
    for (const said of [undefined, null, 1, 'other', [], {}, { ...SAID, line: 1 }, { ...SAID, client: undefined }]) {
      expect(carriedIn(said), JSON.stringify(said)).to.equal(undefined);
    }
  });
});

describe('the key of the processes of a machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-key-'));
  const before = process.umask();
  afterEach(() => process.umask(before));
  after(() => rmSync(folder, { recursive: true }));

  it('is the same for all that ask at once, and nobody else may read it', async () => {
    process.umask(0);
    const keys = await Promise.all(Array.from({ length: 16 }, () => machineKey(folder)));
    expect(new Set(keys.map((key) => key.toString('hex')))).to.have.length(1);
    expect(keys[0]).to.have.length(32);
    expect(readdirSync(folder)).to.deep.equal(['internal-line.key']);
    expect(statSync(join(folder, 'internal-line.key')).mode & 0o777).to.equal(0o600);
    expect((await machineKey(folder)).equals(keys[0] as Buffer)).to.equal(true);
  });
});
