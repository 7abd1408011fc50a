import { createDecipheriv } from 'node:crypto';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { FieldEncryption } from '../../client/crypto/field-encryption.js';
import { cipherLengths, cryptWithOpenssl } from '../crypto/openssl.js';
import { projectFolder } from '../support/project.js';
import { rounds } from '../support/rounds.js';
import { parametersOf, serverWith, testKeys, unwrapWithOpenssl } from './test-keys.js';

const MOST_COMPRESSED_BYTES = 40_960;
const additional = 'codeV00002437';
/** Of no block, one block less one byte, whole blocks of both lengths, and more. */
const values = [
  'S',
  'SECRET',
  'PASSWORD',
  '15 bytes of it.',
  '16 bytes of text',
  'PAASWORD ä€😀',
  '\ufeff',
  'x'.repeat(333),
];

/** One byte, one less than a block of either length, a block, and one byte more. */
const lengthsOfBlocks = [1, 7, 8, 9, 15, 16, 17];

function decoded(encoding: string, wire: string): Buffer {
  const bytes = Buffer.from(wire, encoding === 'HEX' ? 'hex' : 'base64');
  expect(bytes.toString(encoding === 'HEX' ? 'hex' : 'base64'), 'written as the encoding says').to.equal(wire);
  return bytes;
}

describe('field encryption in the browser, OpenSSL and the server on the other side', () => {
  const keyOf = testKeys();

  for (const [cipher, [keyBytes, blockBytes]] of Object.entries(cipherLengths)) {
    for (const chaining of ['CBC', 'ECB'] as const) {
      for (const encoding of ['HEX', 'BASE64']) {
        it(`${cipher} ${chaining} ${encoding}`, () => {
          const key = keyOf(1024);
          const tuple = `C,${cipher},RSA-1024,NODE,${encoding},${chaining},PKCS7`;
          const client = new FieldEncryption(parametersOf(tuple), key);
          const server = serverWith(tuple, key);
          const wrapped = client.newSessionKey();
          const content = unwrapWithOpenssl(key, decoded(encoding, wrapped), false);
          expect(content.length).to.equal(keyBytes + (chaining === 'CBC' ? blockBytes : 0));
          const [sessionKey, iv] = [content.subarray(0, keyBytes), content.subarray(keyBytes)];
          server.takeSessionKey(wrapped);
          // how it is written changes nothing of the cipher, which every value was given to in hexadecimal
          const decryptedByCommand = encoding === 'HEX' ? values.length : rounds(values.length, 1);
          for (const [index, value] of values.entries()) {
            const wire = client.encrypt(value, additional);
            const bytes = decoded(encoding, wire);
            if (index < decryptedByCommand) {
              const clear = cryptWithOpenssl('decrypt', cipher, chaining, sessionKey, iv, bytes);
              expect(clear.toString()).to.equal(value);
            }
            expect(server.clearValue(wire, additional)).to.equal(value);
          }
        });
      }
    }
  }

  for (const cipher of ['AES-128', 'AES-192', 'AES-256']) {
    for (const encoding of ['HEX', 'BASE64']) {
      for (const wrapping of ['RSA-OAEP-2048', 'RSA-1024']) {
        it(`${cipher} GCM ${encoding} ${wrapping}`, () => {
          const oaep = wrapping.includes('OAEP');
          const key = keyOf(oaep ? 2048 : 1024);
          const tuple = `C,${cipher},${wrapping},NODE,${encoding},GCM,NONE`;
          const client = new FieldEncryption(parametersOf(tuple), key);
          const server = serverWith(tuple, key);
          const wrapped = client.newSessionKey();
          const sessionKey = unwrapWithOpenssl(key, decoded(encoding, wrapped), oaep);
          expect(sessionKey.length).to.equal(cipherLengths[cipher]?.[0]);
          server.takeSessionKey(wrapped);
          // the command openssl does no GCM: its library does, through node
          const open = (sealed: Buffer, additionalData: string) => {
            const decipher = createDecipheriv(
              `${cipher.toLowerCase()}-gcm` as 'aes-256-gcm',
              sessionKey,
              sealed.subarray(0, 12),
            );
            decipher.setAAD(Buffer.from(additionalData)).setAuthTag(sealed.subarray(-16));
            return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString();
          };
          for (const value of values) {
            for (const bound of [additional, '', 'ä€😀', 'of just 16 bytes']) {
              const wire = client.encrypt(value, bound);
              expect(open(decoded(encoding, wire), bound)).to.equal(value);
              expect(server.clearValue(wire, bound)).to.equal(value);
              expect(server.clearValue(wire, `${bound}8`)).to.equal(undefined);
            }
          }
          expect(client.encrypt('SECRET', additional), 'a nonce of its own').to.not.equal(
            client.encrypt('SECRET', additional),
          );
        });
      }
    }
  }

  for (const [padding, isFiller] of [
    ['PKCS7', (filler: Buffer, count: number) => filler.every((byte) => byte === count)],
    ['X9.23', (filler: Buffer) => filler.every((byte) => byte === 0)],
    ['ISO10126', () => true],
  ] as const) {
    it(`pads as ${padding} says`, () => {
      const key = keyOf(1024);
      const fillers = new Set<string>();
      for (const cipher of ['3TDEA', 'AES-256']) {
        const [keyBytes, blockBytes] = cipherLengths[cipher] ?? [0, 0];
        const tuple = `C,${cipher},RSA-1024,NODE,HEX,CBC,${padding}`;
        const client = new FieldEncryption(parametersOf(tuple), key);
        const server = serverWith(tuple, key);
        const wrapped = client.newSessionKey();
        server.takeSessionKey(wrapped);
        const content = unwrapWithOpenssl(key, Buffer.from(wrapped, 'hex'), false);
        for (let length = 1; length <= 17; length++) {
          if (rounds(1, 0) === 0 && !lengthsOfBlocks.includes(length)) continue;
          const value = 'x'.repeat(length);
          const wire = client.encrypt(value, additional);
          const [sessionKey, iv] = [content.subarray(0, keyBytes), content.subarray(keyBytes)];
          const padded = cryptWithOpenssl('decrypt', cipher, 'CBC', sessionKey, iv, Buffer.from(wire, 'hex'), false);
          const count = blockBytes - (length % blockBytes);
          expect(padded.length).to.equal(length + count);
          expect(padded.subarray(0, length).toString()).to.equal(value);
          expect(padded.at(-1)).to.equal(count);
          expect(isFiller(padded.subarray(length, -1), count)).to.equal(true);
          if (count > 7) fillers.add(padded.subarray(length, -1).toString('hex'));
          expect(server.clearValue(wire, additional)).to.equal(value);
        }
      }
      if (padding === 'ISO10126') expect(fillers.size).to.be.greaterThan(5);
    });
  }

  for (const [name, bits] of [
    ['RSA-512', 512],
    ['RSA-1024', 1024],
    ['RSA-2048', 2048],
    ['RSA-3072', 3072],
    ['RSA-4096', 4096],
    ['RSA-OAEP-2048', 2048],
    ['RSA-OAEP-3072', 3072],
    ['RSA-OAEP-4096', 4096],
  ] as const) {
    it(`wraps session keys by ${name}`, () => {
      const key = keyOf(bits);
      const oaep = name.includes('OAEP');
      for (const chaining of ['ECB', 'CBC']) {
        const tuple = `C,AES-256,${name},NODE,HEX,${chaining},PKCS7`;
        const client = new FieldEncryption(parametersOf(tuple), key);
        const server = serverWith(tuple, key);
        for (let round = 0; round < rounds(5, 2); round++) {
          const wrapped = client.newSessionKey();
          expect(wrapped).to.match(/^[0-9a-f]*$/);
          expect(wrapped.length).to.equal(bits / 4);
          const content = unwrapWithOpenssl(key, Buffer.from(wrapped, 'hex'), oaep);
          expect(content.length).to.equal(chaining === 'CBC' ? 48 : 32);
          server.takeSessionKey(wrapped);
          expect(server.clearValue(client.encrypt('SECRET', ''), '')).to.equal('SECRET');
        }
      }
    });
  }

  it('the server takes an IV that comes with the key under RSA-OAEP', () => {
    const tuple = 'C,AES-256,RSA-OAEP-2048,NODE,HEX,CBC,PKCS7';
    const client = new FieldEncryption(parametersOf(tuple), keyOf(2048));
    const server = serverWith(tuple, keyOf(2048));
    server.takeSessionKey(client.newSessionKey());
    expect(server.clearValue(client.encrypt('SECRET', ''), '')).to.equal('SECRET');
  });

  it('wraps another key each time, and none of zeros', () => {
    const key = keyOf(1024);
    const client = new FieldEncryption(parametersOf('C,3TDEA,RSA-1024,NODE,HEX,CBC,PKCS7'), key);
    const server = serverWith('C,3TDEA,RSA-1024,NODE,HEX,CBC,PKCS7', key);
    const contents = new Set<string>();
    const wires = new Set<string>();
    // 128 bytes of which 69 must not be zero: a zero let through would show in a few rounds
    const most = rounds(100, 40);
    for (let round = 0; round < most; round++) {
      const wrapped = client.newSessionKey();
      server.takeSessionKey(wrapped);
      const wire = client.encrypt('SECRET', '');
      expect(wire, 'the length of the trace in reference 3.2').to.match(/^[0-9a-f]{16}$/);
      expect(server.clearValue(wire, '')).to.equal('SECRET');
      wires.add(wire);
      if (round < 5) contents.add(unwrapWithOpenssl(key, Buffer.from(wrapped, 'hex'), false).toString('hex'));
    }
    expect(contents.size).to.equal(5);
    expect(wires.size).to.equal(most);
    for (const content of contents) {
      expect(content.slice(0, 48)).to.not.match(/^(00)+$/);
      expect(content.slice(48)).to.not.match(/^(00)+$/);
    }
  });

  it('writes the null mode as the trace of the reference has it', () => {
    const tuple = 'CRYPT3270,NONE,NONE,NO-ENCRYPTION,HEX,CBC,PKCS7';
    const client = new FieldEncryption(parametersOf(tuple), { modulus: '', exponent: '' });
    expect(client.newSessionKey()).to.equal('');
    expect(client.encrypt('PAASWORD', additional)).to.equal('50414153574F5244');
    expect(client.encrypt('äÿ', additional)).to.equal('C3A4C3BF');
    expect(client.encrypt('', additional)).to.equal('');
    client.forget();
    expect(client.encrypt('J', '')).to.equal('4A');
    const base64 = tuple.replace('HEX', 'BASE64');
    const wire = new FieldEncryption(parametersOf(base64), { modulus: '', exponent: '' }).encrypt('PAASWORD ä', '');
    expect(wire).to.equal(Buffer.from('PAASWORD ä').toString('base64'));
    expect(serverWith(base64, keyOf(512)).clearValue(wire, '')).to.equal('PAASWORD ä');
  });

  it('encrypts nothing without a key: before the first, and once it is forgotten', () => {
    const client = new FieldEncryption(parametersOf('C,3TDEA,RSA-512,NODE,HEX,CBC,PKCS7'), keyOf(512));
    expect(() => client.encrypt('SECRET', '')).to.throw('no session key');
    client.newSessionKey();
    expect(client.encrypt('', '')).to.equal('');
    expect(client.encrypt('SECRET', '')).to.have.length(16);
    client.forget();
    expect(() => client.encrypt('SECRET', '')).to.throw('no session key');
    client.newSessionKey();
    expect(client.encrypt('SECRET', '')).to.have.length(16);
  });

  it('carries any value under every profile', () => {
    const key = keyOf(2048);
    for (const tuple of [
      'C,NONE,NONE,NO-ENCRYPTION,HEX,CBC,PKCS7',
      'C,DES,RSA-2048,NODE,BASE64,CBC,X9.23',
      'C,3TDEA,RSA-2048,ICSF,HEX,CBC,PKCS7',
      'C,AES-192,RSA-2048,NODE,HEX,ECB,ISO10126',
      'C,AES-256,RSA-OAEP-2048,NODE,BASE64,GCM,NONE',
    ]) {
      const client = new FieldEncryption(parametersOf(tuple), key);
      const server = serverWith(tuple, key);
      server.takeSessionKey(client.newSessionKey());
      const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
      fc.assert(
        fc.property(anyText, fc.string({ unit: 'binary' }), (value, bound) => {
          expect(server.clearValue(client.encrypt(value, bound), bound)).to.equal(value);
        }),
        { numRuns: rounds(100, 25) },
      );
    }
  });

  it('binds GCM2 values with separators, and those of GCM as old servers expect them', () => {
    const key = keyOf(2048);
    for (const [chaining, bound] of [
      ['GCM2', 'code\0V1\x0023'],
      ['GCM', 'codeV123'],
    ] as const) {
      const client = new FieldEncryption(parametersOf(`C,AES-256,RSA-OAEP-2048,NODE,HEX,${chaining},NONE`), key);
      const sessionKey = unwrapWithOpenssl(key, Buffer.from(client.newSessionKey(), 'hex'), true);
      const sealed = Buffer.from(client.encrypt('SECRET', 'code', 'V1', '23'), 'hex');
      const decipher = createDecipheriv('aes-256-gcm', sessionKey, sealed.subarray(0, 12));
      decipher.setAAD(Buffer.from(bound)).setAuthTag(sealed.subarray(-16));
      const clear = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      expect(clear.toString()).to.equal('SECRET');
    }
    expect(() => new FieldEncryption(parametersOf('C,3TDEA,RSA-2048,NODE,HEX,GCM2,NONE'), key)).to.throw(
      'Unsupported chaining method: GCM2',
    );
  });

  it('carries a value as long as all of the largest screens', () => {
    const key = keyOf(1024);
    for (const tuple of ['C,3TDEA,RSA-1024,NODE,HEX,CBC,PKCS7', 'C,AES-256,RSA-1024,NODE,HEX,GCM,NONE']) {
      const client = new FieldEncryption(parametersOf(tuple), key);
      const server = serverWith(tuple, key);
      server.takeSessionKey(client.newSessionKey());
      const value = '€'.repeat(16_384);
      expect(server.clearValue(client.encrypt(value, ''), '')).to.equal(value);
    }
  });

  it('runs in a page without WebCrypto, and is small', () => {
    const { outputFiles } = buildSync({
      entryPoints: [join(projectFolder, 'client/crypto/field-encryption.ts')],
      bundle: true,
      minify: true,
      format: 'iife',
      globalName: 'sallyport',
      write: false,
    });
    const code = outputFiles[0]?.contents ?? new Uint8Array(0);
    expect(gzipSync(code, { level: 9 }).length).to.be.within(1, MOST_COMPRESSED_BYTES);
    const text = new TextDecoder().decode(code);
    expect(text).to.not.match(/Math\.random|\beval\(|new Function/);
    const tuple = 'C,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE';
    const key = keyOf(2048);
    const page = {
      crypto: { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) },
      TextEncoder,
      setTimeout,
      self: {},
      parameters: parametersOf(tuple),
      publicKey: { modulus: key.modulus, exponent: key.exponent },
    };
    const [wrapped, wire] = runInNewContext(
      `${text};
      const client = new sallyport.FieldEncryption(parameters, publicKey);
      [client.newSessionKey(), client.encrypt('SECRET', 'bound')];`,
      page,
    );
    const server = serverWith(tuple, key);
    server.takeSessionKey(wrapped);
    expect(server.clearValue(wire, 'bound')).to.equal('SECRET');
  });
});
