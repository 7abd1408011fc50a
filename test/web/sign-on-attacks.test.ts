import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { withFileLock } from '../../src/lib/files/file-lock.js';
import { SignOnChallenge, SignOnChallenges } from '../../src/sessions/sign-on-challenge.js';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';

const MOST_CHALLENGES_IN_TURN = 100;

const FILE_PATH = '/SECURE/upload.txt+uplglb1';
const macros = '{"macros":[{"name":"evil","rev":1,"def":["ENTER"]}],"fmt":2}';

function upload(disposition = 'form-data; name="file"; filename="macros.json"'): string {
  return `--BB\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/json\r\n\r\n${macros}\r\n--BB--\r\n`;
}

/** What was tried against sign-on and uploads, from outside. */
describe('attacks on sign-on', () => {
  let site: PortalSite;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      transactions: [
        '      T4: { applicationType: 2, security: 4, page: BYE.HTML }',
        '      T1: { applicationType: 2, security: 1, page: BYE.HTML }',
        '      d4: { applicationType: 4, application: W2H-DIR, security: 4 }',
      ].join('\n'),
    });
  });
  after(() => site?.stop());

  /** By `node:http`: `fetch` has words of its own for these headers. */
  function post(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    return new Promise((resolve, reject) => {
      const outgoing = request(site.portalUrl + path, { method: 'POST', headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }
  const send = (headers: Readonly<Record<string, string>> = {}, body = upload()) =>
    post(FILE_PATH, body, {
      'Content-Type': 'multipart/form-data; boundary=BB',
      ...basic(ADMINISTRATOR.name, ADMINISTRATOR.password),
      ...headers,
    });

  // to a line without TLS browsers send no Sec-Fetch-Site, but user id and password of HTTP Basic
  for (const [what, headers, expected] of [
    ['a program', {}, 200],
    ['a page of this server', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['a page of another site', { Origin: 'http://evil.test' }, 403],
    ['a page in a sandbox, or behind a redirect', { Origin: 'null' }, 403],
    ['a page of another port', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ] as const) {
    it(`an upload with HTTP Basic from ${what} is ${expected === 200 ? 'taken' : 'refused'}`, async () => {
      expect(await send(headers)).to.equal(expected);
    });
  }

  it('parts without a name, or of odd names, are refusals and no fault of ours', async () => {
    for (const disposition of [
      'form-data; filename="a"',
      'form-data',
      'attachment; filename="a"',
      'form-data; name=""; filename="a"',
      'form-data; name="__proto__"; filename="a"',
      'form-data; name*=UTF-8\'\'fi%0Ale; filename="a"',
    ]) {
      expect(await send({}, upload(disposition)), disposition).to.equal(415);
    }
    expect(site.log()).to.not.include('SVC_ERR_SERVICE_FAILED');
  });

  it('thousands of parts are refused, and one that is large is not', async () => {
    const part = '--BB\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
    expect(await send({}, `${part.repeat(15)}${upload()}`)).to.equal(415);
    expect(await send({}, `${part.repeat(17_000)}${upload()}`)).to.equal(415);
    const blanks = ' '.repeat(1024 * 1024 - macros.length);
    expect(await send({}, upload().replace(macros, `${macros}${blanks}`))).to.equal(200);
    expect(await send({}, upload().replace(macros, `${macros}${blanks} `))).to.equal(413);
  });

  it('no cache between keeps what a secured transaction answers', async () => {
    const client = new SignOnClient(site.clientUrl);
    expect((await client.signOn('/BYE.HTML+T4', ANNA.name, ANNA.password)).status).to.equal(303);
    for (const path of ['/BYE.HTML+T4', '/d4/favicon.svg', '/d4/favicon.svg+T1', '/BYE.HTML+T1']) {
      const { status, headers } = await client.request(path);
      expect([status, headers.get('cache-control')], path).to.deep.equal([200, 'no-store']);
    }
  });

  it('nobody gets at the session that another user has left in the browser', async () => {
    const client = new SignOnClient(site.clientUrl);
    const path = '/TERMINAL.HTML+TSO4';
    await client.signOn(path, ANNA.name, ANNA.password);
    const annas = /action="([^"]+)"/.exec((await client.request(path)).text)?.[1] ?? '';
    expect((await client.request(annas)).status).to.equal(200);
    const { text } = await new SignOnClient(site.clientUrl).request(path);
    expect((await client.post(path, client.fieldsFor(text, ANNA.name, ANNA.password))).status).to.equal(303);
    expect((await client.request(annas)).status, 'the same user again').to.equal(200);
    const form = await new SignOnClient(site.clientUrl).request(path);
    // she began this one with the sign-on that is taken over
    const second = /action="([^"]+)"/.exec((await client.request(path)).text)?.[1] ?? '';
    expect((await client.post(path, client.fieldsFor(form.text, BERT.name, BERT.password))).status).to.equal(303);
    expect((await client.request(second)).status, 'another user').to.equal(404);
  });

  it('a cookie that somebody has planted in a browser opens no session of its user', async () => {
    const path = '/TERMINAL.HTML+TSO4';
    const attacker = new SignOnClient(site.clientUrl);
    await attacker.signOn(path, BERT.name, BERT.password);
    await attacker.request(path);
    const [planted = ['', '']] = [...attacker.cookies].filter(([name]) => name.startsWith('SvcSession'));
    const victim = new SignOnClient(site.clientUrl);
    victim.cookies.set(...planted);
    await victim.signOn(path, ANNA.name, ANNA.password);
    const begun = await victim.request(path);
    expect(begun.text).to.include('data-user="ANNA"');
    expect([...victim.cookies.values()].filter((value) => value === planted[1])).to.have.length(1);
    const found = await new SignOnClient(site.clientUrl).request('/TERMINAL.HTML++$UseCookieSession$', {
      headers: { Cookie: planted.join('=') },
    });
    expect([found.status, found.text.includes('data-user="BERT"')]).to.deep.equal([200, true]);
    expect(found.text).to.not.include('ANNA');
  });

  it('the sessions of a user who is no more, or has another password, end when the sign-on is looked at', async () => {
    const path = '/TERMINAL.HTML+TSO4';
    for (const end of [
      () => site.users.setPassword('GUEST', 'guest-password-2'),
      () => site.users.removeUser('GUEST'),
    ]) {
      const known = await site.users.findUser('GUEST');
      const password = known === undefined ? 'guest-password-1' : 'guest-password-2';
      const added = { name: 'GUEST', role: 'user', groups: [], expires: undefined } as const;
      if (known === undefined) await site.users.addUser(added, password);
      const client = new SignOnClient(site.clientUrl);
      await client.signOn(path, 'GUEST', password);
      const session = /action="([^"]+)"/.exec((await client.request(path)).text)?.[1] ?? '';
      expect((await client.request(session)).status).to.equal(200);
      await end();
      expect((await client.request(path)).status).to.equal(401);
      expect((await client.request(session)).status).to.equal(404);
    }
  });

  it('malformed credentials are none, and no failed sign-on', async () => {
    const path = `${site.portalUrl}/SECURE/capabilityCode.json+USRCAP?USER=ANNA`;
    const encoded = (bytes: string) => `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}`;
    const malformed = [
      'Basic',
      'Basic !',
      'Bearer x',
      encoded('admin'),
      encoded('\xff\xfe:x'),
      `Basic ${'QUJD'.repeat(600)}`,
    ];
    for (let index = 0; index < 20; index++) {
      const headers = { Authorization: malformed[index % malformed.length] ?? '' };
      expect((await fetch(path, { headers })).status, headers.Authorization.slice(0, 20)).to.equal(401);
    }
    const headers = basic(ADMINISTRATOR.name, ADMINISTRATOR.password);
    expect((await fetch(path, { headers })).status).to.equal(200);
  });

  it('what is typed as a user id is in no log, and no address of a form leads elsewhere', async () => {
    const typed = 'My-Password-In-The-Wrong-Field';
    const client = new SignOnClient(site.clientUrl);
    expect((await client.signOn('/BYE.HTML+T4', typed, 'x')).status).to.equal(401);
    const headers = basic(typed, 'x');
    expect((await fetch(`${site.portalUrl}/SECURE/x`, { headers })).status).to.equal(401);
    expect(site.log()).to.not.include(typed);
    for (const path of ['//evil.test/BYE.HTML+T4', '/%2f%2fevil.test+T4', '/%5cevil.test+T4', '/%09/evil.test+T4']) {
      expect(await rawStatus('POST', path), path).to.equal(400);
    }
    expect(await rawStatus('POST', '/\\evil.test+T4')).to.equal(400);
  });

  /** As the path is written; what asks for it would tidy it up. */
  function rawStatus(method: string, path: string): Promise<number> {
    const { hostname, port } = new URL(site.clientUrl);
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
      );
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      });
      socket.once('close', () => resolve(Number(answer.slice(9, 12))));
      socket.once('error', reject);
    });
  }

  it('the try that locks a user takes no longer than the others: the disk is not waited for', async () => {
    const own = await startPortalSite({ crypts: '' });
    try {
      const path = `${own.portalUrl}/SECURE/x`;
      const tryOnce = (index: number) => fetch(path, { headers: basic('OPERA', `wrong-${index}`) });
      for (let index = 1; index < 10; index++) expect((await tryOnce(index)).status).to.equal(401);
      // whoever holds the lock of the file keeps every change of it waiting
      const file = join(own.folder, 'data', 'security.yaml');
      let waiting: Promise<string> | undefined;
      await withFileLock(file, async () => {
        // who begins to wait for the lock later gives up later
        waiting = withFileLock(file, async () => {}).then(
          () => 'has the lock',
          () => 'gave up',
        );
        const status = tryOnce(10).then((answer) => answer.status);
        expect(await Promise.race([status, waiting])).to.equal(401);
      });
      await waiting;
      await eventually(async () => (await own.users.findRecord('OPERA'))?.locked);
    } finally {
      await own.stop();
    }
  });
});

describe('forms of one address', () => {
  it('have their key pairs made one after the other, so many at most, and those of others at the same time', async () => {
    const challenges = new SignOnChallenges();
    let making = 0;
    let most = 0;
    const make = async () => {
      most = Math.max(most, ++making);
      await wait(1);
      making--;
      return new SignOnChallenge(undefined);
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: MOST_CHALLENGES_IN_TURN + 1 }, () => challenges.make('192.0.2.1', make)),
    );
    expect(most).to.equal(1);
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => reason.code)).to.deep.equal(['SVC_ERR_SERVICE_BUSY']);
    await Promise.all([challenges.make('192.0.2.1', make), challenges.make('192.0.2.2', make)]);
    expect(most).to.equal(2);
    const failing = () => Promise.reject(new Error('no key'));
    await challenges.make('192.0.2.1', failing).catch(() => {});
    expect((await challenges.make('192.0.2.1', make)).code).to.have.length(32);
  });
});
