import { expect } from 'chai';
import { FieldEncryption, parseEncryptionParameters } from '../../client/crypto/field-encryption.js';
import { type KeyWrapping, keyWrappings, wrapKey } from '../../client/crypto/key-wrapping.js';
import { readRsaPublicKey } from '../../client/crypto/rsa-public-key.js';
import { readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import { parametersOf, testKeys, unwrapWithOpenssl } from './test-keys.js';

describe('field encryption in the browser refuses, or reads', function () {
  this.timeout(120_000);
  const keyOf = testKeys();

  describe('refuses', () => {
    for (const [tuple, message] of [
      ['C,RC4,RSA-1024,NODE,HEX,CBC,PKCS7', 'Unsupported encryption algorithm: RC4'],
      ['C,aes-256,RSA-1024,NODE,HEX,CBC,PKCS7', 'Unsupported encryption algorithm: aes-256'],
      ['C,NONE,RSA-1024,NODE,HEX,CBC,PKCS7', 'Unsupported encryption algorithm: NONE'],
      ['C,NONE,NONE,NODE,HEX,CBC,PKCS7', 'Unsupported encryption algorithm: NONE'],
      ['C,constructor,RSA-1024,NODE,HEX,CBC,PKCS7', 'Unsupported encryption algorithm: constructor'],
      ['C,3TDEA,NONE,NODE,HEX,CBC,PKCS7', 'Unsupported PKA algorithm: NONE'],
      ['C,3TDEA,RSA-768,NODE,HEX,CBC,PKCS7', 'Unsupported PKA algorithm: RSA-768'],
      ['C,3TDEA,RSA-OAEP-1024,NODE,HEX,CBC,PKCS7', 'Unsupported PKA algorithm: RSA-OAEP-1024'],
      ['C,3TDEA,RSA-1024,NO-ENCRYPTION,HEX,CBC,PKCS7', 'Unsupported encryption engine: NO-ENCRYPTION'],
      ['C,3TDEA,RSA-1024,NODE,EBCDIC,CBC,PKCS7', 'Unsupported encoding method: EBCDIC'],
      ['C,NONE,NONE,NO-ENCRYPTION,TEXT,CBC,PKCS7', 'Unsupported encoding method: TEXT'],
      ['C,3TDEA,RSA-1024,NODE,HEX,CFB,PKCS7', 'Unsupported chaining method: CFB'],
      ['C,3TDEA,RSA-1024,NODE,HEX,GCM,NONE', 'Unsupported chaining method: GCM'],
      ['C,3TDEA,RSA-1024,NODE,HEX,CBC,NONE', 'Unsupported padding method: NONE'],
      ['C,AES-128,RSA-1024,NODE,HEX,GCM,PKCS7', 'Unsupported padding method: PKCS7'],
      ['C,3TDEA,RSA-1024,NODE,HEX,CBC,', 'Unsupported padding method: '],
    ] as const) {
      it(tuple, () => {
        expect(() => new FieldEncryption(parametersOf(tuple), keyOf(1024))).to.throw(Error, message);
        const definition = readCryptDefinition(tuple.split(','));
        expect(definition, 'the server refuses it as well').to.have.property('kind', 'fault');
      });
    }

    it('a key that is missing or none', () => {
      const { modulus, exponent } = keyOf(1024);
      const parameters = parametersOf('C,3TDEA,RSA-1024,NODE,HEX,CBC,PKCS7');
      const withKey = (key: { modulus: string; exponent: string }) => () => new FieldEncryption(parameters, key);
      const missing = 'Unable to obtain public key from the product';
      expect(withKey({ modulus: '', exponent })).to.throw(missing);
      expect(withKey({ modulus, exponent: '' })).to.throw(missing);
      expect(withKey({ modulus: `00${modulus.toUpperCase()}`, exponent: '3' })).to.not.throw();
      const invalid = 'Invalid RSA public key';
      for (const wrong of [
        keyOf(512).modulus,
        keyOf(2048).modulus,
        modulus.slice(1),
        `0x${modulus}`,
        `0000${modulus}`,
        `${modulus.slice(0, -1)}0`,
        `${modulus.slice(0, -1)}g`,
        ` ${modulus}`,
        `-${modulus.slice(1)}`,
      ]) {
        expect(withKey({ modulus: wrong, exponent }), wrong).to.throw(invalid);
      }
      for (const wrong of ['0', '1', '2', '10000', 'zz', '-3', modulus, 'f'.repeat(5000)]) {
        expect(withKey({ modulus, exponent: wrong }), wrong).to.throw(invalid);
      }
    });

    it('a message one byte longer than a key can take', () => {
      for (const [name, bits, most] of [
        ['RSA-512', 512, 53],
        ['RSA-OAEP-2048', 2048, 190],
      ] as const) {
        const key = keyOf(bits);
        const wrapping = keyWrappings.get(name) as KeyWrapping;
        const publicKey = readRsaPublicKey(key.modulus, key.exponent, bits);
        const message = new Uint8Array(most).fill(7);
        const unwrapped = unwrapWithOpenssl(key, wrapKey(wrapping, publicKey, message), name.includes('OAEP'));
        expect(unwrapped.equals(message)).to.equal(true);
        const longer = new Uint8Array(most + 1);
        expect(() => wrapKey(wrapping, publicKey, longer)).to.throw('Message too long for RSA');
      }
    });
  });

  it('reads the parameters that a page holds', () => {
    expect(parseEncryptionParameters("'CRYPT3270','3TDEA','RSA-1024','NODE','HEX','CBC','PKCS7'")).to.deep.equal({
      name: 'CRYPT3270',
      cipher: '3TDEA',
      keyAlgorithm: 'RSA-1024',
      provider: 'NODE',
      encoding: 'HEX',
      chaining: 'CBC',
      padding: 'PKCS7',
    });
    expect(parseEncryptionParameters('')).to.equal(undefined);
    expect(parseEncryptionParameters(' \n')).to.equal(undefined);
    expect(parseEncryptionParameters(" 'A', 'B','C','D','E','F','' ")).to.include({ name: 'A', padding: '' });
    for (const wrong of ["'A','B','C','D','E','F'", "'A','B','C','D','E','F','G','H'", 'CRYPT3270', "'A',B,'C'"]) {
      expect(() => parseEncryptionParameters(wrong), wrong).to.throw('the product CRYPT parameters are missing');
    }
  });
});
