import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { ScreenClient } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

const PAGE =
  '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}changing={{{SESSION-CODE}}}\nstable={{{AJAX-SESSION-CODE}}}\n';
const OPENING = '/PAGE.HTML+CLEAR';

interface Opened {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly setCookie: string;
  /** Name and value, as a browser sends it back. */
  readonly cookie: string;
  readonly changing: string;
  readonly stable: string;
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const response = await fetch(url, { headers, redirect: 'manual' });
  const text = await response.text();
  const setCookie = response.headers.get('set-cookie') ?? '';
  const code = (name: string) => new RegExp(`^${name}=SvcSession=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: text.replaceAll(/Request ID: \S+</g, ''),
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
    changing: code('changing'),
    stable: code('stable'),
  };
}

async function disconnect(url: string, code: string): Promise<void> {
  const body = new URLSearchParams({ pf: 'DISCONNECT' });
  const { status } = await fetch(`${url}/w2h/PAGE.HTML++SvcSession=${code}`, {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  expect(status).to.equal(303);
}

describe('sessions of a site', () => {
  let pages: string;
  let site: SessionSite | undefined;

  before(() => {
    pages = mkdtempSync(join(tmpdir(), 'sallyport-pages-'));
    writeFileSync(join(pages, 'PAGE.HTML'), PAGE);
  });

  after(() => rmSync(pages, { recursive: true }));

  afterEach(async () => {
    await site?.stop();
    site = undefined;
  });

  async function start(options: Parameters<typeof startSessionSite>[0] = {}): Promise<SessionSite> {
    site = await startSessionSite({ pages, ...options });
    return site;
  }

  const page = (url: string, code: string, cookie?: string) =>
    get(`${url}/w2h/PAGE.HTML++SvcSession=${code}`, cookie === undefined ? {} : { Cookie: cookie });

  /** A second line with the same transactions. */
  const SECOND = "} \n  D-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI";

  describe('are limited', () => {
    async function fill(url: string, count: number): Promise<Opened> {
      let last = await get(url + OPENING);
      for (let begun = 1; begun < count; begun++) last = await get(url + OPENING);
      expect(last.status, 'at the bound').to.equal(200);
      return last;
    }

    function expectFull({ status, retryAfter, setCookie, text }: Opened): void {
      expect(status, text).to.equal(503);
      expect(retryAfter).to.match(/^[1-9]\d*$/);
      expect(setCookie).to.equal('');
    }

    it('by address, and one that ended makes room', async () => {
      const { url } = await start({ limits: 'sessionsPerAddress: 2' });
      const { stable } = await fill(url, 2);
      expectFull(await get(url + OPENING));
      await disconnect(url, stable);
      const next = await eventually(async () => {
        const opened = await get(url + OPENING);
        return opened.status === 200 ? opened : undefined;
      });
      expect(next.stable).to.not.equal(stable);
      expectFull(await get(url + OPENING));
    });

    it('by address, each for itself', async function () {
      skipUnless(this, process.platform === 'linux', 'only Linux has 127.0.0.2 without asking');
      const { url } = await start({ limits: 'sessionsPerAddress: 1' });
      await fill(url, 1);
      expectFull(await get(url + OPENING));
      const other = await new Promise<IncomingMessage>((resolve, reject) => {
        request(url + OPENING, { localAddress: '127.0.0.2' }, resolve)
          .on('error', reject)
          .end();
      });
      other.resume();
      expect(other.statusCode).to.equal(200);
    });

    it('by line, another line having its own', async () => {
      const { url, urlOf } = await start({ limits: 'sessions: 2', line: SECOND });
      await fill(url, 2);
      expectFull(await get(url + OPENING));
      expect((await get(urlOf('D-HTTP') + OPENING)).status).to.equal(200);
    });

    it('in all, whatever the line', async () => {
      const { url, urlOf } = await start({ sessions: '{ limit: 2, keysReady: 1 }', line: SECOND });
      await fill(url, 1);
      await fill(urlOf('D-HTTP'), 1);
      expectFull(await get(url + OPENING));
      expectFull(await get(urlOf('D-HTTP') + OPENING));
    });

    it('by what one address begins in a minute', async () => {
      const { url } = await start({ limits: 'sessionStartsPerAddress: 3' });
      for (let count = 0; count < 3; count++) await disconnect(url, (await get(url + OPENING)).stable);
      const fourth = await get(url + OPENING);
      expectFull(fourth);
      expect(fourth.text).to.include('This address has started the maximum number of sessions per minute.');
      // one third of a minute
      expect(Number(fourth.retryAfter)).to.be.within(1, 20);
    });

    describe('and where there are as many as there may be', () => {
      /** All that have begun are idle. */
      const idle = () => wait(1_100);
      const open = async (url: string, { stable, cookie }: Opened) => (await page(url, stable, cookie)).status === 200;

      for (const [whose, options] of [
        ['line', { limits: 'sessions: 3, sessionIdleSeconds: 1, sessionStartsPerAddress: 100000' }],
        [
          'server',
          { limits: 'sessionIdleSeconds: 1, sessionStartsPerAddress: 100000', sessions: '{ limit: 3, keysReady: 1 }' },
        ],
      ] as const) {
        it(`of the ${whose}, the one that was idle longest makes room`, async () => {
          const { url, log } = await start(options);
          const [first, second, third] = [await get(url + OPENING), await get(url + OPENING), await get(url + OPENING)];
          const fourth = await eventually(async () => {
            expect(await open(url, first), 'a session in use').to.equal(true);
            const opened = await get(url + OPENING);
            return opened.status === 200 ? opened : undefined;
          });
          expect(await open(url, second)).to.equal(false);
          for (const other of [first, third, fourth]) expect(await open(url, other)).to.equal(true);
          await eventually(() => log().includes('"end":"displaced"') || undefined);
        });
      }

      it('an idle one of the address with the most makes room before an older one', async function () {
        skipUnless(this, process.platform === 'linux', 'only Linux has 127.0.0.2 without asking');
        const { url } = await start({ limits: 'sessions: 3, sessionIdleSeconds: 1, sessionStartsPerAddress: 100000' });
        const oldest = await new Promise<string>((resolve, reject) => {
          request(url + OPENING, { localAddress: '127.0.0.2' }, async (response) => {
            let text = '';
            for await (const chunk of response.setEncoding('utf8')) text += chunk;
            resolve(/^stable=SvcSession=(.*)$/m.exec(text)?.[1] ?? '');
          })
            .on('error', reject)
            .end();
        });
        const [second, third] = [await get(url + OPENING), await get(url + OPENING)];
        await idle();
        expect((await get(url + OPENING)).status).to.equal(200);
        expect((await page(url, oldest)).status).to.equal(200);
        expect([await open(url, second), await open(url, third)]).to.deep.equal([false, true]);
      });

      it('one with a page that is connected stays before one without', async () => {
        const { url } = await start({ limits: 'sessions: 2, sessionIdleSeconds: 1, sessionStartsPerAddress: 100000' });
        const [watched, other] = [await get(url + OPENING), await get(url + OPENING)];
        const client = new ScreenClient(url, `/w2h/PAGE.HTML++SvcSession=${watched.stable}`, watched.cookie);
        try {
          await client.connect({ Origin: url });
          await idle();
          expect((await get(url + OPENING)).status).to.equal(200);
          expect([await open(url, watched), await open(url, other)]).to.deep.equal([true, false]);
        } finally {
          client.cut();
        }
      });
    });

    it('and those that never came about are not counted', async () => {
      const { url } = await start({
        limits: 'sessionsPerAddress: 1',
        hosts: "GONE: { address: '127.0.0.1:1' }",
        transactions:
          'CLEAR: { applicationType: 1, application: SIM }\n      GONE: { applicationType: 1, application: GONE }',
      });
      for (let times = 0; times < 3; times++) expect((await get(`${url}/PAGE.HTML+GONE`)).status).to.equal(502);
      expect((await get(url + OPENING)).status).to.equal(200);
    });
  });

  describe('are found by their code', () => {
    it('of at least 128 random bits in base64url, which no log tells', async () => {
      const { url, log } = await start();
      const [first, second] = [await get(url + OPENING), await get(url + OPENING)];
      for (const { stable, changing, cookie } of [first, second]) {
        for (const code of [stable, changing, cookie.split('=')[1] ?? '']) {
          expect(code).to.match(/^[A-Za-z0-9_-]{22,}$/);
          expect(log()).to.not.include(code);
        }
      }
      expect(new Set([first.stable, first.changing, second.stable, second.changing]).size).to.equal(4);
    });

    it('and an unknown, malformed, ended or foreign one is 404, all alike', async () => {
      const { url, urlOf } = await start({ line: SECOND });
      const [open, over] = [await get(url + OPENING), await get(url + OPENING)];
      await disconnect(url, over.stable);
      const answers = [
        await page(url, 'A'.repeat(32)),
        await page(url, 'x'),
        await page(url, `${open.stable}x`),
        await page(url, open.stable.slice(0, -1)),
        await page(url, over.stable),
        await page(url, over.changing),
        await page(urlOf('D-HTTP'), open.stable),
        await page(urlOf('D-HTTP'), open.changing),
      ];
      for (const { status, text, setCookie } of answers) {
        expect([status, text, setCookie]).to.deep.equal([404, answers[0]?.text, '']);
        expect(text).to.not.include(open.stable);
      }
      expect((await page(url, open.stable)).status, 'it goes on').to.equal(200);
    });

    it('that stays the same for scripts, and changes with each page for others', async () => {
      const { url } = await start();
      const shown = [await get(url + OPENING)];
      for (let times = 1; times < 5; times++) shown.push(await page(url, shown.at(-1)?.changing ?? ''));
      for (const { status, stable } of shown) expect([status, stable]).to.deep.equal([200, shown[0]?.stable]);
      expect(new Set(shown.map(({ changing }) => changing)).size).to.equal(5);
      expect((await page(url, shown[0]?.changing ?? '')).status, 'one long gone').to.equal(404);
      expect((await page(url, shown[0]?.stable ?? '')).status).to.equal(200);
    });

    it('of which the last two lead here, and not the one before them', async () => {
      const { url } = await start();
      const first = await get(url + OPENING);
      const second = await page(url, first.changing);
      const third = await page(url, second.changing);
      expect((await page(url, first.changing)).status).to.equal(404);
      const fourth = await page(url, second.changing);
      expect([third.status, fourth.status]).to.deep.equal([200, 200]);
      expect((await page(url, second.changing)).status).to.equal(404);
    });
  });

  describe('are bound to the cookie', () => {
    it('that no script reads and no other site sends', async () => {
      const { url } = await start();
      const { setCookie } = await get(url + OPENING);
      expect(setCookie).to.match(/^SvcSession-[A-Za-z0-9_-]{8}=[A-Za-z0-9_-]{22,};/);
      expect(setCookie).to.match(/; HttpOnly(;|$)/);
      expect(setCookie).to.match(/; SameSite=Strict(;|$)/);
    });

    it('from the time on that it was sent back, under every code', async () => {
      const { url } = await start();
      const { stable, changing, cookie } = await get(url + OPENING);
      expect((await page(url, stable)).status, 'a client without cookies').to.equal(200);
      expect((await page(url, stable, cookie)).status).to.equal(200);
      const other = await get(url + OPENING);
      for (const code of [stable, changing]) {
        for (const stolen of [
          undefined,
          'SvcSession=',
          `${cookie}x`,
          other.cookie,
          `X${cookie}`,
          `${cookie.split('=')[0]}=`,
        ]) {
          expect((await page(url, code, stolen)).status, `${stolen}`).to.equal(404);
        }
      }
      expect((await page(url, stable, `theme=dark; ${cookie}; x=y`)).status).to.equal(200);
    });

    it('which is one for each session, and never one that somebody else chose', async () => {
      const { url } = await start();
      const first = await get(url + OPENING);
      const second = await get(url + OPENING, { Cookie: first.cookie });
      const [name, value] = first.cookie.split('=');
      expect(second.cookie.split('=')[0]).to.not.equal(name);
      expect(second.cookie.split('=')[1]).to.not.equal(value);
      const chosen = `${name}=${'A'.repeat(32)}`;
      expect((await get(url + OPENING, { Cookie: chosen })).cookie)
        .to.match(/^SvcSession-/)
        .and.not.include('A'.repeat(32));
    });

    it('which finds the newest session of its browser', async () => {
      const { url } = await start();
      const byCookie = (cookie?: string) =>
        get(`${url}/w2h/PAGE.HTML++$UseCookieSession$`, cookie === undefined ? {} : { Cookie: cookie });
      const first = await get(url + OPENING);
      const second = await get(url + OPENING, { Cookie: first.cookie });
      expect((await page(url, first.stable, first.cookie)).status, 'the older one is used again').to.equal(200);
      for (const both of [`${first.cookie}; ${second.cookie}`, `${second.cookie}; ${first.cookie}`]) {
        expect((await byCookie(both)).stable).to.equal(second.stable);
      }
      expect((await byCookie(first.cookie)).stable).to.equal(first.stable);
      for (const wrong of [undefined, `SvcSession=${'A'.repeat(32)}`, `SvcSession-AAAAAAAA=${'A'.repeat(32)}`]) {
        expect((await byCookie(wrong)).status).to.equal(404);
      }
    });
  });
});
