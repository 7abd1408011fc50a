import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { type StartedHost, startHost } from '../../src/demo/simulated-host/api.js';
import { connect, type Host, HostError, type HostScreen } from '../../src/tn3270/api.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';

const credentials = [
  { label: 'Userid', text: 'DEMO' },
  { label: 'Password', text: 'demo' },
];

describe('the library for hosts', () => {
  let simulated: StartedHost;
  let host: Host;

  before(async () => {
    simulated = await startHost();
  });
  after(() => simulated.stop());
  beforeEach(async () => {
    host = await connect(simulated.address);
  });
  afterEach(() => host.close());

  const menu = async () => {
    await host.fill(credentials);
    return host.press('Enter', { expect: { text: 'Option ===>' } });
  };

  it('shows a screen without what is not displayed', async () => {
    const screen = await host.expect([{ text: 'SIGNON', row: 1 }, { inputFields: 3 }]);
    expect([screen.rows, screen.columns]).to.deep.equal([24, 80]);
    expect(screen.textAt([1, 2], 6)).to.equal('SIGNON');
    expect(screen.textAt([-1, 2], 5)).to.equal('ENTER');
    expect(() => screen.textAt([24, 80], 2)).to.throw(RangeError, 'row 24, column 80');
    expect(() => screen.textAt([0, 1], 1)).to.throw(RangeError);
    await host.fill(credentials);
    expect(host.screen.text()).to.include('DEMO').and.not.include('demo');
    // Userid is at row 8, column 31 of the panel
    await host.fill([{ at: [8, 31], text: 'OTHER' }]);
    expect(host.screen.textAt([8, 31], 5)).to.equal('OTHER');
  });

  it('names the logical unit, and says how the session ended', async () => {
    expect(host.logicalUnit).to.match(/^SIM\d{5}$/);
    const named = await connect(simulated.address, { logicalUnits: ['MINE'] });
    expect(named.logicalUnit).to.equal('MINE');
    await named.close();
    expect(named.ended).to.equal('the session was stopped');
    expect(host.ended).to.equal(undefined);
  });

  it('takes the models, plain TN3270 and TLS', async () => {
    const large = await connect(simulated.address, { deviceType: '3278-4' });
    await large.expect({ text: 'SIGNON' });
    await large.close();
    const plain = await startHost({ tn3270e: false });
    const old = await connect(plain.address, { tn3270e: false });
    await old.expect({ text: 'SIGNON' });
    expect(old.logicalUnit).to.equal(undefined);
    await old.close();
    await plain.stop();
    const { cert, key } = makeCertificate();
    const secure = await startHost({ tls: { cert: readFileSync(cert), key: readFileSync(key) } });
    const refused = await errorOf(connect(secure.address, { tls: true }));
    expect(refused.code).to.equal('ended');
    const trusted = await connect(secure.address, { tls: { verify: false } });
    await trusted.expect({ text: 'SIGNON' });
    await trusted.close();
    await secure.stop();
  });

  it('says why something was not done, and quotes nothing that was typed', async () => {
    await menu();
    const other = await errorOf(host.expect({ text: 'NOT THERE' }, { within: 0.1 }));
    expect([other.code, screenOf(other).textAt([1, 2], 4)]).to.deep.equal(['otherScreen', 'MENU']);
    expect(other.message).to.include('NOT THERE');
    const missing = await errorOf(host.fill([{ label: 'Nowhere', text: 's3cret' }]));
    expect([missing.code, missing.message]).to.deep.equal([
      'refused',
      'there is no input field right of, or below, "Nowhere"',
    ]);
    const long = await errorOf(host.fill([{ label: 'Option ===>', text: 's3cret'.repeat(400) }]));
    expect(long.code).to.equal('refused');
    expect(`${long.message}${screenOf(long).text()}`).to.not.include('s3cret');
    let wrong: unknown;
    await host.press('Hyper').catch((error) => {
      wrong = error;
    });
    expect(wrong).to.be.instanceOf(RangeError);
  });

  it('gives up when the host is late, and goes on afterwards', async () => {
    await menu();
    await host.fill([{ label: 'Option ===>', text: '8' }]);
    await host.press('Enter', { expect: { text: 'LATE' } });
    await host.fill([{ label: 'Seconds', text: '2' }]);
    const late = await errorOf(host.press('Enter', { within: 0.05 }));
    expect(late.code).to.equal('timedOut');
    await host.expect({ text: 'LATE' });
    const controller = new AbortController();
    const waiting = host.expect({ text: 'NEVER' }, { signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    expect((await errorOf(waiting, Error)).message).to.equal('no longer wanted');
  });

  it('sends further keys to a line host that has not answered one: its keyboard is free', async () => {
    const line = createServer();
    const address = await listening(line);
    let received = '';
    line.on('connection', (socket) => {
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
      });
      socket.write('READY\r\n');
    });
    const terminal = await connect(address);
    for (let pressed = 0; pressed < 2; pressed++) {
      expect((await errorOf(terminal.press('Enter', { within: 0.05 }))).code).to.equal('timedOut');
    }
    await eventually(() => (received === '\r\n\r\n' ? true : undefined));
    await terminal.close();
    line.close();
  });

  it('reads what is not of the type of its column as an error without the text', async () => {
    await menu();
    await host.fill([{ label: 'Option ===>', text: '1' }]);
    await host.press('Enter', { expect: { text: 'SALLY.SAMPLE.SOURCE' } });
    const columns = { changed: { column: 22, length: 10, as: 'integer' as const } };
    const fault = await errorOf(host.readTable({ text: 'SALLY.SAMPLE.SOURCE' }, { rows: [5, 5], columns }));
    expect(fault.code).to.equal('otherValue');
    expect(fault.message)
      .to.match(/^row 5: changed is not /)
      .and.not.include('2026');
  });

  it('says so where there is no host, or one that says nothing or ends', async () => {
    const silent = createServer();
    const address = await listening(silent);
    const nothing = await errorOf(connect(address, { within: 0.05 }));
    expect(nothing.code).to.equal('timedOut');
    silent.close();
    await once(silent, 'close');
    expect((await errorOf(connect(address))).code).to.equal('ended');
    const ending = await startHost();
    const session = await connect(ending.address);
    await session.expect({ text: 'SIGNON' });
    await ending.stop();
    expect((await errorOf(session.expect({ text: 'NEVER' }))).code).to.equal('ended');
    expect(session.ended).to.be.a('string');
  });

  it('refuses options that cannot be', async () => {
    for (const [wrong, options] of [
      ['127.0.0.1', {}],
      ['127.0.0.1:65536', {}],
      ['127.0.0.1:23', { deviceType: 'VT100' }],
      ['127.0.0.1:23', { codePage: 'KLINGON' }],
    ] as const) {
      await errorOf(connect(wrong, options), RangeError);
    }
    await errorOf(startHost({ codePage: 'KLINGON' }), RangeError);
  });
});

async function errorOf<E extends Error = HostError>(
  done: Promise<unknown>,
  kind: new (...args: never[]) => E = HostError as never,
): Promise<E> {
  const error = await done.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(kind);
  return error as E;
}

function screenOf({ screen }: HostError): HostScreen {
  if (screen === undefined) throw new Error('the error has no screen');
  return screen;
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // whoever connects hears nothing, and is not kept
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()).unref());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
