import { request } from 'node:http';
import { expect } from 'chai';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';

/** What browsers say of where a request comes from (Fetch Metadata), and what is made of it. */
describe('pages of other sites', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite();
  });

  after(() => site?.stop());

  const from = (place: string, mode: string, destination: string) => ({
    'Sec-Fetch-Site': place,
    'Sec-Fetch-Mode': mode,
    'Sec-Fetch-Dest': destination,
  });

  /** By `node:http`: `fetch` has words of its own for these headers. */
  function status(path: string, headers: Readonly<Record<string, string>>, form?: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const options = {
        method: form === undefined ? 'GET' : 'POST',
        headers: { Accept: 'application/json', ...(form === undefined ? {} : type), ...headers },
      };
      const outgoing = request(site.url + path, options, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.once('error', reject);
      outgoing.end(form);
    });
  }

  for (const [what, headers, expected] of [
    ['a link of another site', from('cross-site', 'navigate', 'document'), 200],
    ['a picture of another site', from('cross-site', 'no-cors', 'image'), 403],
    ['a frame of another site', from('cross-site', 'navigate', 'iframe'), 403],
    ['a script of another site', from('cross-site', 'cors', 'empty'), 403],
    ['our own page', from('same-origin', 'navigate', 'document'), 200],
    ['the address bar', from('none', 'navigate', 'document'), 200],
    ['a program', {}, 200],
  ] as const) {
    it(`${what} begins ${expected === 200 ? 'a' : 'no'} session`, async () => {
      expect(await status('/WEB2SUB.HTML+CLEAR', headers)).to.equal(expected);
    });
  }

  it('lead into no session, and no browser into that of another', async () => {
    const open = async () => {
      const response = await fetch(`${site.url}/WEB2SUB.HTML+CLEAR`, { headers: { Accept: 'application/json' } });
      const { action } = (await response.json()) as { action: string };
      return { action, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    };
    const [mine, planted] = [await open(), await open()];
    expect(await status(planted.action, from('cross-site', 'navigate', 'document'))).to.equal(403);
    expect(await status(planted.action, { Cookie: mine.cookie }), 'with the cookie of another browser').to.equal(404);
    expect(await status(planted.action, { Cookie: planted.cookie })).to.equal(200);
    expect(await status(mine.action, {}), 'a program without cookies').to.equal(200);
    const form = 'pf=NULL-PF';
    expect(await status(mine.action, from('same-site', 'navigate', 'document'), form)).to.equal(403);
    expect(await status(mine.action, { Cookie: mine.cookie }, form)).to.equal(200);
  });
});
