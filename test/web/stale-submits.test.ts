import { expect } from 'chai';
import { ScreenClient } from '../sessions/screen-client.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';

const record = (data: string) => `00 00 00 0000 ${data} ffef`;
/** An input of eight positions with the cursor, protected text from position 12 on. */
const screen = (text: string) => `f5c3 1d40 13 0000000000000000 1d60 4040 ${Buffer.from(ebcdic(text)).toString('hex')}`;
/** Capital letters and the question mark in code page 037. */
const ebcdic = (text: string) =>
  [...text].map((character) => {
    if (character === '?') return 0x6f;
    const place = 'ABCDEFGHI'.indexOf(character);
    if (place >= 0) return 0xc1 + place;
    const second = 'JKLMNOPQR'.indexOf(character);
    return second >= 0 ? 0xd1 + second : 0xe2 + 'STUVWXYZ'.indexOf(character);
  });

const OLD = screen('OLD');
const DELETE = screen('DELETE?');
/** Enter with y in the input: the AID, the address of the cursor, then Set Buffer Address and the text (GA23-0059). */
const ENTER_Y = '7d 40c1 1140c1 a8';

const page = (code: string) =>
  `<!--SVC start="{{{" end="}}}" --><form action="++{{{${code}}}}"><p>{{{CURRENT-VALUE-OF "$NOTICE$"}}}</p>{{{GENERATE-HTML (1,1,1920)}}}</form>`;

const NOTICE = 'The screen has changed since you pressed the key. Nothing was sent to the host.';

/** A key that was pressed on one screen must not reach another one. */
describe('a submit for a screen that the host has replaced', () => {
  let site: SessionSite;
  const host = new ScriptedHost();

  before(async () => {
    site = await startSessionSite({
      hosts: `HOST: { address: '127.0.0.1:${await host.listen()}' }`,
      transactions: [
        'HOST: { applicationType: 1, application: HOST }',
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
      furtherPages: { 'ONE.HTML': page('AJAX-SESSION-CODE'), 'EACH.HTML': page('SESSION-CODE') },
    });
  });

  after(async () => {
    await site.stop();
    await host.close();
  });

  const heard = () => host.received.length;

  /** A new session on the screen OLD. @returns the answer to its first request */
  async function begin(name: string, accept: string): Promise<Visitor> {
    const before = host.sockets.length;
    const opening = fetch(`${site.url}/${name}+HOST`, { headers: { Accept: accept } });
    await eventually(() => host.sockets.length > before || undefined);
    await host.send(AGREEMENT);
    await host.send(`${BIND} ${record(OLD)}`);
    const response = await opening;
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return new Visitor(site.url, name, cookie, accept, await response.text());
  }

  /** The host writes, and the session has it. */
  async function draws(client: ScreenClient, data: string): Promise<void> {
    const { revision } = client;
    await host.send(record(data));
    await eventually(() => client.revision !== revision || undefined);
  }

  /** A page over WebSocket that sees what the host does. */
  async function watching(visitor: Visitor): Promise<ScreenClient> {
    const client = new ScreenClient(site.url, visitor.action, visitor.cookie);
    await client.connect();
    await client.shows('OLD');
    return client;
  }

  describe('over WebSocket', () => {
    const json = () => begin('ONE.HTML', 'application/json');
    const refusal = (client: ScreenClient, number: number) => client.message(({ k, i }) => k === 'r' && i === number);

    it('is refused, and the page goes on with the screen that is there', async () => {
      const client = await watching(await json());
      const { revision } = client;
      await draws(client, DELETE);
      const before = heard();
      client.key(1, 'ENTER', { V0000001: 'y' }, { r: revision });
      expect(await refusal(client, 1)).to.include({ e: 'SVC_ERR_SUBMIT_SCREEN' });
      expect(heard()).to.equal(before);
      client.key(2, 'ENTER', { V0000001: 'y' });
      await host.hears(ENTER_Y);
      client.cut();
    });

    it('is refused if it names no revision, or one that is still to come', async () => {
      const client = await watching(await json());
      const before = heard();
      client.key(1, 'ENTER', { V0000001: 'y' }, { r: undefined });
      expect(await refusal(client, 1)).to.include({ e: 'SVC_ERR_SUBMIT_SCREEN' });
      client.key(2, 'ENTER', { V0000001: 'y' }, { r: Number(client.revision) + 1 });
      expect(await refusal(client, 2)).to.include({ e: 'SVC_ERR_SUBMIT_SCREEN' });
      expect(heard()).to.equal(before);
      client.cut();
    });

    it('is told again to a page whose connection was lost meanwhile, and is not carried out when it is sent again', async () => {
      const client = await watching(await json());
      const { revision } = client;
      await draws(client, DELETE);
      const before = heard();
      client.key(1, 'ENTER', { V0000001: 'y' }, { r: revision });
      const told = await refusal(client, 1);
      client.cut();
      client.messages.length = 0;
      await client.connect();
      expect(await client.message(({ k }) => k === 'w')).to.deep.equal({ ...told, k: 'w', p: client.page });
      client.key(1, 'ENTER', { V0000001: 'y' });
      expect(await refusal(client, 1)).to.deep.equal(told);
      expect(heard()).to.equal(before);
      client.cut();
    });

    it('is for the answer to the key before if it was typed ahead', async () => {
      const client = await watching(await json());
      client.key(1, 'ENTER', { V0000001: 'a' });
      await host.hears('7d 40c1 1140c1 81');
      // typed while the host is at work: the server says that it has the key
      const before = heard();
      client.key(2, 'ENTER', { V0000001: 'b' }, { r: undefined, y: 1 });
      expect(await client.message(({ k }) => k === 'g')).to.deep.equal({ k: 'g', i: 2 });
      expect(heard()).to.equal(before);
      await host.send(record(screen('ANSWER')));
      await host.hears('7d 40c1 1140c1 82');
      client.cut();
    });

    it('is refused if it was typed ahead and the host has replaced the answer', async () => {
      const client = await watching(await json());
      client.key(1, 'ENTER', { V0000001: 'c' });
      await host.hears('7d 40c1 1140c1 83');
      await draws(client, screen('ANSWER'));
      await draws(client, DELETE);
      const before = heard();
      client.key(2, 'ENTER', { V0000001: 'y' }, { r: undefined, y: 1 });
      expect(await refusal(client, 2)).to.include({ e: 'SVC_ERR_SUBMIT_SCREEN' });
      expect(heard()).to.equal(before);
      client.cut();
    });

    it('is refused if it was typed ahead and another page has pressed a key since', async () => {
      const visitor = await json();
      const [client, other] = [await watching(visitor), await watching(visitor)];
      client.key(1, 'ENTER', { V0000001: 'd' });
      await host.hears('7d 40c1 1140c1 84');
      await draws(client, screen('ANSWER'));
      await other.shows('ANSWER');
      other.key(1, 'ENTER', { V0000001: 'e' });
      await host.hears('7d 40c1 1140c1 85');
      await draws(client, DELETE);
      const before = heard();
      client.key(2, 'ENTER', { V0000001: 'y' }, { r: undefined, y: 1 });
      expect(await refusal(client, 2)).to.include({ e: 'SVC_ERR_SUBMIT_SCREEN' });
      expect(heard()).to.equal(before);
      client.cut();
      other.cut();
    });
  });

  describe('from a form', () => {
    it('is answered with the current screen and a notice, and sends nothing', async () => {
      const visitor = await begin('ONE.HTML', 'text/html');
      const client = await watching(visitor);
      await draws(client, DELETE);
      const before = heard();
      for (const headers of [{}, { 'X-Svc-Request-Id': '1 ENTER 10:00:00' }]) {
        const answer = await visitor.submit({ pf: 'ENTER', V0000001: 'y' }, headers);
        const text = await answer.text();
        expect(answer.status).to.equal(409);
        expect(text).to.include(NOTICE).and.include('DELETE?');
        expect(heard()).to.equal(before);
        // the same form comes from the page before, once more
        if (headers['X-Svc-Request-Id'] === undefined) await draws(client, DELETE);
      }
      const again = await visitor.submit({ pf: 'ENTER', V0000001: 'y' }, { 'X-Svc-Request-Id': '1 ENTER 10:00:00' });
      expect(await again.text(), 'the first answer again').to.include(NOTICE);
      expect(heard()).to.equal(before);
      const next = visitor.submit({ pf: 'ENTER', V0000001: 'y' }, { 'X-Svc-Request-Id': '2 ENTER 10:00:01' });
      await eventually(() => heard() > before || undefined);
      await host.send(record(screen('DONE')));
      expect(await (await next).text())
        .to.include('DONE')
        .and.not.include(NOTICE);
      client.cut();
    });

    it('with the code of an older page is for the screen of that page', async () => {
      const visitor = await begin('EACH.HTML', 'text/html');
      const [old] = /SvcSession=[\w-]+/.exec(visitor.page) ?? [];
      const client = await watching(visitor);
      await draws(client, DELETE);
      // another page of the session, which shows the new screen
      const newer = await visitor.get();
      const [code] = /SvcSession=[\w-]+/.exec(await newer.text()) ?? [];
      const before = heard();
      const refused = await visitor.submit({ pf: 'ENTER', V0000001: 'y' }, {}, old);
      expect([refused.status, heard()]).to.deep.equal([409, before]);
      const next = visitor.submit({ pf: 'ENTER', V0000001: 'y' }, {}, code);
      await eventually(() => heard() > before || undefined);
      await host.send(record(screen('DONE')));
      expect((await next).status).to.equal(200);
      client.cut();
    });
  });

  describe('from a program', () => {
    it('is for the last screen that it was sent, or for the one that it names', async () => {
      const visitor = await begin('ONE.HTML', 'application/json');
      const client = await watching(visitor);
      await draws(client, DELETE);
      const before = heard();
      const refused = await visitor.submit({ pf: 'ENTER', V0000001: 'y' });
      expect(refused.status).to.equal(409);
      expect(await refused.json()).to.include({ code: 'SVC_ERR_SUBMIT_SCREEN' });
      const { revision } = (await (await visitor.get()).json()) as { revision: number };
      for (const [named, status] of [
        [revision - 1, 409],
        [revision + 1, 400],
        ['x', 400],
        ['', 400],
        ['9'.repeat(10), 400],
      ] as const) {
        const answer = await visitor.submit({ pf: 'ENTER', V0000001: 'y' }, { 'X-Svc-Revision': String(named) });
        expect(answer.status, String(named)).to.equal(status);
      }
      expect(heard()).to.equal(before);
      const taken = visitor.submit({ pf: 'ENTER', V0000001: 'y' }, { 'X-Svc-Revision': String(revision) });
      await eventually(() => heard() > before || undefined);
      await host.send(record(screen('DONE')));
      expect((await taken).status).to.equal(200);
      client.cut();
    });

    it('is for the answer to the submit before if it follows that without waiting', async () => {
      const visitor = await begin('ONE.HTML', 'application/json');
      const before = heard();
      const first = visitor.submit({ pf: 'ENTER', V0000001: 'a' }, { 'X-Svc-Request-Id': '1 ENTER 10:00:00' });
      await eventually(() => heard() > before || undefined);
      const second = visitor.submit({ pf: 'ENTER', V0000001: 'f' }, { 'X-Svc-Request-Id': '2 ENTER 10:00:01' });
      await host.send(record(screen('ANSWER')));
      expect((await first).status).to.equal(200);
      await host.hears('7d 40c1 1140c1 86');
      await host.send(record(screen('DONE')));
      expect((await second).status).to.equal(200);
    });
  });
});

/** A browser or a program that has a session. */
class Visitor {
  readonly action: string;

  constructor(
    readonly url: string,
    readonly name: string,
    readonly cookie: string,
    readonly accept: string,
    readonly page: string,
  ) {
    const [code] = /SvcSession=[\w-]+/.exec(page) ?? [];
    this.action = `/w2h/${name}++${code}`;
  }

  get(): Promise<Response> {
    return fetch(this.url + this.action, { headers: { Accept: this.accept, Cookie: this.cookie } });
  }

  submit(
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
    code?: string,
  ): Promise<Response> {
    const action = code === undefined ? this.action : `/w2h/${this.name}++${code}`;
    return fetch(this.url + action, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Accept: this.accept, Cookie: this.cookie, ...headers },
    });
  }
}
