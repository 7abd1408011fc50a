import { createCipheriv, createPublicKey, publicEncrypt, randomBytes, constants as rsa } from 'node:crypto';
import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import { expect } from 'chai';
import { type CryptDefinition, readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import type { KeyPair } from '../../src/crypto/key-pair.js';
import { KeyPool } from '../../src/crypto/key-pool.js';
import { SessionCrypto } from '../../src/crypto/session-crypto.js';
import { soundValue } from '../../src/lib/read-outcome.js';
import { needCommand } from '../support/need.js';
import { cipherLengths, cryptWithOpenssl, publicKeyFile, wrapWithOpenssl } from './openssl.js';

const value = 'PAASWORD ä€';

function definitionOf(tuple: string): CryptDefinition {
  return soundValue(readCryptDefinition(tuple.split(',')));
}

describe('field encryption on the server, OpenSSL on the other side', () => {
  const pool = new KeyPool({ bits: 1024, size: 2, mostWaiting: 100 });
  const pool2048 = new KeyPool({ bits: 2048, size: 1, mostWaiting: 10 });
  let pair: KeyPair;
  let keyFile = '';

  before(async function () {
    needCommand(this, 'openssl');
    pair = await pool.take();
    keyFile = publicKeyFile(pair.modulus, pair.exponent);
  });

  after(async () => {
    await pool.close();
    await pool2048.close();
  });

  function sessionWith(tuple: string): SessionCrypto {
    const session = new SessionCrypto(definitionOf(tuple));
    session.adopt(pair);
    return session;
  }

  it('overwrites each session key in memory: what was unwrapped at once, the others when they are replaced or released', () => {
    const unwrapped: Uint8Array[] = [];
    const kept: Uint8Array[] = [];
    // stands for the key pair: what it hands out is all that this class is given of a key
    const observed = {
      exponent: '10001',
      modulus: 'c5',
      unwrap: () => {
        const key = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
        unwrapped.push(key);
        return key;
      },
    } as unknown as KeyPair;
    const session = new SessionCrypto(definitionOf('C,3TDEA,RSA-1024,NODE,HEX,CBC'));
    session.adopt(observed);
    const from = Uint8Array.from;
    const keeping = (source: Uint8Array) => {
      const copy = from.call(Uint8Array, source);
      kept.push(copy);
      return copy;
    };
    Reflect.set(Uint8Array, 'from', keeping);
    try {
      session.takeSessionKey('00');
      session.takeSessionKey('00');
    } finally {
      Uint8Array.from = from;
    }
    const hex = (bytes: readonly Uint8Array[]) => bytes.map((one) => Buffer.from(one).toString('hex'));
    const [key, iv] = ['000102030405060708090a0b0c0d0e0f1011121314151617', '18191a1b1c1d1e1f'];
    expect(hex(unwrapped)).to.deep.equal(['00'.repeat(32), '00'.repeat(32)]);
    expect(hex(kept)).to.deep.equal(['00'.repeat(24), '00'.repeat(8), key, iv]);
    const publicParts = () => [session.publicKey('EXPONENT'), session.publicKey('MODULUS')];
    expect(publicParts()).to.deep.equal(['10001', 'c5']);
    session.release();
    expect(hex(kept)).to.deep.equal(['00'.repeat(24), '00'.repeat(8), '00'.repeat(24), '00'.repeat(8)]);
    expect(publicParts()).to.deep.equal([undefined, undefined]);
  });

  for (const [cipher, [keyBytes, blockBytes]] of Object.entries(cipherLengths)) {
    for (const chaining of ['CBC', 'ECB'] as const) {
      it(`decrypts ${cipher} ${chaining} with and without an IV beside the key`, () => {
        const session = sessionWith(`C,${cipher},RSA-1024,NODE,HEX,${chaining}`);
        const key = randomBytes(keyBytes);
        const zero = Buffer.alloc(blockBytes);
        session.takeSessionKey(wrapWithOpenssl(keyFile, key).toUpperCase());
        const wire = cryptWithOpenssl('encrypt', cipher, chaining, key, zero, Buffer.from(value)).toString('hex');
        expect(session.clearValue(wire, '')).to.equal(value);
        expect(session.clearValue(wire.toUpperCase(), '')).to.equal(value);
        if (chaining === 'ECB') return;
        const iv = randomBytes(blockBytes);
        session.takeSessionKey(wrapWithOpenssl(keyFile, Buffer.concat([key, iv])));
        const withIv = cryptWithOpenssl('encrypt', cipher, chaining, key, iv, Buffer.from(value)).toString('hex');
        expect(session.clearValue(withIv, '')).to.equal(value);
        expect(session.clearValue(wire, '')).to.not.equal(value);
      });
    }
  }

  it('takes base64, and the paddings X9.23 and ISO10126', () => {
    const key = randomBytes(24);
    const zero = Buffer.alloc(8);
    for (const [padding, filler] of [
      ['X9.23', 0],
      ['ISO10126', 0x5a],
    ] as const) {
      const session = sessionWith(`C,3TDEA,RSA-1024,NODE,BASE64,CBC,${padding}`);
      session.takeSessionKey(Buffer.from(wrapWithOpenssl(keyFile, key), 'hex').toString('base64'));
      const padded = Buffer.concat([Buffer.from('SECRET'), Uint8Array.of(filler, 2)]);
      const wire = cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, zero, padded, false).toString('base64');
      expect(session.clearValue(wire, '')).to.equal('SECRET');
    }
  });

  it('unwraps RSA-OAEP keys and opens GCM values bound to session, field and request', async () => {
    const session = new SessionCrypto(definitionOf('CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE'));
    const large = await pool2048.take();
    session.adopt(large);
    const key = randomBytes(32);
    session.takeSessionKey(wrapWithOpenssl(publicKeyFile(large.modulus, large.exponent), key, true));
    // the command openssl does no GCM: its library does, through node
    const seal = (additional: string) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(additional));
      const sealed = Buffer.concat([cipher.update(value), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
    };
    const wire = seal('codeV00002437').toString('hex');
    expect(session.clearValue(wire, 'codeV00002437')).to.equal(value);
    expect(session.clearValue(wire, 'codeV00002438'), 'replayed').to.equal(undefined);
    expect(session.clearValue(wire, 'codeV00002937'), 'moved to another field').to.equal(undefined);
    expect(session.clearValue(wire, 'eodcV00002437'), 'of another session').to.equal(undefined);
    for (let bit = 0; bit < wire.length * 4; bit += 7) {
      const flipped = Buffer.from(wire, 'hex');
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(session.clearValue(flipped.toString('hex'), 'codeV00002437')).to.equal(undefined);
    }
    for (let length = 0; length < wire.length; length++) {
      expect(session.clearValue(wire.slice(0, length), 'codeV00002437')).to.equal(undefined);
    }
  });

  it('opens GCM2 values, in whose bound data no two triples read alike; in that of GCM they may', async () => {
    const large = await pool2048.take();
    const key = randomBytes(32);
    const wrapped = wrapWithOpenssl(publicKeyFile(large.modulus, large.exponent), key, true);
    const seal = (additional: string) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(additional));
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]).toString('hex');
    };
    const [gcm, gcm2] = ['GCM', 'GCM2'].map((chaining) => {
      const session = new SessionCrypto(definitionOf(`C,AES-256,RSA-OAEP-2048,NODE,HEX,${chaining},NONE`));
      session.adopt(large);
      session.takeSessionKey(wrapped);
      return session;
    }) as [SessionCrypto, SessionCrypto];
    expect(gcm.clearValue(seal('codeA123'), 'code', 'A1', '23')).to.equal(value);
    expect(gcm.clearValue(seal('codeA123'), 'code', 'A12', '3'), 'which is why there is GCM2').to.equal(value);
    expect(gcm2.clearValue(seal('code\0A1\x0023'), 'code', 'A1', '23')).to.equal(value);
    expect(gcm2.clearValue(seal('code\0A1\x0023'), 'code', 'A12', '3')).to.equal(undefined);
    expect(gcm2.clearValue(seal('codeA123'), 'code', 'A1', '23')).to.equal(undefined);
    expect([gcm.bindsRequests, gcm2.bindsRequests]).to.deep.equal([true, true]);
    expect(gcm2.parameters).to.deep.equal(['C', 'AES-256', 'RSA-OAEP-2048', 'NODE', 'HEX', 'GCM2', 'NONE']);
  });

  it('decodes the null mode in any case', () => {
    const session = new SessionCrypto(definitionOf('CRYPT3270,NONE,NONE,NO-ENCRYPTION,HEX'));
    // the trace of the reference, which spells the word so
    expect(session.clearValue('50414153574F5244', '')).to.equal('PAASWORD');
    expect(session.clearValue('50414153574f5244c3a4', '')).to.equal('PAASWORDä');
    expect(session.clearValue('5041415', '')).to.equal(undefined);
    expect(session.clearValue('C3', '')).to.equal(undefined);
    expect(session.clearValue('', '')).to.equal('');
  });

  it('decrypts nothing before a key has come, after a wrong one, and after release', () => {
    const session = sessionWith('C,3TDEA,RSA-1024,NODE,HEX');
    const key = randomBytes(24);
    const wire = cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from(value)).toString('hex');
    const good = wrapWithOpenssl(keyFile, key);
    expect(session.clearValue(wire, '')).to.not.equal(value);
    const publicKey = createPublicKey({
      key: {
        kty: 'RSA',
        n: Buffer.from(pair.modulus, 'hex').toString('base64url'),
        e: Buffer.from(pair.exponent, 'hex').toString('base64url'),
      },
      format: 'jwk',
    });
    const raw = (block: Uint8Array) =>
      publicEncrypt({ key: publicKey, padding: rsa.RSA_NO_PADDING }, block).toString('hex');
    const padded = (header: readonly number[], filler: number, message: Uint8Array) =>
      raw(Buffer.concat([Uint8Array.from(header), Buffer.alloc(125 - message.length, filler), Buffer.of(0), message]));
    const wrong: Readonly<Record<string, string>> = {
      'no hex': 'zz',
      'odd hex': good.slice(1),
      nothing: '',
      'too long': `${good}00`,
      'not below the modulus': 'ff'.repeat(128),
      'a flipped bit': good.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      'block type 1': padded([0, 1], 0xff, key),
      'a leading byte that is not zero': padded([1, 2], 0x55, key).slice(0, 256),
      'a zero in the padding': raw(
        Buffer.concat([Buffer.of(0, 2), Buffer.alloc(40, 1), Buffer.of(0), Buffer.alloc(60, 1), Buffer.of(0), key]),
      ),
      'a key that is too short': wrapWithOpenssl(keyFile, key.subarray(1)),
      'a key that is too long': wrapWithOpenssl(keyFile, Buffer.concat([key, Buffer.of(0)])),
    };
    expect(padded([0, 2], 0x55, key)).to.satisfy((block: string) => {
      session.takeSessionKey(block);
      return session.clearValue(wire, '') === value;
    });
    for (const [what, wrapped] of Object.entries(wrong)) {
      session.takeSessionKey(good);
      expect(session.clearValue(wire, ''), what).to.equal(value);
      session.takeSessionKey(wrapped);
      expect(session.clearValue(wire, ''), what).to.not.equal(value);
    }
    session.takeSessionKey(good);
    session.release();
    expect(session.clearValue(wire, '')).to.not.equal(value);
  });

  it('lets a client know why a value does not fit where it is authenticated, and 50 lengths where it is not', () => {
    for (const tuple of ['C,AES-256,RSA-1024,NODE,HEX,GCM', 'C,AES-256,RSA-1024,NODE,HEX,GCM2', 'C']) {
      const session = sessionWith(tuple);
      for (let times = 0; times < 100; times++) {
        expect([session.mayTellRefusal('length'), session.mayTellRefusal('characters')]).to.deep.equal([true, true]);
      }
    }
    for (const chaining of ['CBC', 'ECB']) {
      const session = sessionWith(`C,AES-256,RSA-1024,NODE,HEX,${chaining}`);
      const told = Array.from({ length: 51 }, () => [
        session.mayTellRefusal('characters'),
        session.mayTellRefusal('length'),
      ]);
      expect(told).to.deep.equal([...Array.from({ length: 50 }, () => [false, true]), [false, false]]);
    }
  });

  it('refuses wrong blocks and paddings alike', () => {
    const session = sessionWith('C,3TDEA,RSA-1024,NODE,HEX');
    const key = randomBytes(24);
    session.takeSessionKey(wrapWithOpenssl(keyFile, key));
    const blockOf = (text: string) =>
      cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from(text, 'latin1'), false);
    for (const plain of ['SECRET\x02\x01', 'SECRETS\x00', 'SECRETS\x09', 'SECRET\x03\x03', 'SECRETSS\xff']) {
      if (plain.length % 8 !== 0) continue;
      const refused = session.clearValue(blockOf(plain).toString('hex'), '');
      // 01 alone is a right padding
      expect(refused, JSON.stringify(plain)).to.equal(plain.endsWith('\x02\x01') ? 'SECRET\x02' : undefined);
    }
    const wire = blockOf('SECRETS\x01').toString('hex');
    expect(session.clearValue(wire, '')).to.equal('SECRETS');
    for (const bad of [wire.slice(2), `${wire}00`, '', 'xyz', ' ', `${wire} `, 'a'.repeat(262_145)]) {
      expect(session.clearValue(bad, ''), bad.slice(0, 20)).to.equal(undefined);
    }
  });

  it('shows its keys to nobody who looks at it', () => {
    const session = sessionWith('C,3TDEA,RSA-1024,NODE,HEX');
    const key = Buffer.from('the-canary-key-of-24-byt');
    session.takeSessionKey(wrapWithOpenssl(keyFile, key));
    const seen =
      inspect(session, { depth: 9, showHidden: true }) +
      JSON.stringify(session) +
      serialize(session).toString('latin1');
    expect(seen).to.not.include('canary');
    expect(seen).to.not.include(key.toString('hex'));
    expect(inspect(pair, { depth: 9, showHidden: true })).to.not.match(/PRIVATE|KeyObject/);
  });
});

describe('CRYPTn tuples', () => {
  for (const [tuple, expected] of [
    ['N,3DES,RSA-1024,NODE,HEX', /expected a cipher of NONE, DES, 2TDEA, 3TDEA/],
    ['N,3TDEA,RSA-1000,NODE,HEX', /key algorithm of NONE, RSA-512/],
    ['N,3TDEA,RSA-1024,TPM,HEX', /provider of NODE, ICSF/],
    ['N,3TDEA,RSA-1024,NODE,OCTAL', /encoding of HEX, BASE64/],
    ['N,3TDEA,RSA-1024,NODE,HEX,CTR', /chaining of CBC, ECB, GCM/],
    ['N,3TDEA,RSA-1024,NODE,HEX,CBC,ZERO', /padding of PKCS7/],
    ['N,3TDEA,RSA-1024,NODE,HEX,CBC,NONE', /padding NONE with chaining GCM/],
    ['N,3TDEA,RSA-OAEP-2048,NODE,HEX,GCM', /AES cipher with chaining GCM/],
    ['N,NONE,RSA-1024,NODE,HEX', /key algorithm NONE and provider/],
    ['N,NONE,NONE,NODE,HEX', /key algorithm NONE and provider/],
    ['N,3TDEA,RSA-1024,NO-ENCRYPTION,HEX', /key algorithm NONE and provider/],
  ] as const) {
    it(`refuses ${tuple}`, () =>
      expect(readCryptDefinition(tuple.split(',')))
        .to.have.property('fault')
        .that.matches(expected));
  }

  it('fills in chaining and padding, and weighs the weakest part', () => {
    expect(definitionOf('CRYPT3270,3TDEA,RSA-1024,NODE,HEX')).to.deep.include({
      members: ['CRYPT3270', '3TDEA', 'RSA-1024', 'NODE', 'HEX', 'CBC', 'PKCS7'],
      strength: 80,
    });
    expect(definitionOf('CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE')).to.include({ strength: 112 });
    expect(definitionOf('CRYPT3270,3TDEA,RSA-2048,ICSF,HEX')).to.include({ strength: 112 });
    expect(definitionOf('CRYPTNULL,NONE,NONE,NO-ENCRYPTION,HEX')).to.include({ kind: 'null' });
  });
});

describe('key pool', () => {
  it('gives every pair once, in the order of asking, and refuses past its bound', async () => {
    const pool = new KeyPool({ bits: 512, size: 0, mostWaiting: 5 });
    const order: number[] = [];
    const taken = [0, 1, 2, 3, 4].map((index) =>
      pool.take().then((pair) => {
        order.push(index);
        return pair.modulus;
      }),
    );
    const refusal = await pool.take().catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'SVC_ERR_SERVICE_BUSY' });
    const moduli = await Promise.all(taken);
    expect(new Set(moduli).size).to.equal(5);
    expect(order).to.deep.equal([0, 1, 2, 3, 4]);
    await pool.close();
  });

  it('serves addresses in turn, and bounds how many of one may wait', async () => {
    const pool = new KeyPool({ bits: 512, size: 0, mostWaiting: 9, mostWaitingOfAddress: 4 });
    const order: string[] = [];
    const take = (address: string) => pool.take(address).then(() => order.push(address));
    const taken = ['greedy', 'greedy', 'greedy', 'greedy', 'one', 'other'].map(take);
    expect(await pool.take('greedy').catch((error: unknown) => error)).to.include({ code: 'SVC_ERR_SERVICE_BUSY' });
    await Promise.all(taken);
    expect(order).to.deep.equal(['greedy', 'one', 'other', 'greedy', 'greedy', 'greedy']);
    await pool.close();
  });

  it('fills itself ahead, and lets go of who waits when it closes', async () => {
    const pool = new KeyPool({ bits: 512, size: 3, mostWaiting: 5 });
    pool.open();
    while (pool.ready < 3) await new Promise((resolve) => setImmediate(resolve));
    const large = new KeyPool({ bits: 4096, size: 0, mostWaiting: 5 });
    const waiting = large.take().catch((error: unknown) => error);
    await large.close();
    expect(await waiting).to.include({ code: 'SVC_ERR_SERVICE_BUSY' });
    await pool.close();
    expect(await pool.take().catch((error: unknown) => error)).to.include({ code: 'SVC_ERR_SERVICE_BUSY' });
  });
});
