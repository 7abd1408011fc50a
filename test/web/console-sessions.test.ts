import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Role } from '../../src/access/users/user-store.js';
import type { ServiceError } from '../../src/lib/errors.js';
import { SessionOperations } from '../../src/operation/session-operations.js';
import { ConsoleStreams } from '../../src/web/console/console-streams.js';
import { PageMaking, PageTopic } from '../../src/web/console/page-topic.js';
import { SessionTopic } from '../../src/web/console/session-topic.js';
import { openScreen, type ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { EventClient } from './event-client.js';
import { lastEntries, PortalClient, textOf } from './portal-client.js';

const CANARY = 'k4narie9';
const SESSION = /\/sessions\/([0-9a-f]+)"/g;

interface Changes {
  readonly all: boolean;
  readonly rows: readonly { readonly id: string; readonly transaction: string; readonly unit: string }[];
  readonly gone: readonly string[];
}

describe('sessions in the console', () => {
  let site: PortalSite;
  let operator: PortalClient;
  let administrator: PortalClient;
  const streams: EventClient[] = [];
  const pages: ScreenClient[] = [];

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      clientLine: 'limits: { sessionsPerAddress: 500, sessionStartsPerAddress: 1000 }',
      transactions: '      CLEAR: { applicationType: 1, application: SIM, page: TERMINAL.HTML }',
    });
    operator = await PortalClient.signedOn(site, OPERATOR);
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
    for (const page of pages.splice(0)) page.cut();
  });
  after(() => site.stop());

  const opened = async (client: PortalClient, topics: string, headers = {}) => {
    const stream = await EventClient.open(site.portalUrl, client.cookie, topics, headers);
    streams.push(stream);
    return stream;
  };
  const ids = async (query = '') => {
    const { text } = await operator.get(`/sessions${query}`);
    return [...text.matchAll(SESSION)].map(([, id = '']) => id);
  };
  /** A terminal whose host has drawn, and its identifier for operators. */
  async function begun(): Promise<{ readonly screen: ScreenClient; readonly id: string }> {
    const before = new Set(await ids());
    const screen = await openScreen(site.clientUrl, '/TERMINAL.HTML+CLEAR');
    pages.push(screen);
    await screen.connect();
    await screen.shows('Sallyport simulated host');
    const id = (await ids()).find((one) => !before.has(one)) ?? '';
    return { screen, id };
  }

  it('are listed without script, found by what they are, and lead to a page each', async () => {
    const { id } = await begun();
    const list = await operator.get('/sessions?search=clear+127.0.0.1+sim');
    expect(list.status).to.equal(200);
    expect(textOf(list.text)).to.contain('no signed-on user');
    expect(await ids('?search=clear+127.0.0.1')).to.include(id);
    expect(await ids('?search=clear+192.0.2.1')).to.deep.equal([]);
    const page = textOf((await operator.get(`/sessions/${id}`)).text);
    for (const words of ['CLEAR', 'C-HTTP', '127.0.0.1', id, 'End the session']) expect(page).to.contain(words);
    expect(page).not.to.contain('Watch the session');
    const { text } = await administrator.get(`/sessions/${id}`);
    expect(textOf(text)).to.contain('Watch the session');
    expect(text).to.contain(`href="/log?session=${id}"`);
    expect(textOf((await operator.get(`/log?session=${id}`)).text)).to.contain('session began');
  });

  it('are sorted, either way', async () => {
    const first = await begun();
    const second = await begun();
    const order = async (query: string) => {
      const all = await ids(query);
      return all.indexOf(first.id) < all.indexOf(second.id) ? 'first' : 'second';
    };
    expect(await order('')).to.equal('second');
    expect(await order('?sort=began&order=ascending')).to.equal('first');
    expect(await order('?sort=unit&order=ascending')).to.equal('first');
    expect(await order('?sort=unit&order=descending')).to.equal('second');
    expect(await order('?sort=nothing')).to.equal('second');
  });

  it('are told as they begin and end', async () => {
    const stream = await opened(operator, 'topic=sessions');
    await stream.event((data) => (data as Changes).all);
    const { id, screen } = await begun();
    const told = (await stream.event((data) => (data as Changes).rows?.some((row) => row.id === id))) as Changes;
    expect(told.all).to.equal(false);
    screen.key(1, 'DISCONNECT');
    await stream.event((data) => (data as Changes).gone?.includes(id));
  });

  it('end where an operator says so: their users are told by whom, and it is on record', async () => {
    const { id, screen } = await begun();
    const asked = await operator.get(`/sessions/${id}/end`);
    expect(textOf(asked.text)).to.contain('is notified that an operator has ended the session');
    const { status, headers } = await operator.post(`/sessions/${id}/end`, {});
    expect([status, headers.get('location')]).to.deep.equal([303, '/sessions?done=session-ended']);
    expect(await screen.message(({ k }) => k === 'e')).to.deep.equal({ k: 'e', e: 'operator' });
    const [entry] = lastEntries(site, 1);
    expect(entry).to.include({ who: OPERATOR.name, what: 'session.ended', subject: `session ${id}` });
    expect((await operator.get(`/sessions/${id}`)).status).to.equal(404);
  });

  it('are sent messages: a terminal shows them at once, and one that connects anew again', async () => {
    const { id, screen } = await begun();
    const sent = await operator.post(`/sessions/${id}/message`, { MESSAGE: 'Please  sign off <now>' });
    expect(sent.headers.get('location')).to.equal(`/sessions/${id}?done=message-sent`);
    const message = { k: 'n', i: 1, b: OPERATOR.name, m: 'Please sign off <now>' };
    expect(await screen.message(({ k }) => k === 'n')).to.deep.equal(message);
    screen.messages.length = 0;
    screen.cut();
    await screen.connect();
    expect(await screen.message(({ k }) => k === 'n')).to.deep.equal(message);
    const refused = await operator.post(`/sessions/${id}/message`, { MESSAGE: 'x'.repeat(301) });
    expect(refused.status).to.equal(400);
    expect(textOf(refused.text)).to.contain('It has more than 300 characters.');
  });

  it('are sent messages that a page without script shows until it is answered', async () => {
    const { id, screen } = await begun();
    await operator.post(`/sessions/${id}/message`, { MESSAGE: 'We restart at noon.' });
    const page = async (pf: string, language = 'en') => {
      const response = await fetch(site.clientUrl + screen.action, {
        method: 'POST',
        headers: { Cookie: screen.cookie, 'Accept-Language': language },
        body: new URLSearchParams({ pf }),
      });
      return textOf(await response.text());
    };
    // what stands on the screen was read when the next key comes: the first answer shows it
    expect(await page('NULL-PF')).to.contain(`Message from ${OPERATOR.name}: We restart at noon.`);
    expect(await page('ENTER')).not.to.contain('We restart at noon.');
    // around the words of the operator stand those of the page's language
    await operator.post(`/sessions/${id}/message`, { MESSAGE: 'At one.' });
    expect(await page('NULL-PF', 'fr')).to.contain(`Message de ${OPERATOR.name}\u00a0: At one.`);
  });

  it('are watched by administrators, as displayed: passwords never come that far', async () => {
    const { id, screen } = await begun();
    const stream = await opened(administrator, `topic=screen:${id}`);
    const whole = await stream.event((data) => (data as { k: string }).k === 's');
    expect(JSON.stringify(whole)).to.contain('Sallyport simulated host');
    const watched = { k: 'v', b: [ADMINISTRATOR.name] };
    expect(await screen.message(({ k }) => k === 'v')).to.deep.equal(watched);
    const { text } = await operator.get(`/sessions/${id}`);
    expect(textOf(text)).to.contain(`Watched by ${ADMINISTRATOR.name}.`);
    const [user = '', password = ''] = inputsOf(screen);
    screen.key(1, 'ENTER', { [user]: 'NOBODY', [password]: CANARY });
    await screen.shows('is not valid');
    await eventually(() => (stream.text.includes('is not valid') ? true : undefined));
    stream.close();
    await screen.message(({ k, b }) => k === 'v' && b === undefined);
    const audit = readFileSync(join(site.folder, 'data', 'audit.jsonl'), 'utf8');
    for (const seen of [stream.text, site.log(), audit]) expect(seen).not.to.contain(CANARY);
    expect(lastEntries(site, 1)[0]).to.include({ who: ADMINISTRATOR.name, what: 'session.watched' });
  });

  it('tell who watches that they are over', async () => {
    const { id, screen } = await begun();
    const stream = await opened(administrator, `topic=screen:${id}`);
    await stream.event((data) => (data as { k: string }).k === 's');
    screen.key(1, 'DISCONNECT');
    await stream.event((data) => (data as { k: string }).k === 'e');
    expect((await opened(administrator, `topic=screen:${id}`)).status).to.equal(404);
  });

  it('are not for users, and to watch them is not for operators', async () => {
    const { id } = await begun();
    const anna = await PortalClient.signedOn(site, ANNA);
    const json = { Accept: 'application/json' };
    for (const path of ['/sessions', `/sessions/${id}`, `/sessions/${id}/end`, `/sessions/${id}/watch`]) {
      expect((await anna.get(path, json)).status, path).to.equal(403);
    }
    expect((await anna.post(`/sessions/${id}/end`, {}, json)).status).to.equal(403);
    expect((await anna.post(`/sessions/${id}/message`, { MESSAGE: 'x' }, json)).status).to.equal(403);
    expect((await opened(anna, 'topic=sessions')).status).to.equal(403);
    expect((await operator.get(`/sessions/${id}/watch`, json)).status).to.equal(403);
    expect((await opened(operator, `topic=screen:${id}`)).status).to.equal(403);
    expect((await opened(operator, `topic=sessions&topic=screen:${id}`)).status).to.equal(403);
    expect((await fetch(`${site.portalUrl}/console/events?topic=sessions`)).status).to.equal(401);
    expect(await ids()).to.include(id);
  });

  it('are in streams of one to four topics that there are, for pages of the portal alone', async () => {
    const all = ['sessions', ...['a', 'b', 'c', 'd'].map((id) => `screen:${id}`)].map((name) => `topic=${name}`);
    for (const topics of ['', 'topic=nothing', 'topic=', 'topic=sessions&topic=sessions', all.join('&')]) {
      expect((await opened(administrator, topics)).status, topics).to.equal(400);
    }
    const foreign = await opened(administrator, 'topic=sessions', { 'Sec-Fetch-Site': 'same-site' });
    expect(foreign.status).to.equal(403);
    const head = await fetch(`${site.portalUrl}/console/events?topic=sessions`, {
      method: 'HEAD',
      headers: { Cookie: administrator.cookie },
    });
    expect(head.status).to.equal(405);
  });

  it('are told to eight pages of a user at a time, and to another where one goes', async () => {
    for (let at = 0; at < 8; at++) expect((await opened(operator, 'topic=sessions')).status).to.equal(200);
    expect((await opened(operator, 'topic=sessions')).status).to.equal(503);
    expect((await opened(administrator, 'topic=sessions')).status).to.equal(200);
    streams[0]?.close();
    await eventually(async () => ((await opened(operator, 'topic=sessions')).status === 200 ? true : undefined));
  });

  it('are told no more to who signs off, or loses the role', async () => {
    const leaving = await PortalClient.signedOn(site, OPERATOR);
    const stream = await opened(leaving, 'topic=sessions');
    await leaving.post('/signoff', {});
    expect(await stream.event((_, topic) => topic === 'end')).to.equal('signedOff');
    await eventually(() => (stream.isOver ? true : undefined));

    const other = await opened(operator, 'topic=sessions');
    const path = `/users/${OPERATOR.name}`;
    await administrator.post(path, { ROLE: 'user', GROUPS: '', EXPIRES: '' });
    expect(await other.event((_, topic) => topic === 'end')).to.equal('role');
    await administrator.post(path, { ROLE: 'operator', GROUPS: '', EXPIRES: '' });
  });
});

/** Identifiers of the fields that can be typed into, in their order. */
function inputsOf({ messages }: ScreenClient): readonly string[] {
  const fields = messages.findLast(({ f }) => f !== undefined)?.f as readonly (readonly number[])[];
  return fields
    .filter(([, attribute = 0]) => (attribute & 32) === 0)
    .map(([address = 0]) => `V${(address + 1).toString(16).toUpperCase().padStart(7, '0')}`);
}

describe('streams of the console', () => {
  const actor = { who: 'x', from: 'y' };
  const sessionTopic = (count: number) => {
    const row = {
      node: '',
      kind: 'browser',
      state: 'connected',
      user: '',
      address: '',
      line: '',
      transaction: '',
    } as const;
    const rows = Array.from({ length: count }, (_, number) => {
      const facts = { host: '', logicalUnit: undefined, name: '', began: 0, lastUsed: 0, watchedBy: [], tracedBy: [] };
      return { id: `${number}`, ...row, ...facts };
    });
    const audit = () => expect.fail('nothing is changed');
    return new SessionTopic(new SessionOperations({ list: () => rows, find: () => undefined }, audit));
  };

  it('are 64 in all, and one more where one has gone', async () => {
    const streams = new ConsoleStreams(new Map([['sessions', sessionTopic(0)]]));
    const open = (name: string) => {
      const user = { name, role: 'operator', groups: [] } as const;
      return streams.open({ user, current: async () => user }, actor, ['sessions']);
    };
    const all = await Promise.all(Array.from({ length: 64 }, (_, at) => open(`user ${at}`)));
    const refused = await open('one more').catch((error: ServiceError) => error);
    expect(refused).to.include({ code: 'SVC_ERR_SERVICE_BUSY' });
    all[63]?.close();
    await open('another');
    expect(await open('one more').catch(({ code }: ServiceError) => code)).to.equal('SVC_ERR_SERVICE_BUSY');
    streams.close();
  });

  it('tell a page that is made once for all who look with the same role, and what changes of it', async () => {
    const made: string[] = [];
    let last = 'x';
    let fault: Error | undefined;
    const faults: unknown[] = [];
    const topic = new PageTopic({
      role: 'operator',
      making: new PageMaking(),
      make: async (parameter, role) => {
        made.push(`${parameter} ${role}`);
        if (fault !== undefined) throw fault;
        return `<p>${role}</p><section data-live="a">same</section>\n<section class="b" data-live="b">${last}</section>`;
      },
      onFault: (error) => faults.push(error),
    });
    let woken = 0;
    const open = (role: Role) => {
      const wake = () => {
        woken++;
      };
      return topic.open({ actor, role, language: 'en', parameter: 'p', wake });
    };
    const feeds = [open('operator'), open('operator'), open('administrator')];
    const told = async (at: number) => {
      const text = await eventually(() => feeds[at]?.next());
      return (JSON.parse(text) as { readonly sections: Record<string, string> }).sections;
    };
    const whole = {
      a: '<section data-live="a">same</section>',
      b: '<section class="b" data-live="b">x</section>',
    };
    for (const at of [0, 1, 2]) expect(await told(at)).to.deep.equal(whole);
    expect(made).to.deep.equal(['p operator', 'p administrator']);
    expect(woken).to.equal(3);
    for (const feed of feeds) expect(feed.next()).to.equal(undefined);
    last = 'y';
    expect(await told(1)).to.deep.equal({ b: '<section class="b" data-live="b">y</section>' });
    expect(await told(0)).to.deep.equal({ b: '<section class="b" data-live="b">y</section>' });
    expect(made.filter((one) => one === 'p operator')).to.have.length(2);
    // what cannot be made is told to the log, once
    fault = new Error('no page');
    await eventually(() => {
      feeds[0]?.next();
      return faults.length > 0 || undefined;
    });
    expect(faults).to.deep.equal([fault]);
    for (const feed of feeds) feed.close?.();
  });

  it('tell 5,000 sessions, and how many more there are', () => {
    for (const [count, more] of [
      [5_000, 0],
      [5_001, 1],
    ] as const) {
      const feed = sessionTopic(count).open();
      const told = JSON.parse(feed.next() ?? '') as Changes & { readonly more: number };
      expect(told.rows).to.have.length(5_000);
      expect(told.more).to.equal(more);
    }
  });
});
