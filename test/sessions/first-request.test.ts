import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { WaitingTimers } from '../support/waiting-timers.js';
import { ScreenClient } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}';

/** docs/write/browser-sessions.md: the request that follows the first page must arrive within 101 seconds. */
describe('a session whose first page is never followed by a request', () => {
  let site: SessionSite | undefined;
  let timers: WaitingTimers | undefined;

  afterEach(async () => {
    timers?.restore();
    await site?.stop();
  });

  async function start(milliseconds: number, entryPoint = '', tag = '', limits = ''): Promise<SessionSite> {
    timers = new WaitingTimers(milliseconds);
    site = await startSessionSite({
      entryPoint,
      limits,
      furtherPages: { 'FIRST.HTML': `${declaration}${tag}code={{{AJAX-SESSION-CODE}}};\n` },
    });
    return site;
  }

  async function opened({ url }: SessionSite): Promise<{ readonly code: string; readonly cookie: string }> {
    const response = await fetch(`${url}/FIRST.HTML+CLEAR`);
    const [, code = ''] = /code=SvcSession=([\w.-]+);/.exec(await response.text()) ?? [];
    return { code, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  }

  const statusOf = async ({ url }: SessionSite, code: string) =>
    (await fetch(`${url}/w2h/FIRST.HTML++ValidateSvcSession=${code}`)).status;

  it('ends after 101 seconds, and its place is free again', async () => {
    const started = await start(101_000, '', '', 'sessionsPerAddress: 1');
    const { code } = await opened(started);
    expect((await fetch(`${started.url}/FIRST.HTML+CLEAR`)).status, 'the address has its one session').to.equal(503);
    timers?.fire();
    await eventually(() => started.log().includes('"end":"abandoned"') || undefined);
    expect(await statusOf(started, code)).to.equal(404);
    expect((await fetch(`${started.url}/FIRST.HTML+CLEAR`)).status).to.equal(200);
  });

  it('ends earlier if the entry point has a shorter idle time', async () => {
    const started = await start(60_000, 'timeoutMinutes: 1');
    const { code } = await opened(started);
    timers?.fire();
    await eventually(() => started.log().includes('"end":"abandoned"') || undefined);
    expect(await statusOf(started, code)).to.equal(404);
  });

  it('has the time of SET-INITIAL-TIMEOUT', async () => {
    const started = await start(77_000, '', '{{{SET-INITIAL-TIMEOUT "77"}}}');
    const { code } = await opened(started);
    expect(timers?.count).to.equal(1);
    timers?.fire();
    await eventually(() => started.log().includes('"end":"abandoned"') || undefined);
    expect(await statusOf(started, code)).to.equal(404);
  });

  it('has 101 seconds also if the entry point has no idle time', async () => {
    const started = await start(101_000, 'timeoutMinutes: 0');
    await opened(started);
    timers?.fire();
    await eventually(() => started.log().includes('"end":"abandoned"') || undefined);
  });

  const followers: readonly (readonly [
    string,
    (site: SessionSite, code: string, cookie: string) => Promise<unknown>,
  ])[] = [
    ['a page', ({ url }, code) => fetch(`${url}/w2h/FIRST.HTML++SvcSession=${code}`)],
    [
      'JSON',
      ({ url }, code) =>
        fetch(`${url}/w2h/FIRST.HTML++SvcSession=${code}`, { headers: { Accept: 'application/json' } }),
    ],
    [
      'a submit',
      ({ url }, code) =>
        fetch(`${url}/w2h/FIRST.HTML++SvcSession=${code}`, {
          method: 'POST',
          body: new URLSearchParams({ pf: 'NULL-PF' }),
        }),
    ],
    ['Validate', (started, code) => statusOf(started, code)],
    [
      'a WebSocket',
      async ({ url }, code, cookie) => {
        const client = new ScreenClient(url, `/w2h/FIRST.HTML++SvcSession=${code}`, cookie);
        await client.connect();
      },
    ],
  ];
  for (const [name, follow] of followers) {
    it(`goes on after ${name}`, async () => {
      const started = await start(101_000);
      const { code, cookie } = await opened(started);
      expect(timers?.count, 'the time runs').to.equal(1);
      await follow(started, code, cookie);
      await eventually(() => timers?.count === 0 || undefined);
      timers?.fire();
      expect(
        (await fetch(`${started.url}/w2h/FIRST.HTML++SvcSession=${code}`, { headers: { Cookie: cookie } })).status,
      ).to.equal(200);
    });
  }
});
