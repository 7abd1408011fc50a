import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { openScreen, ScreenClient, type ScreenMessage } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

const on = (text: string) => [{ text, row: 1, column: 2 }];
/** The input field of the menu. */
const OPTION = 'V00000AD';

/** docs/write/screen-protocol.md, "Macros", against a real server and the simulated host. */
describe('macros over WebSocket', () => {
  let site: SessionSite;
  const clients: ScreenClient[] = [];

  before(async () => {
    site = await startSessionSite({
      tct: '',
      transactions: 'MENU: { applicationType: 1, application: MENU }',
      hosts: 'MENU: { simulated: true, start: MENU }',
    });
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.cut();
  });

  after(() => site?.stop());

  /** A page that shows the menu. */
  async function page(of?: ScreenClient): Promise<ScreenClient> {
    const client =
      of === undefined
        ? await openScreen(site.url, '/WEB2SUB.HTML+MENU')
        : new ScreenClient(of.url, of.action, of.cookie);
    clients.push(client);
    await client.connect();
    await client.shows('Option ===>');
    return client;
  }

  async function playing(name = 'Look up'): Promise<ScreenClient> {
    const client = await page();
    client.send({ k: 'm', n: name });
    await client.message(({ k, p }) => k === 'm' && p === client.page);
    return client;
  }

  const answer = (client: ScreenClient, number: number) => client.message(({ k, i }) => k === 'x' && i === number);

  it('are told which screen is there, behind that screen', async () => {
    const client = await playing();
    client.key(1, 'ENTER', { [OPTION]: '2' });
    client.send({ k: 'x', i: 1, w: 30_000, t: 1_000, s: [on('MENU'), on('ACCT')] });
    expect(await answer(client, 1)).to.deep.equal({ k: 'x', i: 1, e: 'done', s: 1 });
    expect(client.rows()[0], 'the screen was sent before').to.include('ACCT');
    expect(client.lock).to.equal(0);
  });

  it('are told what is missing, and wait for what the host writes late', async () => {
    const client = await playing();
    client.key(1, 'ENTER', { [OPTION]: '8' });
    client.send({ k: 'x', i: 1, w: 30_000, t: 0, s: [[...on('LATE'), { text: 'no such text' }], [{ blank: true }]] });
    expect(await answer(client, 1)).to.deep.include({ e: 'otherScreen', d: [[1], [0]] });
    client.key(2, 'ENTER', { [(await fieldOf(client)) ?? '']: '0.2' });
    client.send({ k: 'x', i: 2, t: 30_000, s: [[{ text: 'That took 0.2 seconds' }]] });
    expect(await answer(client, 2)).to.deep.equal({ k: 'x', i: 2, e: 'done', s: 0 });
  });

  it('are told when the keyboard is not free in time, and no more by a question before the last', async () => {
    const client = await playing();
    client.key(1, 'ENTER', { [OPTION]: '8' });
    await client.shows('Seconds');
    client.key(2, 'ENTER', { [(await fieldOf(client)) ?? '']: '0.5' });
    client.send({ k: 'x', i: 1, w: 600_000 });
    client.send({ k: 'x', i: 2, w: 1 });
    expect(await answer(client, 2)).to.deep.equal({ k: 'x', i: 2, e: 'timedOut' });
    await client.shows('That took 0.5 seconds');
    expect(client.messages.some(({ k, i }) => k === 'x' && i === 1)).to.equal(false);
  });

  it('read what is displayed, row by row, and nothing where there is no such place', async () => {
    const client = await playing();
    client.send({ k: 'x', i: 1, v: [1, 2, 3, 12] });
    expect(await answer(client, 1)).to.deep.equal({ k: 'x', i: 1, e: 'done', v: 'MENU\n\nOption ===>' });
    client.send({ k: 'x', i: 2, v: [1, 2, 30, 12] });
    expect(await answer(client, 2)).to.deep.equal({ k: 'x', i: 2, e: 'done' });
  });

  it('press no key, and type nothing, on another screen than the key is for', async () => {
    const client = await playing();
    client.key(1, 'ENTER', { [OPTION]: '2' }, { x: [on('ACCT'), [{ text: 'MENU', row: 2 }]] });
    expect(await client.message(({ k }) => k === 'r')).to.include({ i: 1, e: 'SVC_ERR_SUBMIT_SCREEN' });
    client.key(2, 'ENTER', {}, { x: [on('MENU')] });
    await client.shows('Please select an option');
    client.key(3, 'ENTER', { [OPTION]: '2' }, { x: [on('ACCT'), on('MENU')] });
    await client.shows('Account inquiry');
  });

  it('are one a session: another page is told, and may not begin one', async () => {
    const client = await playing('First');
    const other = await page(client);
    const told = { k: 'm', n: 'First', p: client.page };
    expect(await other.message(({ k }) => k === 'm')).to.deep.equal(told);
    other.send({ k: 'm', n: 'Second' });
    await eventually(() => other.messages.filter(({ k }) => k === 'm').length === 2 || undefined);
    expect(other.messages.findLast(({ k }) => k === 'm')).to.deep.equal(told);
    other.send({ k: 'x', i: 1, w: 1_000 });
    expect(await answer(other, 1)).to.deep.equal({ k: 'x', i: 1, e: 'over' });
    // what the other page has to do with it ends nothing
    other.send({ k: 'm' });
    client.send({ k: 'x', i: 1, w: 1_000 });
    expect(await answer(client, 1)).to.include({ e: 'done' });
    client.send({ k: 'm' });
    const isOver = (message: ScreenMessage) => message.k === 'm' && message.n === undefined;
    await other.message(isOver);
    other.send({ k: 'm', n: 'Second' });
    expect(await client.message(({ k, n }) => k === 'm' && n === 'Second')).to.include({ p: other.page });
  });

  it('are told no page that leaves a mebibyte unread: it is cut off', async () => {
    const client = await page();
    const other = await page(client);
    other.pause();
    const told = () => client.messages.filter(({ k }) => k === 'm').length;
    // more than the connection holds
    for (let begun = 500; begun <= 40_000; begun += 500) {
      for (let count = 0; count < 500; count++) client.send({ k: 'm', n: '\u20ac'.repeat(100) });
      await eventually(() => (told() === begun ? true : undefined));
    }
    other.resume();
    expect(await eventually(() => other.closed)).to.include({ code: 1006 });
    expect(other.messages).to.have.length.below(40_000);
  });

  it('end with the connection of their page', async () => {
    const client = await playing('First');
    const other = await page(client);
    client.send({ k: 'x', i: 1, t: 600_000, s: [on('NEVER')] });
    client.cut();
    await other.message(({ k, n }) => k === 'm' && n === undefined);
    other.send({ k: 'm', n: 'Second' });
    await other.message(({ k, n }) => k === 'm' && n === 'Second');
  });

  it('end with the session, whatever they wait for', async () => {
    const client = await playing();
    client.send({ k: 'x', i: 1, t: 600_000, s: [on('NEVER')] });
    client.key(1, 'DISCONNECT');
    await client.message(({ k }) => k === 'e');
    expect(client.messages.some(({ k }) => k === 'x')).to.equal(false);
  });

  it('take their questions from pages that play, and what is none closes the connection', async () => {
    const screens = (count: number) => Array.from({ length: count }, () => on('MENU'));
    for (const wrong of [
      { k: 'm', n: '' },
      { k: 'm', n: 'x'.repeat(101) },
      { k: 'm', n: 'line\nend' },
      { k: 'x' },
      { k: 'x', i: 1, w: 600_001 },
      { k: 'x', i: 1, t: -1 },
      { k: 'x', i: 1, s: screens(11) },
      { k: 'x', i: 1, s: [[{ text: 'x'.repeat(201) }]] },
      { k: 'x', i: 1, v: [1, 1, 201, 1] },
      { k: 'k', i: 1, a: 'ENTER', x: [] },
    ]) {
      const client = await page();
      client.send(wrong);
      await eventually(() => client.closed);
      expect(client.closed?.code, JSON.stringify(wrong)).to.equal(1008);
    }
    const client = await playing('x'.repeat(100));
    client.send({ k: 'x', i: 1, w: 600_000, t: 600_000, s: screens(10), v: [1, 1, 24, 80] });
    expect(await answer(client, 1)).to.include({ e: 'done', s: 0 });
  });

  /** Of the only input field there is. */
  async function fieldOf(client: ScreenClient): Promise<string | undefined> {
    const fields = await eventually(() => {
      const f = client.messages.findLast((one) => (one.k === 's' || one.k === 'd') && one.f !== undefined)?.f;
      return Array.isArray(f) ? (f as number[][]) : undefined;
    });
    const [address] = fields.find(([, attribute = 0]) => (attribute & 0x20) === 0) ?? [];
    return address === undefined ? undefined : `V${(address + 1).toString(16).toUpperCase().padStart(7, '0')}`;
  }
});
