import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserFor, leaveBrowser } from '../browser/shared-browser.js';
import { cryptWithOpenssl, publicKeyFile, wrapWithOpenssl } from '../crypto/openssl.js';
import { needCommand } from '../support/need.js';
import { type SessionSite, startSessionSite } from './session-site.js';

/** Address of the user id on the sign-on panel of the simulated host: row 8, column 31. */
const USER = 'V000024E';
const PASSWORD = 'V00002EE';

const page = (declared: string) => `<!DOCTYPE html><html lang="en"><head><title>T</title>
<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}
{{{DEFINE-HTML-PFKEY "pf"}}}{{{DECLARE-FIELD-AS (CRYPTO-SESSION-KEY) "SESSKEY"}}}${declared}
<link rel="icon" href="data:,"></head><body><p role="alert"></p>
<form method="post" action="/{{{VIRPLEX-CODE}}}PAGE.HTML++{{{AJAX-SESSION-CODE}}}" data-encryption-parameters="{{{ENCRYPTION-PARAMETERS "CRYPT3270"}}}" data-exponent="{{{PUBLIC-KEY (EXPONENT) "CRYPT3270"}}}" data-modulus="{{{PUBLIC-KEY (MODULUS) "CRYPT3270"}}}">
<input type="hidden" name="pf" value="ENTER"><input type="hidden" name="SESSKEY">
<pre>{{{GENERATE-HTML (1,1,5000)}}}</pre></form>
<script type="module" src="/w2h/svccrypt.js"></script></body></html>`;

/** Displayed fields that a page declares ENCRYPTED (specification 2.5 and 5.4). */
describe('fields declared ENCRYPTED', () => {
  let pages: string;
  let site: SessionSite;
  let browser: Browser | undefined;

  before(async function () {
    needCommand(this, 'openssl');
    browser = await browserFor(this);
    pages = mkdtempSync(join(tmpdir(), 'sallyport-encrypted-'));
    writeFileSync(join(pages, 'PAGE.HTML'), page(`{{{DECLARE-FIELD-AS (ENCRYPTED) "${USER}"}}}`));
    const named = '{{{DEFINE-HTML-FIELD-NAME (8,31,8) "USERID"}}}{{{DECLARE-FIELD-AS (USERNAME,ENCRYPTED) "USERID"}}}';
    writeFileSync(join(pages, 'NAMED.HTML'), page(named));
    writeFileSync(join(pages, 'PLAIN.HTML'), page(''));
    site = await startSessionSite({ pages });
  });

  after(async () => {
    await leaveBrowser();
    await site?.stop();
    if (pages !== undefined) rmSync(pages, { recursive: true });
  });

  async function open(path: string) {
    const text = await (await fetch(site.url + path)).text();
    const shown = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(text)?.[1] ?? '';
    const inputs = [...text.matchAll(/<input type="(?:text|password)"[^>]*>/g)].map(([input]) => ({
      name: /name="([^"]*)"/.exec(input)?.[1],
      isMarked: / VCRYPT /.test(input),
    }));
    const key = randomBytes(24);
    const encrypt = (value: string) =>
      cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from(value)).toString('hex');
    const post = async (fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({
        pf: 'ENTER',
        SESSKEY: wrapWithOpenssl(publicKeyFile(shown('data-modulus'), shown('data-exponent')), key),
        ...fields,
      });
      const reply = await fetch(site.url + shown('action'), { method: 'POST', body });
      return { status: reply.status, text: await reply.text() };
    };
    return { inputs, encrypt, post };
  }

  it('are marked VCRYPT in what GENERATE-HTML writes, by position and by name, where the session encrypts', async () => {
    const passwords = [PASSWORD, 'V000038E'].map((name) => ({ name, isMarked: true }));
    const marks = async (path: string) => (await open(path)).inputs;
    expect(await marks('/PAGE.HTML+TSO')).to.deep.equal([{ name: USER, isMarked: true }, ...passwords]);
    expect(await marks('/NAMED.HTML+TSO')).to.deep.equal([{ name: 'USERID', isMarked: true }, ...passwords]);
    expect(await marks('/PLAIN.HTML+TSO')).to.deep.equal([{ name: USER, isMarked: false }, ...passwords]);
  });

  it('are decrypted, and refused in clear under every name', async () => {
    for (const name of [USER, 'V24E', 'v000000024e']) {
      const { post, encrypt } = await open('/PAGE.HTML+TSO');
      const clear = await post({ [name]: 'DEMO', [PASSWORD]: encrypt('demo') });
      expect(clear.status, name).to.equal(400);
      const { status, text } = await post({ [name]: encrypt('DEMO'), [PASSWORD]: encrypt('demo') });
      expect([status, text.includes('User . . : DEMO')], name).to.deep.equal([200, true]);
    }
  });

  it('are refused by name where they are too long, as often as five times in a row, and read again afterwards', async () => {
    const { post, encrypt } = await open('/PAGE.HTML+TSO');
    for (const [field, other] of [
      [PASSWORD, USER],
      [USER, PASSWORD],
    ] as const) {
      for (let times = 0; times < 3; times++) {
        const { status, text } = await post({ [field]: encrypt('123456789'), [other]: encrypt('demo') });
        expect(status).to.equal(400);
        expect(text).to.contain(field).and.contain('is too short for the text').and.not.contain('123456789');
      }
    }
    const { status, text } = await post({ [USER]: encrypt('DEMO'), [PASSWORD]: encrypt('demo') });
    expect([status, text.includes('User . . : DEMO')]).to.deep.equal([200, true]);
  });

  it('are emptied by an empty value: they were displayed', async () => {
    const { post, encrypt } = await open('/PAGE.HTML+TSO');
    const wrong = await post({ [USER]: encrypt('ANNA'), [PASSWORD]: encrypt('wrong') });
    expect(wrong.text).to.include('value="ANNA"').and.include('not valid');
    const emptied = await post({ [USER]: '', [PASSWORD]: encrypt('geheim') });
    expect(emptied.text).to.not.include('value="ANNA"').and.not.include('Option ===>');
  });

  it('are encrypted by the shipped script, and what was typed stays where it is refused', async () => {
    const opened = await (await browser?.newContext())?.newPage();
    if (opened === undefined) throw new Error('no browser');
    await opened.goto(`${site.url}/PAGE.HTML+TSO`);
    const posted = opened.waitForRequest((request) => request.method() === 'POST');
    await opened.locator('input[type="text"]').fill('anna');
    await opened.getByLabel('Password', { exact: true }).fill('geheim');
    await opened.evaluate('document.forms[0].requestSubmit()');
    const fields = new URLSearchParams((await posted).postData() ?? '');
    expect(fields.get(USER)).to.match(/^[0-9a-f]{16}$/);
    expect(fields.get(PASSWORD)).to.match(/^[0-9a-f]{16}$/);
    await opened.getByText('User . . : ANNA').waitFor();
  });
});
