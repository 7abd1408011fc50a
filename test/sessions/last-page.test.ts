import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startSessionSite } from './session-site.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}';

describe('the answer to whoever leaves a session', () => {
  let pages: string;
  before(() => {
    pages = mkdtempSync(join(tmpdir(), 'sallyport-pages-'));
    writeFileSync(join(pages, 'PAGE.HTML'), `${declaration}code={{{AJAX-SESSION-CODE}}}\n`);
    writeFileSync(join(pages, 'BYE.HTML'), `${declaration}over: {{{CURRENT-VALUE-OF "$SESSION-END$"}}}`);
  });
  after(() => rmSync(pages, { recursive: true }));

  async function left(entryPoint: string): Promise<{ status: number; location: string | null; text: string }> {
    const site = await startSessionSite({ pages, entryPoint });
    try {
      const opened = await (await fetch(`${site.url}/PAGE.HTML+CLEAR`)).text();
      const [, code = ''] = /code=SvcSession=(\S+)/.exec(opened) ?? [];
      const answer = await fetch(`${site.url}/w2h/PAGE.HTML++SvcSession=${code}`, {
        method: 'POST',
        body: new URLSearchParams({ pf: 'DISCONNECT' }),
        redirect: 'manual',
      });
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
    } finally {
      await site.stop();
    }
  }

  it('is the last page of the entry point, which knows why', async () => {
    expect(await left('lastPage: BYE.HTML')).to.deep.equal({ status: 200, location: null, text: 'over: disconnected' });
  });

  it('leads to the menu where there is no last page', async () => {
    expect(await left('')).to.deep.equal({ status: 303, location: '/', text: '' });
  });
});
