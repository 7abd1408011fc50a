import { expect } from 'chai';
import type { WholeScreenMessage } from '../../src/terminal/protocol/server-message.js';
import { eventually } from '../support/eventually.js';
import { randomFrom } from '../support/random.js';
import { openScreen, ScreenClient } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

/** docs/write/screen-protocol.md, against a real server. */
describe('screens over WebSocket', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      tct: '',
      transactions:
        'MENU: { applicationType: 1, application: MENU }\n      TSO: { applicationType: 1, application: SIM }\n      JAPAN: { applicationType: 1, application: JAPAN }',
      hosts: `MENU: { simulated: true, start: MENU }
  JAPAN: { simulated: true, start: MENU, codePage: IBM939 }`,
    });
  });

  after(() => site?.stop());

  const open = async (transaction: string) => openScreen(site.url, `/WEB2SUB.HTML+${transaction}`);

  it('sends the screen, then what changes', async () => {
    const client = await open('MENU');
    await client.connect();
    await client.message(({ k }) => k === 's');
    expect(client.rows()[0]).to.include('Sallyport simulated host');
    client.key(1, 'ENTER');
    await client.shows('Please select an option');
    expect(client.messages.filter(({ k }) => k === 's')).to.have.length(1);
    expect(await client.message(({ k }) => k === 'a')).to.deep.equal({ k: 'a', i: 1 });
    expect(Math.max(...client.sizes.slice(1))).to.be.at.most(200);
    client.cut();
  });

  it('tells once what the terminal is connected to, and again what has changed of it', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'ENTER');
    await client.shows('Please select an option');
    const told = client.messages.filter(({ k }) => k === 'i');
    expect(told).to.deep.equal([{ k: 'i', h: 'MENU', m: 'IBM-3279-2-E', d: told[0]?.d }]);
    expect(client.rows().join('\n')).to.match(new RegExp(`Terminal : ${told[0]?.d}\\b`));
    client.cut();
  });

  it('writes the members of each message in the order of docs/write/screen-protocol.md', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'ENTER', { V00000AD: '4' });
    await client.shows('Colours and attributes');
    client.key(2, 'ENTER', { V0000001: 'X' });
    await client.message(({ k }) => k === 'r');
    client.key(3, 'DISCONNECT');
    await client.message(({ k }) => k === 'e');
    const documented = {
      w: 'kpi',
      i: 'khmds',
      c: 'kswx',
      s: 'krnculgoetfx',
      d: 'kbrulgoetfx',
      a: 'ki',
      r: 'kiem',
      e: 'kecm',
    };
    expect(new Set(client.messages.map(({ k }) => k))).to.include.keys('w', 's', 'a', 'r', 'e');
    for (const message of client.messages) {
      const names = Object.keys(message).join('');
      const order = documented[message.k as keyof typeof documented];
      expect([...order].filter((name) => names.includes(name)).join(''), JSON.stringify(message)).to.equal(names);
    }
  });

  it('signs on a user who typed in the middle of the fields: positions that nobody typed into are not sent', async () => {
    const client = await open('TSO');
    await client.connect();
    await client.shows('Password');
    const { f: fields = [] } = (await client.message(({ k }) => k === 's')) as unknown as WholeScreenMessage;
    const [user, password] = fields
      .filter(([, attribute = 0]) => (attribute & 32) === 0)
      .map(([address]) => address + 1);
    const id = (address = 0) => `V${address.toString(16).toUpperCase().padStart(7, '0')}`;
    client.key(1, 'ENTER', { [id(user)]: '\u0000\u0000DEMO', [id(password)]: '\u0000demo' });
    await client.shows('User . . : DEMO');
    client.cut();
  });

  it('is at the address of the session itself, not where its status is asked', async () => {
    const client = await open('MENU');
    expect(client.action).to.include('++SvcSession=');
    for (const word of ['Validate', 'Verify']) {
      const polling = new ScreenClient(client.url, client.action.replace('++', `++${word}`), client.cookie);
      expect(
        await polling.connect().then(
          () => 'connected',
          ({ message }: Error) => message,
        ),
        word,
      ).to.equal('404');
    }
    await client.connect();
    client.cut();
  });

  it('carries out a submit once, however often it is sent', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'ENTER', { V00000AD: '2' });
    await client.shows('Account number');
    const { revision } = client;
    client.key(1, 'PF03');
    await eventually(() => (client.messages.filter(({ k }) => k === 'a').length === 2 ? true : undefined));
    expect(client.rows()[0]).to.include('Account inquiry');
    expect(client.revision).to.equal(revision);
    client.cut();
  });

  it('says why a submit is refused, and goes on', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'ENTER', { V0000001: 'X' });
    expect(await client.message(({ k }) => k === 'r')).to.include({ i: 1, e: 'SVC_ERR_SUBMIT_FIELD' });
    client.key(2, 'ENTER', { V00000AD: '123456789' });
    expect(await client.message(({ k, i }) => k === 'r' && i === 2))
      .to.have.property('m')
      .that.includes('V00000AD');
    client.key(3, 'ENTER', { V00000AD: '4' });
    await client.shows('Colours and attributes');
    client.cut();
  });

  it('says it in the language that the handshake asks for', async () => {
    for (const [headers, words] of [
      [
        { 'Accept-Language': 'de-AT,en;q=0.5' },
        /^Ein Feld nimmt den gesendeten Wert nicht an\. V0000001 ist geschützt\.$/,
      ],
      [
        { 'Accept-Language': 'de', Cookie: 'sallyport-language=fr' },
        /^Une zone n’accepte pas la valeur envoyée\. V0000001 est une zone protégée\.$/,
      ],
      [{ 'Accept-Language': 'it' }, /V0000001/],
    ] as const) {
      const client = await open('MENU');
      const cookie = 'Cookie' in headers ? `${client.cookie}; ${headers.Cookie}` : client.cookie;
      await client.connect({ ...headers, Cookie: cookie });
      client.key(1, 'ENTER', { V0000001: 'X' });
      const refusal = await client.message(({ k }) => k === 'r');
      expect(refusal).to.include({ e: 'SVC_ERR_SUBMIT_FIELD' }).and.have.property('m').that.matches(words);
      client.cut();
    }
  });

  it('never sends what is not displayed', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'ENTER', { V00000AD: '4' });
    await client.shows('not displayed');
    expect(JSON.stringify(client.messages)).to.not.include('unseen');
    client.cut();
  });

  it('marks the right halves of double-byte characters', async () => {
    const client = await open('JAPAN');
    await client.connect();
    client.key(1, 'ENTER', { V00000AD: '6' });
    await client.shows('日本語の画面');
    const at = client.cells.indexOf('日');
    expect(client.cells.slice(at, at + 4)).to.deep.equal(['日', '', '本', '']);
    client.cut();
  });

  it('comes back after 200 cuts at any moment, with nothing lost or doubled', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'ENTER', { V00000AD: '2' });
    await client.shows('Account number');
    const random = randomFrom(20_261_121);
    let cuts = 0;
    for (let number = 2; cuts < 200; number++) {
      // what each inquiry shows names the number that was asked for: one too many or too few would show
      const asked = String(90_000_000 + number);
      client.key(number, 'ENTER', { V00000105: asked });
      while (random() < 0.7 && cuts < 200) {
        cuts++;
        if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
        client.cut();
        await client.connect();
        client.key(number, 'ENTER', { V00000105: asked });
      }
      await client.shows(`There is no account ${asked}`);
      await client.message(({ k, i }) => k === 'a' && i === number);
    }
    client.cut();
    const again = new ScreenClient(site.url, client.action, client.cookie);
    await again.connect();
    await again.message(({ k }) => k === 's');
    expect(again.rows()).to.deep.equal(client.rows());
    again.cut();
  });

  it('resumes where the page is, and sends no screen that it has', async () => {
    const client = await open('MENU');
    await client.connect();
    await client.message(({ k }) => k === 's');
    client.cut();
    const before = client.messages.length;
    await client.connect();
    await eventually(() => (client.messages.length > before ? true : undefined));
    client.key(1, 'ENTER');
    await client.shows('Please select an option');
    expect(client.messages.slice(before).map(({ k }) => k)).to.not.include('s');
    client.cut();
  });

  it('tells every page of a session', async () => {
    const client = await open('MENU');
    const other = new ScreenClient(site.url, client.action, client.cookie);
    await client.connect();
    await other.connect();
    client.key(1, 'ENTER', { V00000AD: '3' });
    await other.shows('Transfer order');
    expect(other.page).to.not.equal(client.page);
    client.key(2, 'DISCONNECT');
    await eventually(() => other.closed);
    expect(other.messages.at(-1)).to.deep.equal({ k: 'e', e: 'disconnected' });
  });

  it('tells that the host has ended the session', async () => {
    const client = await open('MENU');
    await client.connect();
    client.key(1, 'PF03');
    expect(await client.message(({ k }) => k === 'e')).to.include({ e: 'hostEnded' });
  });

  it('lets nobody in but the page of the session', async () => {
    const client = await open('TSO');
    const refusal = async (other: ScreenClient, headers: Readonly<Record<string, string>> = {}) => {
      try {
        await other.connect(headers);
        return 'let in';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await refusal(client, { Origin: 'http://evil.example' })).to.equal('403');
    expect(await refusal(client, { Origin: 'null' })).to.equal('403');
    const host = new URL(site.url).host;
    expect(await refusal(client, { Origin: `http://${host}` })).to.equal('let in');
    // the cookie came back once: from then on it must
    expect(await refusal(new ScreenClient(site.url, client.action, ''))).to.equal('404');
    expect(await refusal(new ScreenClient(site.url, `${client.action}x`, client.cookie))).to.equal('404');
    expect(await refusal(new ScreenClient(site.url, '/WEB2SUB.HTML+TSO', client.cookie))).to.equal('404');
    client.cut();
  });

  it('closes on what is not a message of the protocol', async () => {
    for (const message of ['no json', '[]', 'null', '{"k":"x"}', '{"k":"k","i":1,"a":"ENTER"}', '{"k":"h"}{"k":"h"}']) {
      const client = await open('TSO');
      await client.connect({}, message.startsWith('{"k":"k"') ? { k: 'z' } : {});
      client.send(message);
      const { code } = await eventually(() => client.closed);
      expect(code, message).to.equal(1008);
    }
    const client = await open('TSO');
    await client.connect();
    for (const wrong of [{ i: -1 }, { i: 1.5 }, { a: 7 }, { f: [] }, { f: { V1: 2 } }, { f: { FOO: 'x' } }, { s: 1 }]) {
      const other = new ScreenClient(site.url, client.action, client.cookie);
      await other.connect();
      other.send({ k: 'k', i: 1, a: 'ENTER', ...wrong });
      expect((await eventually(() => other.closed)).code, JSON.stringify(wrong)).to.equal(1008);
    }
    const large = new ScreenClient(site.url, client.action, client.cookie);
    await large.connect();
    large.send(JSON.stringify({ k: 'k', i: 1, a: 'ENTER', f: {}, z: 'x'.repeat(262_144) }));
    expect((await eventually(() => large.closed)).code).to.equal(1009);
    const exact = new ScreenClient(site.url, client.action, client.cookie);
    await exact.connect();
    const rest = 262_144 - '{"k":"k","i":1,"a":"NULL-PF","z":""}'.length;
    exact.send(`{"k":"k","i":1,"a":"NULL-PF","z":"${'x'.repeat(rest)}"}`);
    expect(await exact.message(({ k }) => k === 'a')).to.deep.equal({ k: 'a', i: 1 });
    client.cut();
    exact.cut();
  });
});

describe('the notice of a session over WebSocket', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      transactions: `TOLD: { applicationType: 1, application: MENU, tioaAtLogon: 'Good day&/T' }
      MENU: { applicationType: 1, application: MENU }`,
      hosts: 'MENU: { simulated: true, start: MENU }',
    });
  });
  after(() => site?.stop());

  async function firstScreen(transaction: string) {
    const client = await openScreen(site.url, `/WEB2SUB.HTML+${transaction}`);
    await client.connect();
    const screen = await client.message(({ k }) => k === 's');
    client.cut();
    return screen;
  }

  it('is sent where there is one, and nothing where there is none', async () => {
    expect(await firstScreen('TOLD')).to.have.property('o', 'Good day');
    expect(await firstScreen('MENU')).to.not.have.property('o');
  });
});
