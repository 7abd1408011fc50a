import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { ClientLines } from '../../../src/lib/log/client-lines.js';
import { SallyportProcess } from '../../cli/sallyport-process.js';
import { RawConnection } from '../../lines/listener/raw-connection.js';
import { copyOfShippedSite } from '../../support/site.js';

const MOST_ADDRESSES = 10_000;
const MOST_DEBUG_LINES_A_SECOND = 20;
const MOST_DEBUG_LINES_AT_ONCE = 100;
const MOST_LINES_A_SECOND = 200;
const MOST_LINES_AT_ONCE = 1_000;

const [DEBUG, INFO, ERROR, FATAL] = [20, 30, 50, 60] as const;
const client = { remoteAddress: '192.0.2.1' };

describe('the lines that a client causes', () => {
  let now: number;
  let lines: ClientLines;
  let told: object[];
  beforeEach(() => {
    now = 0;
    told = [];
    lines = new ClientLines(() => now);
    lines.tellTo((fields) => told.push(fields));
  });
  const admitted = (count: number, fields: unknown = client, level: number = INFO) =>
    Array.from({ length: count }, () => lines.admitted(fields, level)).filter((line) => line !== undefined).length;

  it('are written up to the bound, and one past it is withheld and told', () => {
    expect(admitted(MOST_LINES_AT_ONCE)).to.equal(MOST_LINES_AT_ONCE);
    lines.tell();
    expect(told).to.deep.equal([]);
    expect(admitted(1)).to.equal(0);
    lines.tell();
    lines.tell();
    expect(told).to.deep.equal([{ remoteAddress: '192.0.2.1', withheld: 1, shortened: 0 }]);
    now += 1_000;
    expect(admitted(MOST_LINES_AT_ONCE)).to.equal(MOST_LINES_A_SECOND);
  });

  it('of debug have a bound of their own, and take none of the lines of requests', () => {
    expect(admitted(MOST_DEBUG_LINES_AT_ONCE + 1, client, DEBUG)).to.equal(MOST_DEBUG_LINES_AT_ONCE);
    now += 1_000;
    expect(admitted(1_000, client, DEBUG)).to.equal(MOST_DEBUG_LINES_A_SECOND);
    expect(admitted(MOST_LINES_AT_ONCE)).to.equal(MOST_LINES_AT_ONCE);
    expect(admitted(1, client, ERROR)).to.equal(0);
    expect(admitted(1, client, FATAL)).to.equal(1);
  });

  it('count for more where their parameters are long', () => {
    const long = { ...client, parameters: 'x'.repeat(4_500) };
    expect(admitted(MOST_LINES_AT_ONCE, long)).to.equal(MOST_LINES_AT_ONCE / 10);
    const short = { remoteAddress: '192.0.2.2', parameters: 'x'.repeat(499) };
    expect(admitted(MOST_LINES_AT_ONCE, short)).to.equal(MOST_LINES_AT_ONCE);
  });

  it('of requests are all written, with short parameters past the bound', () => {
    const request = { ...client, parameters: 'y'.repeat(501), status: 200, milliseconds: 1, requestId: 'r' };
    expect(lines.admitted(request, INFO)).to.equal(request);
    admitted(MOST_LINES_AT_ONCE);
    expect(lines.admitted(request, INFO)).to.deep.equal({ ...request, parameters: `${'y'.repeat(500)}…` });
    const short = { ...request, parameters: 'y'.repeat(499) };
    expect(lines.admitted(short, INFO)).to.equal(short);
    lines.tell();
    expect(told).to.deep.equal([{ ...client, withheld: 2, shortened: 1 }]);
  });

  it('take nothing from other clients, from scenarios, or from lines that no client causes', () => {
    admitted(MOST_LINES_AT_ONCE + 1);
    expect(admitted(1, { remoteAddress: '192.0.2.2' })).to.equal(1);
    expect(admitted(MOST_LINES_AT_ONCE + 1, { module: 'SCENRATE' })).to.equal(MOST_LINES_AT_ONCE);
    expect(admitted(5_000, { line: 'C-HTTP' })).to.equal(5_000);
    expect(admitted(5_000, 'in words')).to.equal(5_000);
  });

  it('of all addresses of an IPv6 network are those of one client', () => {
    for (let at = 0; at < MOST_LINES_AT_ONCE; at++)
      lines.admitted({ remoteAddress: `2001:db8::${at.toString(16)}` }, INFO);
    expect(admitted(1, { remoteAddress: '2001:db8::ffff' })).to.equal(0);
    expect(admitted(1, { remoteAddress: '2001:db8:0:1::1' })).to.equal(1);
  });

  it(`share one number past ${MOST_ADDRESSES} addresses, until those are silent`, () => {
    for (let at = 0; at < MOST_ADDRESSES; at++) lines.admitted({ remoteAddress: `a${at}` }, INFO);
    expect(admitted(MOST_LINES_AT_ONCE, { remoteAddress: 'one' })).to.equal(MOST_LINES_AT_ONCE);
    expect(admitted(1, { remoteAddress: 'another' })).to.equal(0);
    now += 10_000;
    lines.tell();
    expect(told).to.deep.equal([{ remoteAddress: 'several', withheld: 1, shortened: 0 }]);
    admitted(MOST_LINES_AT_ONCE, { remoteAddress: 'one' });
    expect(admitted(1, { remoteAddress: 'another' })).to.equal(1);
  });

  it('of a flood are shortened, and those of another address are all there', async () => {
    const folder = copyOfShippedSite({ service: '127.0.0.1:9', maxTime: 1_000 });
    const server = new SallyportProcess(['serve', '--log-level', 'debug', '--log-form', 'json'], folder);
    const [FLOOD, HONEST] = [1_000, 50];
    try {
      const [, port] = await server.prints(/C-HTTP +http:\/\/127\.0\.0\.1:(\d+)/);
      // each of these lines counts as some ten
      const parameters = Array.from({ length: 25 }, (_, at) => `P${at}=${'x'.repeat(190)}`).join('&');
      const flood = await RawConnection.open(Number(port), '127.0.0.1', '127.0.0.2');
      const honest = await RawConnection.open(Number(port), '127.0.0.1', '127.0.0.3');
      const answers = (text: string) => text.split('HTTP/1.1 ').length - 1;
      for (let at = 1; at <= FLOOD; at++) {
        void flood.send(`GET /FLOOD.HTML?${parameters} HTTP/1.1\r\nHost: x\r\n\r\n`);
        if (at % (FLOOD / HONEST) > 0) continue;
        void honest.send(`GET /HONEST.HTML HTTP/1.1\r\nHost: x\r\n\r\n`);
        await flood.until((text) => answers(text) >= at);
        await honest.until((text) => answers(text) >= at / (FLOOD / HONEST));
      }
      flood.close();
      honest.close();
    } finally {
      server.child.kill();
      await server.finished;
      rmSync(folder, { recursive: true });
    }
    const written = linesOf(server);
    const of = (address: string) => written.filter(({ remoteAddress }) => remoteAddress === address);
    const requests = (address: string) => of(address).filter(({ msg }) => msg === 'request');
    expect(requests('127.0.0.3')).to.have.length(HONEST);
    expect(requests('127.0.0.2')).to.have.length(FLOOD);
    const short = requests('127.0.0.2').filter(({ parameters }) => String(parameters).length <= 501);
    expect(short).to.have.length(of('127.0.0.2').reduce((sum, line) => sum + Number(line.shortened ?? 0), 0));
    expect(short.length).to.be.greaterThan(FLOOD / 4);
  }).timeout(120_000);

  it('of refused requests are withheld past the bound, and each is written or counted', async () => {
    const folder = copyOfShippedSite({ service: '127.0.0.1:9', maxTime: 1_000 });
    const server = new SallyportProcess(['serve', '--log-form', 'json'], folder);
    const REFUSED = 3_000;
    try {
      const [, port] = await server.prints(/C-HTTP +http:\/\/127\.0\.0\.1:(\d+)/);
      let left = REFUSED;
      const refuse = async () => {
        while (left-- > 0) {
          const connection = await RawConnection.open(Number(port), '127.0.0.1', '127.0.0.2');
          void connection.send('NONE\r\n\r\n');
          await connection.until((text) => text.includes('HTTP/1.1 400'));
          connection.close();
        }
      };
      await Promise.all(Array.from({ length: 20 }, refuse));
    } finally {
      server.child.kill();
      await server.finished;
      rmSync(folder, { recursive: true });
    }
    const written = linesOf(server);
    const withheld = written.reduce((sum, line) => sum + Number(line.withheld ?? 0), 0);
    expect(written.filter(({ msg }) => msg === 'request refused').length + withheld).to.equal(REFUSED);
  }).timeout(120_000);
});

/** Lines of the log of a server. */
function linesOf({ stdout }: SallyportProcess): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
