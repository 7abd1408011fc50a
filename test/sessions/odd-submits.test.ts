import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type SessionSite, startSessionSite } from './session-site.js';

const FORM =
  '<form method="post" action="/{{{VIRPLEX-CODE}}}PAGE.HTML++{{{AJAX-SESSION-CODE}}}">{{{GENERATE-HTML (1,1,1920)}}}</form>';
const HEAD = '<!--SVC start="{{{" end="}}}" -->';
/** The option field of the menu: row 3, column 14. */
const OPTION = 'V00000AD';

describe('submits that are not as pages send them', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      furtherPages: {
        'PAGE.HTML': `${HEAD}${FORM}`,
        'OWN.HTML': `${HEAD}{{{DEFINE-HTML-PFKEY "KEYNAME"}}}${FORM}`,
      },
      transactions: `MENU: { applicationType: 1, application: MENU }`,
    });
  });

  after(() => site?.stop());

  async function opened(page: string): Promise<{ readonly url: string; readonly cookie: string }> {
    const response = await fetch(`${site.url}/${page}+MENU`);
    const action = /action="([^"]*)"/.exec(await response.text())?.[1] ?? '';
    return { url: site.url + action, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  }

  async function submit(
    { url, cookie }: Awaited<ReturnType<typeof opened>>,
    body: URLSearchParams | Uint8Array | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly code: string | undefined; readonly message: string | undefined }> {
    const accept = { Accept: 'application/json', Cookie: cookie };
    const response = await fetch(url, { method: 'POST', headers: { ...accept, ...headers }, body });
    const { code, message } = (await response.json()) as { code?: string; message?: string };
    return { status: response.status, code, message };
  }

  it('have no key if the page declares a field other than pf for it', async () => {
    const page = await opened('OWN.HTML');
    expect(await submit(page, new URLSearchParams({ pf: 'PF3' }))).to.include({
      status: 400,
      code: 'SVC_ERR_SUBMIT_KEY',
    });
    expect((await submit(page, new URLSearchParams({ pf: 'PF3', KEYNAME: 'NULL-PF' }))).status).to.equal(200);
    expect((await submit(await opened('PAGE.HTML'), new URLSearchParams({ pf: 'NULL-PF' }))).status).to.equal(200);
  });

  for (const digits of ['FFFFFFFF', 'FFFFFFFFF', '1000000AD', 'F'.repeat(300)]) {
    it(`are refused with the name of a field of ${digits.length} digits that the screen does not have`, async () => {
      const name = `V${digits}`;
      const { status, message } = await submit(
        await opened('PAGE.HTML'),
        new URLSearchParams({ pf: 'ENTER', [name]: 'x' }),
      );
      expect(status).to.equal(400);
      expect(message).to.include(name.slice(0, 64));
    });
  }

  it('are refused if they are compressed, and change nothing', async () => {
    const page = await opened('PAGE.HTML');
    const form = new URLSearchParams({ pf: 'ENTER', [OPTION]: '2' }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const coding of ['gzip', 'GZIP', 'deflate', 'br', 'gzip, identity', 'x']) {
      const answer = await submit(page, gzipSync(form), { ...headers, 'Content-Encoding': coding });
      expect(answer, coding).to.include({ status: 415, code: 'SVC_ERR_REQUEST_BODY_TYPE' });
    }
    for (const coding of ['identity', 'Identity']) {
      const sent = { ...headers, 'Content-Encoding': coding };
      expect((await submit(page, 'pf=NULL-PF', sent)).status, coding).to.equal(200);
    }
  });
});
