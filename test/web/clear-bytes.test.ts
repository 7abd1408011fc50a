import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { FieldEncryption, parseEncryptionParameters } from '../../client/crypto/field-encryption.js';
import { hashPassword, passwordMatches } from '../../src/access/users/password-hash.js';
import { readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import { KeyPool } from '../../src/crypto/key-pool.js';
import { SessionCrypto } from '../../src/crypto/session-crypto.js';
import { soundValue } from '../../src/lib/read-outcome.js';
import { submittedForm } from '../../src/web/http/request-parameters.js';
import { basicCredentials } from '../../src/web/sign-on/signed-on-user.js';

const canary = 'zQ7xKw9v-clear-bytes';

/** The memory that small buffers share; it lives until it is full. */
const shared = () => Buffer.from(Buffer.from('-').buffer);

describe('bytes of passwords', () => {
  /** What is left in shared memory: whether a password is where buffers were made of it. */
  async function leaves(work: () => unknown): Promise<boolean> {
    const before = shared();
    await work();
    const found = [before, shared()].some((memory) => memory.includes(canary));
    for (const memory of [before, shared()]) {
      for (let at = memory.indexOf(canary); at >= 0; at = memory.indexOf(canary))
        memory.fill(0, at, at + canary.length);
    }
    return found;
  }

  it('would be found where they are left', async () => {
    expect(await leaves(() => Buffer.from(canary))).to.equal(true);
  });

  it('are not left by HTTP Basic', async () => {
    const authorization = `Basic ${btoa(`anna:${canary}`)}`;
    const incoming = { headers: { authorization } } as IncomingMessage;
    expect(await leaves(() => expect(basicCredentials(incoming)?.password).to.equal(canary))).to.equal(false);
  });

  it('are not left by hashes', async () => {
    expect(
      await leaves(async () => {
        expect(await passwordMatches(canary, await hashPassword(canary))).to.equal(true);
      }),
    ).to.equal(false);
  });

  it('are not left by forms', () => {
    const body = Buffer.from(`PASSWORD=${canary}`);
    const incoming = { headers: { 'content-type': 'application/x-www-form-urlencoded' } } as IncomingMessage;
    expect(submittedForm(incoming, body, 10).get('PASSWORD')).to.deep.equal([canary]);
    expect(body.every((byte) => byte === 0)).to.equal(true);
  });

  for (const members of ['3TDEA,RSA-1024,NODE,HEX,CBC,PKCS7', 'AES-256,RSA-1024,NODE,HEX,GCM,NONE']) {
    it(`are not left by fields that are decrypted: ${members}`, async () => {
      const pool = new KeyPool({ bits: 1024, size: 0, mostWaiting: 1 });
      const pair = await pool.take();
      await pool.close();
      const definition = soundValue(readCryptDefinition(`C,${members}`.split(',')));
      const parameters = parseEncryptionParameters(`'${`C,${members}`.split(',').join("','")}'`);
      if (parameters === undefined) throw new Error('no tuple');
      const client = new FieldEncryption(parameters, pair);
      const server = new SessionCrypto(definition);
      server.adopt(pair);
      server.takeSessionKey(client.newSessionKey());
      const wire = client.encrypt(canary, 'code', 'V1', '1');
      expect(await leaves(() => expect(server.clearValue(wire, 'code', 'V1', '1')).to.equal(canary))).to.equal(false);
    });
  }
});
