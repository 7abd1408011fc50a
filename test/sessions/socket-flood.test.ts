import { get } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { openScreen, type ScreenClient } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

const SOCKETS = 4;
const MESSAGES = 10_000;

describe('WebSocket messages of one client', () => {
  let site: SessionSite;
  const clients: ScreenClient[] = [];

  before(async () => {
    site = await startSessionSite({
      tct: '',
      transactions: 'MENU: { applicationType: 1, application: MENU }',
      hosts: 'MENU: { simulated: true, start: MENU }',
    });
  });

  after(() => {
    for (const client of clients) client.cut();
    return site?.stop();
  });

  /** A file, asked for from an address that sends nothing else. */
  const answered = () =>
    new Promise<number>((resolve, reject) => {
      get(`${site.url}/w2h/favicon.svg`, { localAddress: '127.0.0.3' }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      }).once('error', reject);
    });

  it('are answered one and all, and after the request of another client that came later', async () => {
    for (let at = 0; at < SOCKETS; at++) {
      const client = await openScreen(site.url, '/WEB2SUB.HTML+MENU');
      clients.push(client);
      await client.connect();
      await client.message(({ k }) => k === 's');
    }
    const times = () => clients.reduce((sum, { messages }) => sum + messages.filter(({ k }) => k === 't').length, 0);
    for (const client of clients) for (let at = 0; at < MESSAGES; at++) client.send('{"k":"q"}');
    await eventually(() => times() > 0 || undefined);
    await answered();
    expect(times()).to.be.within(1, (SOCKETS * MESSAGES) / 2);
    await eventually(() => times() === SOCKETS * MESSAGES || undefined);
  });
});
