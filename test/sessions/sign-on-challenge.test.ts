import { createCipheriv, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import { KeyPool } from '../../src/crypto/key-pool.js';
import { SessionCrypto } from '../../src/crypto/session-crypto.js';
import { soundValue } from '../../src/lib/read-outcome.js';
import { SignOnChallenge } from '../../src/sessions/sign-on-challenge.js';
import { publicKeyFile, wrapWithOpenssl } from '../crypto/openssl.js';
import { needCommand } from '../support/need.js';

describe('the answer to a sign-on form with AES-GCM', () => {
  const pool = new KeyPool({ bits: 2048, size: 1, mostWaiting: 1 });
  after(() => pool.close());

  it('is good once: a recorded one is refused, under its own number and under every earlier one', async function () {
    needCommand(this, 'openssl');
    const definition = soundValue(readCryptDefinition('C,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE'.split(',')));
    const crypto = new SessionCrypto(definition);
    const pair = await pool.take();
    crypto.adopt(pair);
    const challenge = new SignOnChallenge(crypto);
    const key = randomBytes(32);
    const wrappedKey = wrapWithOpenssl(publicKeyFile(pair.modulus, pair.exponent), key, true);
    const answer = (number: number) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.from(`${challenge.code}PASSWORD${number}`));
      const sealed = Buffer.concat([nonce, cipher.update('geheim'), cipher.final(), cipher.getAuthTag()]);
      return { secrets: [{ fieldId: 'PASSWORD', value: sealed.toString('hex') }], wrappedKey, number };
    };
    const second = answer(2);
    expect(challenge.clearSecrets(second)).to.deep.equal(['geheim']);
    expect(challenge.clearSecrets(second), 'again').to.equal(undefined);
    expect(challenge.clearSecrets(answer(1)), 'an earlier number').to.equal(undefined);
    expect(challenge.clearSecrets(answer(3)), 'the next number').to.deep.equal(['geheim']);
  });
});
