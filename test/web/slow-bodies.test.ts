import { type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { RawConnection, statusOf } from '../lines/listener/raw-connection.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';
import { type Fields, PortalClient } from './portal-client.js';

const BOSS = { name: 'BOSS', password: 'boss-Geheim-55' } as const;
const MACROS = '{"macros":[],"fmt":2}';

/** A body takes as long as its sender likes, and its user may have lost the right to send it in the meantime. */
describe('a body that comes slowly', () => {
  let site: PortalSite;
  before(async () => {
    site = await startPortalSite({ crypts: '' });
  });
  after(() => site?.stop());

  beforeEach(() =>
    site.users.addUser({ name: BOSS.name, role: 'administrator', groups: [], expires: undefined }, BOSS.password),
  );
  afterEach(() => site.users.removeUser(BOSS.name));

  /** Sends half of a body, does something else, and sends the other half. */
  async function halfwayThrough(
    url: string,
    { method = 'POST', headers, body }: { readonly method?: string; readonly headers: Fields; readonly body: string },
    meanwhile: () => Promise<unknown>,
  ): Promise<{ readonly status: number | undefined; readonly text: string }> {
    const half = Math.floor(body.length / 2);
    const sending = request(url, { method, headers: { ...headers, 'Content-Length': String(body.length) } });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sending.once('response', resolve);
      sending.once('error', reject);
    });
    sending.write(body.slice(0, half));
    // a server that has answered the same user three times has read the head that came before
    for (let times = 0; times < 3; times++) {
      const { Cookie = '', Authorization = '' } = headers;
      await (
        await fetch(url, { headers: { ...(Cookie && { Cookie }), ...(Authorization && { Authorization }) } })
      ).text();
    }
    await meanwhile();
    sending.end(body.slice(half));
    const answer = await answered;
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return { status: answer.statusCode, text };
  }

  const form = 'application/x-www-form-urlencoded';
  const demote = () => site.users.changeUser(BOSS.name, { role: 'operator' });

  async function addingGroup(browser: PortalClient, meanwhile: () => Promise<unknown>) {
    const body = new URLSearchParams({ TOKEN: browser.token, GROUP: 'MINE' }).toString();
    const headers = { Cookie: browser.cookie, 'Content-Type': form, Origin: new URL(site.portalUrl).origin };
    const answer = await halfwayThrough(`${site.portalUrl}/groups`, { headers, body }, meanwhile);
    const isThere = (await site.users.findGroup('MINE')) !== undefined;
    if (isThere) await site.users.removeGroup('MINE');
    return { ...answer, isThere };
  }

  it('is taken where nothing has changed', async () => {
    const browser = await PortalClient.signedOn(site, BOSS);
    expect(await addingGroup(browser, async () => {})).to.include({ status: 303, isThere: true });
  });

  it('changes nothing in the portal where its user was demoted, and is shown no form of administrators', async () => {
    const browser = await PortalClient.signedOn(site, BOSS);
    expect(await addingGroup(browser, demote)).to.include({ status: 403, isThere: false });
  });

  it('shows a demoted user no form again, whatever was wrong with the body', async () => {
    const browser = await PortalClient.signedOn(site, BOSS);
    const body = new URLSearchParams({ TOKEN: browser.token, USERID: '', ROLE: 'user' }).toString();
    const headers = { Cookie: browser.cookie, 'Content-Type': form, Origin: new URL(site.portalUrl).origin };
    const refused = await halfwayThrough(`${site.portalUrl}/new/user`, { headers, body }, demote);
    expect(refused.status).to.equal(403);
    expect(refused.text).to.not.include('name="TOKEN"');
  });

  it('changes nothing in the portal where its user has signed off, or was removed', async () => {
    const browser = await PortalClient.signedOn(site, BOSS);
    const cookie = browser.cookie;
    const signOff = () =>
      fetch(`${site.portalUrl}/signoff`, { method: 'POST', redirect: 'manual', headers: { Cookie: cookie } });
    expect(await addingGroup(browser, signOff)).to.include({ status: 401, isThere: false });
    const again = await PortalClient.signedOn(site, BOSS);
    const remove = async () => {
      await site.users.removeUser(BOSS.name);
      await site.users.addUser(
        { name: BOSS.name, role: 'administrator', groups: [], expires: undefined },
        'other-Geheim-66',
      );
    };
    expect(await addingGroup(again, remove)).to.include({ status: 401, isThere: false });
  });

  it('uploads nothing by program where its user was demoted', async () => {
    const headers = { ...basic(BOSS.name, BOSS.password), 'Content-Type': 'multipart/form-data; boundary=XX' };
    const part = 'Content-Disposition: form-data; name="file"; filename="m.json"\r\nContent-Type: application/json';
    const body = `--XX\r\n${part}\r\n\r\n${MACROS}\r\n--XX--\r\n`;
    const url = `${site.portalUrl}/SECURE/UPLOAD.TXT+UPLGLB`;
    expect((await halfwayThrough(url, { headers, body }, async () => {})).text).to.include('RETURN CODE IS: 00\n');
    expect((await halfwayThrough(url, { headers, body }, demote)).status).to.equal(403);
  });

  it('saves no macros where its user has signed off', async () => {
    const browser = new SignOnClient(site.clientUrl);
    await browser.signOn('/TERMINAL.HTML+TSO4', ANNA.name, ANNA.password);
    const url = `${site.clientUrl}/w2h/user/macros.json`;
    const headers = { Cookie: browser.cookie, 'Content-Type': 'application/json' };
    const put = (meanwhile: () => Promise<unknown>) =>
      halfwayThrough(url, { method: 'PUT', headers, body: MACROS }, meanwhile);
    expect((await put(async () => {})).status).to.equal(204);
    expect((await put(() => browser.post('/signoff', {}))).status).to.equal(401);
  });

  describe('and is not taken', () => {
    const refusals: Readonly<Record<string, readonly [head: string, status: number, header?: string]>> = {
      'who sends it is unknown': ['PUT /w2h/user/macros.json', 401],
      'its path is none': ['PUT /%zz', 400],
      'its length is said twice': ['PUT /w2h/user/macros.json', 400, 'Content-Length: 1'],
      'nothing of it is needed': ['POST /signoff', 303],
    };
    for (const [what, [head, status, header = 'X-Y: z']] of Object.entries(refusals)) {
      it(`is read to its end behind the answer where ${what}`, async () => {
        const part = Buffer.alloc(200_000, 'a');
        const connection = await RawConnection.open(Number(new URL(site.clientUrl).port));
        connection.socket.allowHalfOpen = true;
        const headers = ['Host: x', 'Connection: close', `Content-Length: ${3 * part.length}`, header];
        await connection.send(`${[`${head} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`);
        const isWhole = (text: string) => /\r\n\r\n/.test(text);
        expect(statusOf(await connection.until(isWhole))).to.equal(status);
        await connection.send(part);
        // as one sends it whose network is slow
        await setTimeout(1_300);
        await connection.send(part);
        // what was reset is told to who sends more
        await setTimeout(50);
        await connection.send(part);
        connection.socket.end();
        await connection.untilClosed();
        expect(connection.socket.errored).to.equal(null);
      });
    }
  });
});
