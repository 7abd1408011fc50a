import { expect } from 'chai';
import WebSocket from 'ws';
import { openScreen, ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { PortalClient } from './portal-client.js';

const SESSION = /\/sessions\/([0-9a-f]+)"/;

describe('the WebSockets of a session', () => {
  let site: PortalSite;
  const realSend = WebSocket.prototype.send;
  const realNow = performance.now;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      transactions: '      CLEAR: { applicationType: 1, application: SIM, page: TERMINAL.HTML }',
    });
  });
  afterEach(() => {
    WebSocket.prototype.send = realSend;
    performance.now = realNow;
  });
  after(() => site.stop());

  /** Two pages of one session; `sent` has what the server has written to the first one since it was closed. */
  async function withOneClosed() {
    const greeted: WebSocket[] = [];
    const late: string[] = [];
    WebSocket.prototype.send = function (this: WebSocket, ...given: Parameters<typeof realSend>) {
      const text = String(given[0]);
      if (text.startsWith('{"k":"w"')) greeted.push(this);
      if (this === greeted[0] && this.readyState !== WebSocket.OPEN) late.push(text);
      return Reflect.apply(realSend, this, given);
    } as typeof realSend;
    const first = await openScreen(site.clientUrl, '/TERMINAL.HTML+CLEAR');
    await first.connect();
    await first.shows('Sallyport simulated host');
    const second = new ScreenClient(first.url, first.action, first.cookie, {}, first.begun);
    await second.connect();
    await second.shows('Sallyport simulated host');
    first.cut();
    await eventually(() => greeted[0]?.readyState === WebSocket.CLOSED || undefined);
    expect(greeted).to.have.length(2);
    return { second, late };
  }

  it('of a closed page are told nothing any more: no screen, no macro, no message of an operator', async () => {
    const { second, late } = await withOneClosed();
    const { length: before } = second.messages;
    second.key(1, 'ENTER');
    await eventually(() => second.messages.slice(before).some(({ k }) => k === 's' || k === 'd') || undefined);
    second.send({ k: 'm', n: 'payroll' });
    await second.message(({ k, n }) => k === 'm' && n === 'payroll');
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    const [, id = ''] = SESSION.exec((await administrator.get('/sessions')).text) ?? [];
    await administrator.post(`/sessions/${id}/message`, { MESSAGE: 'Please sign off' });
    await second.message(({ k, m }) => k === 'n' && m === 'Please sign off');
    expect(late).to.deep.equal([]);
    second.cut();
  });

  it('keep it alive where its user is there, and not where the page only asks how long it still lasts', async () => {
    const client = await openScreen(site.clientUrl, '/TERMINAL.HTML+CLEAR');
    await client.connect();
    await client.shows('Sallyport simulated host');
    let ahead = 0;
    performance.now = () => realNow.call(performance) + ahead;
    const asked = async (question: object) => {
      const told = () => client.messages.filter(({ k }) => k === 't');
      const { length } = told();
      client.send(question);
      const { s, n } = await eventually(() => told()[length]);
      return { left: Number(s), whole: Number(n) };
    };
    ahead += 60_000;
    const first = await asked({ k: 'q' });
    expect(first.left).to.be.within(1, first.whole - 60);
    ahead += 60_000;
    expect((await asked({ k: 'q' })).left).to.be.within(1, first.left - 60);
    expect((await asked({ k: 'q', y: 0 })).left).to.be.within(1, first.left - 60);
    expect((await asked({ k: 'q', y: 1 })).left).to.be.within(first.whole - 1, first.whole);
    client.cut();
  });
});
