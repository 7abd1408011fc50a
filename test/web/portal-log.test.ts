import { expect } from 'chai';
import { LastLogLines } from '../../src/lib/log/last-log-lines.js';
import { FairTurns } from '../../src/lib/turns/fair-turns.js';
import { LogFilter, LogTopic } from '../../src/web/console/log-topic.js';
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { EventClient } from './event-client.js';
import { PortalClient, textOf } from './portal-client.js';

const SESSION = '4f01a3c2d9e8';

interface Told {
  readonly isCut: boolean;
  readonly rows: readonly { readonly message: string; readonly level: string; readonly details: string }[];
}

describe('the page of the log', () => {
  let site: PortalSite;
  let operator: PortalClient;
  const streams: EventClient[] = [];

  before(async () => {
    site = await startPortalSite({ crypts: '' });
    operator = await PortalClient.signedOn(site, OPERATOR);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  after(() => site.stop());

  const page = async (query: string) => (await operator.get(`/log?${query}`)).text;
  const messages = (html: string) =>
    [...html.matchAll(/data-label="Message"><span lang="en">(.*?)<br>/g)].map(([, message = '']) => message);
  const topicOf = (html: string) => /data-topic="([^"]*)"/.exec(html)?.[1] ?? '';
  async function live(query: string): Promise<EventClient> {
    const topic = encodeURIComponent(topicOf(await page(query)));
    const stream = await EventClient.open(site.portalUrl, operator.cookie, `topic=${topic}`);
    streams.push(stream);
    expect(stream.status).to.equal(200);
    return stream;
  }

  it('has the newest line first, with time, level, message and members', async () => {
    site.logTo.info({ line: 'W-HTTP', status: 200, template: 'A B' }, 'order one');
    site.logTo.warn({ line: 'W-HTTP', parts: ['x'] }, 'order two');
    const html = await page('text=order');
    expect(messages(html)).to.deep.equal(['order two', 'order one']);
    const text = textOf(html);
    expect(text).to.include('line=W-HTTP status=200 template="A B"').and.include('parts=["x"]');
    expect(html).to.match(/data-label="Time">\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}</);
    expect(html).to.include('<tr data-level="warn">');
  });

  it('is filtered by level and above, line, session and text', async () => {
    const of = async (query: string) => messages(await page(`${query}&text=sieve`));
    site.logTo.debug('sieve debug');
    site.logTo.info({ line: 'C-HTTP', session: SESSION }, 'sieve info');
    site.logTo.warn({ line: 'W-HTTP' }, 'sieve warn');
    site.logTo.error({ err: new Error('sieve of error') }, 'sieve error');
    expect(await of('level=info')).to.deep.equal(['sieve error', 'sieve warn', 'sieve info']);
    expect(await of('level=error')).to.deep.equal(['sieve error']);
    expect(await of('level=fatal')).to.deep.equal([]);
    expect((await of('level=nonsense')).filter((one) => one !== 'request')).to.have.length(4);
    expect(await of('line=c-http')).to.deep.equal(['sieve info']);
    expect(await of('line=HTTP')).to.deep.equal([]);
    expect(await of(`session=${SESSION}`)).to.deep.equal(['sieve info']);
    expect(await of(`session=${SESSION.slice(1)}`)).to.deep.equal([]);
    expect(messages(await page('text=SIEVE+%20+of'))).to.deep.equal(['sieve error']);
    expect(textOf(await page('text=nobody-logs-this'))).to.include('No lines.');
  });

  it('escapes what clients have sent, and shows what would turn or break a line', async () => {
    const hostile = '<script>alert(1)</script>"\u202e\u001b[31m\nlevel=fatal\u0085';
    site.logTo.info({ [hostile]: hostile, session: hostile }, `hostile ${hostile}`);
    const html = await page('text=hostile');
    expect(html).to.not.include('<script>alert');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(html).to.not.match(/[\u001b\u0085\u202e]/);
    expect(textOf(html)).to.include('hostile <script>alert(1)</script>"\\u202e\\u001b[31m\\nlevel=fatal\\u0085');
    const asked = await page(`text=${encodeURIComponent('"><script>alert(2)')}&line=${encodeURIComponent('"><b>')}`);
    expect(asked).to.not.include('<script>alert').and.not.include('<b>');
  });

  it('has the stack of an error below, each of its lines indented', async () => {
    const error = new Error('stacked');
    error.stack = 'Error: stacked\n    at one\nlevel=fatal';
    site.logTo.error({ err: error, after: 1 }, 'with a stack');
    expect(textOf(await page('text=with+a+stack'))).to.match(
      /err={"type":"Error","message":"stacked"} after=1\n {2}Error: stacked\n {6}at one\n {2}level=fatal/,
    );
  });

  it('has a hundred lines, and leads to older ones', async () => {
    const session = 'a-hundred';
    for (let at = 1; at <= 100; at++) site.logTo.info({ session }, `hundred ${at}`);
    const whole = await page(`session=${session}`);
    expect(messages(whole)).to.have.length(100);
    expect(whole).to.not.include('rel="next"');
    site.logTo.info({ session }, 'hundred 101');
    const first = await page(`session=${session}`);
    expect(messages(first)[99]).to.equal('hundred 2');
    const older = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const next = (await operator.get(older)).text;
    expect(messages(next)).to.deep.equal(['hundred 1']);
    expect(topicOf(next)).to.equal('');
    expect(next).to.include('>Newest</a>');
  });

  it('tells lines as they come, those that are asked for alone', async () => {
    const stream = await live('level=warn&text=live');
    site.logTo.info('live but info');
    site.logTo.warn('not asked for');
    site.logTo.warn({ line: '<b>' }, 'live one');
    const told = (await stream.event((data) => (data as Told).rows?.length > 0)) as Told;
    expect(told.isCut).to.equal(false);
    expect(told.rows.map(({ message }) => message)).to.deep.equal(['live one']);
    expect(told.rows[0]).to.include({ level: 'warn', details: 'line=<b>' });
  });

  it('tells two hundred lines at a time, and where there were more', async () => {
    for (const [count, isCut] of [
      [200, false],
      [201, true],
    ] as const) {
      const topic = encodeURIComponent(topicOf(await page(`session=many${count}`)));
      // all of them are there when the stream is opened
      for (let at = 1; at <= count; at++) site.logTo.info({ session: `many${count}` }, `many ${at}`);
      const stream = await EventClient.open(site.portalUrl, operator.cookie, `topic=${topic}`);
      streams.push(stream);
      const told = (await stream.event((data) => (data as Told).rows?.length > 0)) as Told;
      expect(told.rows).to.have.length(200);
      expect(told.isCut).to.equal(isCut);
      expect(told.rows[0]?.message).to.equal(`many ${count}`);
    }
  });

  it('takes the longest question there is, and a stream for it; longer topics are refused', async () => {
    const long = encodeURIComponent('\u4e16'.repeat(64));
    expect((await live(`level=error&line=${long}&session=${long}&text=${long}`)).status).to.equal(200);
    const topic = (length: number) => `log:0:${'A'.repeat(length - 6)}`;
    const status = async (length: number) => {
      const stream = await EventClient.open(site.portalUrl, operator.cookie, `topic=${topic(length)}`);
      streams.push(stream);
      return stream.status;
    };
    expect([await status(800), await status(801)]).to.deep.equal([200, 400]);
  });

  it('is for operators and administrators', async () => {
    const json = { Accept: 'application/json' };
    const anna = await PortalClient.signedOn(site, ANNA);
    expect((await anna.get('/log', json)).status).to.equal(403);
    expect((await fetch(`${site.portalUrl}/log`)).status).to.equal(401);
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    expect((await administrator.get('/log')).status).to.equal(200);
    const refused = await EventClient.open(site.portalUrl, anna.cookie, 'topic=log:0:');
    expect(refused.status).to.equal(403);
    refused.close();
  });
});

describe('the last lines of the log', () => {
  const line = (text: string, padding = 0) =>
    `${JSON.stringify({ level: 30, time: '2026-01-01T00:00:00.000Z', padding: 'x'.repeat(padding), msg: text })}\n`;
  const kept = (lines: LastLogLines) => [...lines.newestFirst()];

  it('are 2,000', () => {
    const lines = new LastLogLines();
    for (let at = 1; at <= 2_000; at++) lines.add(line(String(at)));
    expect(kept(lines).map(({ message }) => message)[1_999]).to.equal('1');
    expect(lines.hasLostAfter(0)).to.equal(false);
    lines.add(line('2001'));
    expect(kept(lines)).to.have.length(2_000);
    expect(kept(lines)[0]?.message).to.equal('2001');
    expect(kept(lines)[1_999]?.message).to.equal('2');
    expect(lines.hasLostAfter(0)).to.equal(true);
    expect(lines.hasLostAfter(1)).to.equal(false);
  });

  it('have 1,048,576 characters', () => {
    const lines = new LastLogLines();
    // 1,024 characters each
    const padding = 1_024 - line('').length;
    for (let at = 0; at < 1_024; at++) lines.add(line('', padding));
    expect(kept(lines)).to.have.length(1_024);
    lines.add(line('', padding + 1));
    expect(kept(lines)).to.have.length(1_023);
  });

  it('are cut past 4,096 characters, and can be read and found all the same', () => {
    const lines = new LastLogLines();
    const empty = line('long').length;
    lines.add(line('long', 4_096 - empty));
    expect(kept(lines)[0]?.details).to.equal(`padding=${'x'.repeat(4_096 - empty)}`);
    lines.add(line('long', 4_097 - empty));
    expect(kept(lines)[0]).to.include({ message: 'long', level: 'info', time: '2026-01-01T00:00:00.000Z' });
    expect(kept(lines)[0]?.details).to.equal(`padding=${'x'.repeat(1_000)}… …="the rest of this line is cut off"`);
  });

  it('are cut whatever makes them long', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`member${at}`, at]));
    for (const members of [
      many,
      { text: '\u0001'.repeat(9_000), msg: '\u0001'.repeat(9_000) },
      { nested: [many, many], msg: '"'.repeat(5_000) },
      { ['n'.repeat(5_000)]: 1 },
    ]) {
      const lines = new LastLogLines();
      lines.add(`${JSON.stringify({ level: 50, time: 't', line: 'C-HTTP', ...members })}\n`);
      const [read] = kept(lines);
      expect(read).to.include({ level: 'error', line: 'C-HTTP' });
      // a character is shown with at most six
      expect((read?.message.length ?? 0) + (read?.details.length ?? 0)).to.be.within(1, 6 * 4_096);
    }
  });

  it('are shown as they are where they are no JSON', () => {
    const lines = new LastLogLines();
    lines.add('not JSON\n');
    expect(kept(lines)[0]).to.include({ message: 'not JSON\\n', level: 'trace', details: '' });
  });
});

describe('lines of the log that a page is told', () => {
  const logged = (count: number) => {
    const lines = new LastLogLines();
    for (let number = 1; number <= count; number++) {
      lines.add(`${JSON.stringify({ level: 30, time: '2027-01-01T00:00:00.000Z', msg: `line ${number}` })}\n`);
    }
    return lines;
  };

  it('are looked through in turns, however many there are, and told when all of them were', () => {
    const later: (() => void)[] = [];
    let time = 0;
    // each look at the clock takes a millisecond
    const turns = new FairTurns({ now: () => time++, nextTurn: (run) => later.push(run) });
    const lines = logged(2_000);
    let woken = 0;
    const wake = () => {
      woken++;
    };
    const actor = { who: 'x', from: 'y' };
    const filter = new LogFilter((name) => (name === 'text' ? 'line' : '')).parameter;
    const feed = new LogTopic(lines, turns).open({
      actor,
      role: 'operator',
      language: 'en',
      parameter: `0:${filter}`,
      wake,
    });
    expect(feed.next()).to.equal(undefined);
    let rounds = 0;
    for (; woken === 0; rounds++) {
      expect(feed.next()).to.equal(undefined);
      later.shift()?.();
    }
    expect(rounds).to.be.greaterThan(20);
    const told = JSON.parse(feed.next() ?? '') as Told;
    expect(told.rows).to.have.length(200);
    expect(told).to.include({ isCut: true });
    expect(told.rows[0]?.message).to.equal('line 2000');
    expect(feed.next()).to.equal(undefined);
    // what has come is told without another look at the others
    lines.add(`${JSON.stringify({ level: 30, time: '2027-01-01T00:00:00.000Z', msg: 'line 1 again' })}\n`);
    const next = JSON.parse(feed.next() ?? '') as Told;
    expect(next).to.deep.include({ isCut: false });
    expect(next.rows.map(({ message }) => message)).to.deep.equal(['line 1 again']);
  });

  it('are looked through no more where the page has gone', () => {
    const later: (() => void)[] = [];
    let time = 0;
    const turns = new FairTurns({ now: () => time++, nextTurn: (run) => later.push(run) });
    const feed = new LogTopic(logged(500), turns).open({
      actor: { who: 'x', from: 'y' },
      role: 'operator',
      language: 'en',
      parameter: `0:${new LogFilter(() => '').parameter}`,
      wake: () => expect.fail('woken'),
    });
    feed.next();
    feed.next();
    feed.close?.();
    for (let run = later.shift(); run !== undefined; run = later.shift()) run();
  });
});
