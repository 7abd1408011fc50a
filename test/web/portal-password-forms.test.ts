import { createCipheriv, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { publicKeyFile, wrapWithOpenssl } from '../crypto/openssl.js';
import { needCommand } from '../support/need.js';
import { ADMINISTRATOR, ANNA, startPortalSite } from '../support/portal-site.js';
import { PortalClient, textOf } from './portal-client.js';

const PASSWORD = 'correct-Horse-9';

describe('the password forms of the portal', () => {
  it('take both passwords of one submit encrypted, each submit once', async function () {
    needCommand(this, 'openssl');
    const crypts =
      "CRYPT1: '(CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE)', CRYPT2: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)'";
    const site = await startPortalSite({ crypts });
    try {
      const signing = await fetch(`${site.portalUrl}/`);
      const sealedSignOn = sealed(
        await signing.text(),
        { USERID: ADMINISTRATOR.name, PASSWORD: ADMINISTRATOR.password },
        1,
      );
      const signedOn = await fetch(`${site.portalUrl}/`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(sealedSignOn),
      });
      const cookie = (signedOn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const address = `${site.portalUrl}/users/ANNA/password`;
      const page = await (await fetch(address, { headers: { Cookie: cookie } })).text();
      const token = /name="TOKEN" value="([^"]+)"/.exec(page)?.[1] ?? '';
      const send = async (fields: Record<string, string>, number: number) => {
        const response = await fetch(address, {
          method: 'POST',
          redirect: 'manual',
          headers: { Cookie: cookie, 'X-Svc-Request-Id': `${number} ENTER 11:10:01`, Accept: 'application/json' },
          body: new URLSearchParams({ TOKEN: token, ...fields }),
        });
        return { status: response.status, reply: (await response.json()) as Record<string, string> };
      };
      const first = sealed(page, { PASSWORD, 'PASSWORD-AGAIN': 'another-Horse' }, 1);
      const different = await send(first, 1);
      expect([different.status, different.reply.message].join())
        .to.include('400')
        .and.include('The two passwords differ.');
      expect((await send(first, 1)).reply.code, 'sent again').to.equal('SVC_ERR_CRYPTO_REFUSED');
      expect((await send(first, 2)).reply.code, 'with another number').to.equal('SVC_ERR_CRYPTO_REFUSED');
      const clear = await send({ ...first, PASSWORD, 'PASSWORD-AGAIN': PASSWORD }, 3);
      expect(clear.reply.code, 'in clear').to.equal('SVC_ERR_CRYPTO_REFUSED');
      const right = await send(sealed(page, { PASSWORD, 'PASSWORD-AGAIN': PASSWORD }, 4), 4);
      expect([right.status, right.reply]).to.deep.equal([200, { next: '/users/ANNA?done=password-set' }]);
      expect((await site.users.signOn('ANNA', PASSWORD)).kind).to.equal('signedOn');
      const made = await send({ ...sealed(page, {}, 5), MAKE: 'yes' }, 5);
      expect(made.reply.code, 'the form has done its work').to.equal('SVC_ERR_CRYPTO_REFUSED');
      expect(site.log()).to.not.include(PASSWORD);
    } finally {
      await site.stop();
    }
  });

  it('send no password that was made here over a line in clear', async function () {
    needCommand(this, 'openssl');
    const site = await startPortalSite();
    try {
      const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
      const { status, text } = await administrator.postPassword('/users/ANNA/password', '', { MAKE: 'yes' });
      expect([status, textOf(text)].join())
        .to.include('400')
        .and.include('does not use TLS');
      expect((await site.users.signOn('ANNA', ANNA.password)).kind).to.equal('signedOn');
    } finally {
      await site.stop();
    }
  });
});

/** Secrets as the script of a page would send them with AES-256 in GCM. */
function sealed(page: string, secrets: Readonly<Record<string, string>>, number: number): Record<string, string> {
  const shown = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(page)?.[1] ?? '';
  const [key, code] = [randomBytes(32), shown('name="SIGNON-CODE" value')];
  const wrapped = wrapWithOpenssl(publicKeyFile(shown('data-modulus'), shown('data-exponent')), key, true);
  const fields: Record<string, string> = { 'SIGNON-CODE': code, SESSKEY: wrapped };
  for (const [name, value] of Object.entries(secrets)) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${code}${name}${number}`));
    const text = Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    fields[name] = text.toString('hex');
  }
  return fields;
}
