import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { CookieClient } from '../support/cookie-client.js';

const PAGE = [
  '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}',
  '[/{{{VIRPLEX-CODE}}}PINNED.HTML++{{{AJAX-SESSION-CODE}}}][{{{SESSION-CODE}}}]',
].join('');

describe('the code of a node', () => {
  let site: SessionSite;
  before(async () => {
    site = await startSessionSite({ settings: 'cluster: { node: b7 }', furtherPages: { 'PINNED.HTML': PAGE } });
  });
  after(() => site?.stop());

  const linksOf = (text: string) => [...text.matchAll(/\[([^\]]*)\]/g)].map(([, link = '']) => link);

  it('begins the codes of its sessions and is in their prefix; they are found by it, in any of their ways', async () => {
    const browser = new CookieClient(site.url, 'text/html');
    const { text } = await browser.get('/PINNED.HTML+CLEAR');
    const [path = '', changing = ''] = linksOf(text);
    expect(path).to.match(/^\/w2h-b7\/PINNED\.HTML\+\+SvcSession=b7\.[A-Za-z0-9_-]{32}$/);
    expect(changing).to.match(/^SvcSession=b7\.[A-Za-z0-9_-]{32}$/);
    const [, code = ''] = path.split('SvcSession=');
    expect([...browser.cookies.keys()]).to.satisfy(
      ([name]: string[]) => name !== undefined && /^SvcSession-b7\.[A-Za-z0-9_-]{8}$/.test(name),
    );
    const found = async (at: string) => linksOf((await browser.get(at)).text)[0];
    for (const at of [
      `/W2H-B7/PINNED.HTML++${changing}`,
      path,
      `/w2h/PINNED.HTML++SvcSession=${code}`,
      `/w2h-other/PINNED.HTML++AjaxSession=${code}`,
      '/w2h-b7/PINNED.HTML++$UseCookieSession$',
    ]) {
      expect(await found(at), at).to.equal(path);
    }
    expect((await browser.post(path, { pf: 'ENTER' })).status).to.equal(200);
    expect((await browser.get(`/w2h-b7/PINNED.HTML++ValidateSvcSession=${code}`)).status).to.be.oneOf([205, 304]);
    const [label = ''] = [...browser.cookies.keys()].map((name) => name.slice('SvcSession-'.length));
    expect(await found(`/w2h-b7/PINNED.HTML++$UseCookieSession$=${label}`)).to.equal(path);
    for (const wrong of [code.slice(3), `a.${code.slice(3)}`, `B7${code.slice(2)}`, `b7..${code.slice(3)}`]) {
      expect((await browser.get(`/w2h-b7/PINNED.HTML++SvcSession=${wrong}`)).status, wrong).to.equal(404);
    }
  });

  it('is in the prefix of pages that need no session, and leads to the same files', async () => {
    const client = new CookieClient(site.url);
    for (const prefix of ['w2h', 'w2h-b7', 'w2h-other']) {
      expect((await client.get(`/${prefix}/terminal.js`)).status, prefix).to.equal(200);
    }
    expect((await client.get('/w2h-toolong89/terminal.js')).status).to.equal(404);
  });

  it('is in what scripts are given, and is never in the log', async () => {
    const browser = new CookieClient(site.url);
    const action = await browser.open('/PINNED.HTML+CLEAR');
    expect(action).to.match(/^\/w2h-b7\/PINNED\.HTML\+\+SvcSession=b7\./);
    const [, code = ''] = action.split('b7.');
    await browser.get(action);
    expect(site.log()).to.not.include(code);
    const { text } = await browser.get('/w2h-b7/sessions');
    const [{ label, path }] = (JSON.parse(text) as { sessions: [{ label: string; path: string }] }).sessions;
    expect(label).to.match(/^b7\.[A-Za-z0-9_-]{8}$/);
    expect(path).to.equal(`/w2h-b7/PINNED.HTML++$UseCookieSession$=${label}`);
  });

  it('is 1 to 8 lower-case letters and digits; that of the supervisor wins', async () => {
    const text = readFileSync(join(site.folder, 'sallyport.yaml'), 'utf8');
    const file = join(site.folder, 'other.yaml');
    const nodeOf = async (code: string) => {
      writeFileSync(file, text.replace('node: b7', `node: ${code}`));
      return loadConfiguration(file).then(
        ({ configuration }) => configuration.node,
        (error: Error) => error.message,
      );
    };
    expect(await nodeOf('abcdefg8')).to.equal('abcdefg8');
    for (const wrong of ['abcdefgh9', 'A', "''", 'a-b']) expect(await nodeOf(wrong), wrong).to.include('cluster');
    process.env.SALLYPORT_NODE = 'b2';
    try {
      expect(await nodeOf('b')).to.equal('b2');
      process.env.SALLYPORT_NODE = 'B2';
      expect(await nodeOf('b')).to.include('SALLYPORT_NODE');
    } finally {
      delete process.env.SALLYPORT_NODE;
    }
  });
});
