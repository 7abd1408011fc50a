import { createCipheriv, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { cryptWithOpenssl, publicKeyFile, wrapWithOpenssl } from '../crypto/openssl.js';
import { needCommand } from '../support/need.js';
import { type SessionSite, startSessionSite } from './session-site.js';

/** A client that knows the specification and the pages of its own site, and has OpenSSL for its cryptography. */
class PlainClient {
  #number = 0;
  cookie = '';
  action = '';
  page = '';

  constructor(readonly site: SessionSite) {}

  async open(path: string): Promise<void> {
    const response = await fetch(`${this.site.url}${path}`);
    expect(response.status).to.equal(200);
    this.cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    this.page = await response.text();
    this.action = /action="([^"]*)"/.exec(this.page)?.[1] ?? '';
  }

  shown(name: string): string {
    return new RegExp(`^${name}=(.*)$`, 'm').exec(this.page)?.[1] ?? '';
  }

  /** The id of the input that a label stands before. */
  field(label: string): string {
    return new RegExp(`${label}[ .]*<input [^>]*name="(V[0-9A-F]{7})"`).exec(this.page)?.[1] ?? '';
  }

  get code(): string {
    return this.action.split('SvcSession=')[1] ?? '';
  }

  get nextNumber(): number {
    return this.#number + 1;
  }

  async submit(
    key: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; text: string; headers: Headers }> {
    const response = await fetch(`${this.site.url}${this.action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'X-Svc-Request-Id': `${++this.#number} ${key} 11:10:01`, Cookie: this.cookie, ...headers },
      body: new URLSearchParams({ pf: key, ...fields }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
}

describe('a sign-on by a plain HTTP client', () => {
  let site: SessionSite;

  before(async function () {
    needCommand(this, 'openssl');
    site = await startSessionSite();
  });

  after(() => site?.stop());

  async function signOn(
    transaction: string,
    encode: (client: PlainClient, password: string, field: string) => Record<string, string>,
  ): Promise<PlainClient> {
    const client = new PlainClient(site);
    await client.open(`/LOGON.HTML+${transaction}`);
    const [user, password] = [client.field('Userid'), client.field('Password')];
    expect(user).to.match(/^V[0-9A-F]{7}$/);
    const further = encode(client, 'demo', password);
    const { status, text } = await client.submit('ENTER', {
      cursorField: password,
      focusField: password,
      [user]: 'DEMO',
      ...further,
    });
    expect(status, text).to.equal(200);
    expect(text).to.include('Option =');
    expect(text).to.not.include('demo');
    return client;
  }

  it('in clear, if no crypt is configured for the transaction', async () => {
    const client = new PlainClient(site);
    // the page asks for CRYPT3270 by name: a page that does not ask gets nothing
    await client.open('/WEB2SUB.HTML+CLEAR');
    const ids = [...client.page.matchAll(/\[(V[0-9A-F]{7})=/g)].map(([, id]) => id ?? '');
    client.action = `/w2h/WEB2SUB.HTML++SvcSession=${await codeOf(client)}`;
    const { text } = await client.submit('ENTER', { [ids[0] ?? '']: 'DEMO', [ids[1] ?? '']: 'demo' });
    expect(text).to.include('Option =');
  });

  it('in the null mode, hex in either case', async () => {
    for (const hex of ['64656D6F', '64656d6f']) {
      const client = new PlainClient(site);
      await client.open('/WEB2SUB.HTML+NULL');
      const ids = [...client.page.matchAll(/\[(V[0-9A-F]{7})=/g)].map(([, id]) => id ?? '');
      client.action = `/w2h/WEB2SUB.HTML++SvcSession=${await codeOf(client)}`;
      const { text } = await client.submit('ENTER', { [ids[0] ?? '']: 'DEMO', [ids[1] ?? '']: hex });
      expect(text).to.include('Option =');
    }
  });

  it('encrypted with 3TDEA under RSA-1024', async () => {
    await signOn('TSO', (client, password, field) => {
      expect(client.shown('parameters')).to.equal("'CRYPT3270','3TDEA','RSA-1024','NODE','HEX','CBC','PKCS7'");
      const key = randomBytes(24);
      const file = publicKeyFile(client.shown('modulus'), client.shown('exponent'));
      const wire = cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from(password));
      return { SESSKEY: wrapWithOpenssl(file, key), [field]: wire.toString('hex') };
    });
  });

  it('the key in one request, the password in the next', async () => {
    const client = new PlainClient(site);
    await client.open('/LOGON.HTML+TSO');
    const [user, password] = [client.field('Userid'), client.field('Password')];
    const key = randomBytes(24);
    const file = publicKeyFile(client.shown('modulus'), client.shown('exponent'));
    const first = await client.submit('NULL-PF', { SESSKEY: wrapWithOpenssl(file, key) });
    expect(first.text).to.include('SIGNON');
    const wire = cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from('demo'));
    const second = await client.submit('ENTER', { [user]: 'DEMO', [password]: wire.toString('hex') });
    expect(second.text).to.include('Option =');
  });

  it('sealed with AES-256-GCM under RSA-OAEP-2048, bound to session, field and number', async () => {
    const client = new PlainClient(site);
    const json = await fetch(`${site.url}/LOGON.HTML+GCM`, { headers: { Accept: 'application/json' } });
    const screen = (await json.json()) as {
      action: string;
      encryption: { modulus: string; exponent: string };
      fields: { id: string; nonDisplayable: boolean; protected: boolean }[];
    };
    client.cookie = (json.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    client.action = screen.action;
    const inputs = screen.fields.filter((field) => !field.protected);
    const [user, password] = [inputs[0]?.id ?? '', inputs[1]?.id ?? ''];
    const key = randomBytes(32);
    const file = publicKeyFile(screen.encryption.modulus, screen.encryption.exponent);
    const seal = (number: number) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(client.code + password + number));
      return Buffer.concat([nonce, cipher.update('demo'), cipher.final(), cipher.getAuthTag()]).toString('hex');
    };
    const stale = seal(7);
    const replayed = await client.submit('ENTER', {
      SESSKEY: wrapWithOpenssl(file, key, true),
      [user]: 'DEMO',
      [password]: stale,
    });
    expect(replayed.status).to.equal(400);
    const { text } = await client.submit('ENTER', { [user]: 'DEMO', [password]: seal(client.nextNumber) });
    expect(text).to.include('Option =');
  });

  it('refuses a GCM value that was sent before, by any way', async () => {
    const client = new PlainClient(site);
    const json = await fetch(`${site.url}/LOGON.HTML+GCM`, { headers: { Accept: 'application/json' } });
    const screen = (await json.json()) as {
      action: string;
      requestNumber: number;
      encryption: { modulus: string; exponent: string };
      fields: { id: string; protected: boolean }[];
    };
    expect(screen.requestNumber).to.equal(1);
    client.cookie = (json.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    client.action = screen.action;
    const [, password = { id: '' }] = screen.fields.filter((field) => !field.protected);
    const key = randomBytes(32);
    const file = publicKeyFile(screen.encryption.modulus, screen.encryption.exponent);
    const seal = (number: string) => {
      const nonce = randomBytes(12);
      const additional = Buffer.from(client.code + password.id + number);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additional);
      return Buffer.concat([nonce, cipher.update('wrong'), cipher.final(), cipher.getAuthTag()]).toString('hex');
    };
    const sent = { SESSKEY: wrapWithOpenssl(file, key, true), [password.id]: seal('1') };
    const first = await client.submit('ENTER', sent);
    expect(first.status).to.equal(200);
    const replayed = async (headers: Readonly<Record<string, string>>, form: Readonly<Record<string, string>>) => {
      const response = await fetch(`${site.url}${client.action}`, {
        method: 'POST',
        headers: { Cookie: client.cookie, ...headers },
        body: new URLSearchParams({ pf: 'ENTER', ...form }),
      });
      return { status: response.status, text: await response.text() };
    };
    expect((await client.submit('ENTER', sent)).status, 'under the next number').to.equal(400);
    // the same number is the same request: its first answer, and nothing is carried out
    const again = await replayed({ 'X-Svc-Request-Id': '1 ENTER 12:00:00' }, sent);
    expect(again.status, 'a number before the last').to.equal(400);
    expect((await replayed({}, sent)).status, 'without a number').to.equal(400);
    expect((await replayed({}, { ...sent, [password.id]: seal('') })).status, 'bound to no number').to.equal(400);
    await fetch(`${site.url}${client.action}`, { headers: { Cookie: client.cookie } });
    expect((await replayed({ 'X-Svc-Request-Id': '1 ENTER 12:00:01' }, sent)).status, 'after a reload').to.equal(400);
  });

  it('refuses everything cryptographic in the same words, and ends the session at the fifth time', async () => {
    const client = new PlainClient(site);
    await client.open('/LOGON.HTML+TSO');
    const [user, password] = [client.field('Userid'), client.field('Password')];
    const key = randomBytes(24);
    const file = publicKeyFile(client.shown('modulus'), client.shown('exponent'));
    const good = wrapWithOpenssl(file, key);
    const bodies = new Set<string>();
    const wrong: readonly (readonly [string, string])[] = [
      ['', 'demo'],
      ['', '64656d6f'],
      ['zz', '00'.repeat(8)],
      [good.slice(2), '11'.repeat(8)],
    ];
    for (const [sessionKey, value] of wrong) {
      const { status, text } = await client.submit('ENTER', { [user]: 'DEMO', [password]: value, SESSKEY: sessionKey });
      expect(status).to.equal(400);
      bodies.add(text.replace(/Request ID: \S+</, ''));
    }
    expect(bodies.size).to.equal(1);
    // a success in between begins the count anew
    const wire = cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from('wrong')).toString(
      'hex',
    );
    const fine = await client.submit('ENTER', { [user]: 'DEMO', [password]: wire, SESSKEY: good });
    expect(fine.text).to.include('SIGNON');
    for (let times = 1; times <= 5; times++) {
      expect((await client.submit('ENTER', { [user]: 'DEMO', [password]: 'ab' })).status).to.equal(400);
    }
    expect((await client.submit('ENTER', { [user]: 'DEMO', [password]: wire })).status).to.equal(404);
  });

  async function codeOf(client: PlainClient): Promise<string> {
    const response = await fetch(`${site.url}/WEB2SUB.HTML++$UseCookieSession$`, {
      headers: { Accept: 'application/json', Cookie: client.cookie },
    });
    const { action } = (await response.json()) as { action: string };
    return action.split('SvcSession=')[1] ?? '';
  }
});
