import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SimulatedHost, type SimulatedHostOptions } from '../../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { makeCertificate } from '../../support/certificate.js';
import { needCommand } from '../../support/need.js';
import { rounds } from '../../support/rounds.js';
import { needS3270, S3270, type S3270Options } from '../../support/s3270.js';

const SESSIONS = rounds(200, 50);

/** The simulated host as a terminal that we did not write sees it. */
describe('simulated host, seen by s3270', () => {
  const hosts: SimulatedHost[] = [];
  const terminals: S3270[] = [];

  before(function () {
    needS3270(this);
  });

  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.stop();
    for (const host of hosts.splice(0)) await host.close();
  });

  async function listen(options: Partial<SimulatedHostOptions> = {}, tls?: { cert: Buffer; key: Buffer }) {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: { DEMO: 'demo' }, start: 'MENU', ...options });
    hosts.push(host);
    const { port } = await host.listen({ host: '127.0.0.1', port: 0, ...(tls === undefined ? {} : { tls }) });
    return `127.0.0.1:${port}`;
  }

  function terminal(options: S3270Options = {}): S3270 {
    const started = new S3270(options);
    terminals.push(started);
    return started;
  }

  for (const [model, rows, columns] of [
    ['3279-2-E', 24, 80],
    ['3279-3-E', 32, 80],
    ['3278-4-E', 43, 80],
    ['3279-5-E', 27, 132],
    ['3278-2', 24, 80],
  ] as const) {
    it(`shows its menu on a ${model}, and uses its ${rows} rows`, async () => {
      const address = await listen();
      const client = terminal({ model });
      await client.connect(address);
      await client.waitFor('Option ===>');
      await client.ask('String(1)');
      await client.ask('Enter()');
      const screen = await client.waitFor('RATE0001');
      expect(screen).to.have.length(rows);
      expect(screen[0]).to.have.length(columns);
      expect(screen.at(-1), 'last row').to.include('F3=Menu');
    });
  }

  it('asks an IBM-DYNAMIC terminal for its size', async () => {
    const address = await listen();
    const client = terminal({ model: '3279-2-E', oversize: '160x62' });
    await client.connect(address);
    await client.waitFor('Option ===>');
    await client.ask('String(1)');
    await client.ask('Enter()');
    const screen = await client.waitFor('RATE0001');
    expect(screen).to.have.length(62);
    expect(screen.at(-1)).to.include('F3=Menu');
  });

  it('speaks plain TN3270 with a terminal that knows no other, or where it is told to', async () => {
    for (const [address, prefix] of [
      [await listen(), 'N:'],
      [await listen({ tn3270e: false }), ''],
    ] as const) {
      const client = terminal();
      await client.connect(`${prefix}${address}`);
      await client.waitFor('Option ===>');
    }
  });

  it('gives a device by name once, and knows those there are', async () => {
    const address = await listen({ deviceNames: ['LU0001', 'LU0002'] });
    const first = terminal();
    await first.connect(`LU0001@${address}`);
    expect((await first.waitFor('Terminal')).join('\n')).to.include('LU0001');
    const second = terminal();
    await second.connect(`LU0001,LU0002@${address}`);
    expect((await second.waitFor('Terminal')).join('\n')).to.include('LU0002');
    for (const name of ['LU0001', 'LU0009']) {
      const refused = terminal();
      await refused.connect(`${name}@${address}`);
      // it hangs up by itself, sooner or later than it says that it is connected
      await refused.ask('Wait(10,Disconnect)');
      expect((await refused.status())[3], name).to.equal('N');
    }
  });

  it('speaks TLS, with a certificate that is verified', async function () {
    needCommand(this, 'openssl');
    const files = makeCertificate();
    const address = await listen({}, { cert: readFileSync(files.cert), key: readFileSync(files.key) });
    // s3270 does not find addresses in a certificate, only names
    const byName = address.replace('127.0.0.1', 'localhost');
    const trusting = terminal({ further: ['-cafile', files.cert] });
    await trusting.connect(`L:${byName}`);
    await trusting.waitFor('Option ===>');
    const doubting = terminal();
    expect((await doubting.connect(`L:${byName}`)).fine).to.equal(false);
  });

  it('signs on, changes a password, and revokes after three wrong ones', async () => {
    const address = await listen({ start: 'SIGNON', users: { DEMO: 'demo', EVE: 'evil' } });
    const signOn = async (user: string, password: string, newPassword = '') => {
      const client = terminal();
      await client.connect(address);
      await client.waitFor('Userid');
      await client.ask(`String("${user}")`);
      await client.ask('Tab()');
      await client.ask(`String("${password}")`);
      if (newPassword !== '') {
        await client.ask('Tab()');
        await client.ask(`String("${newPassword}")`);
      }
      await client.ask('Enter()');
      return client;
    };
    const changing = await signOn('demo', 'demo', 'fresh');
    await changing.waitFor('Option ===>');
    await (await signOn('demo', 'demo')).waitFor('not valid');
    const again = await signOn('demo', 'fresh');
    expect((await again.waitFor('Option ===>')).join('\n')).to.include('User . . : DEMO');
    await (await signOn('eve', 'wrong')).waitFor('not valid');
    await (await signOn('eve', 'wrong')).waitFor('not valid');
    await (await signOn('eve', 'wrong')).waitFor('revoked');
    await (await signOn('eve', 'evil')).waitFor('revoked');
    await (await signOn('nobody', 'wrong')).waitFor('not valid');
  });

  it('runs every application of the menu, and comes back', async () => {
    const address = await listen();
    const client = terminal();
    await client.connect(address);
    for (const [option, text] of [
      ['1', 'Row 1 of 60'],
      ['2', 'Type an account number'],
      ['3', 'Transfer order'],
      ['4', 'red reverse'],
      ['5', 'APL characters'],
      ['6', 'Double-byte characters'],
      ['7', 'The host writes unasked'],
      ['8', 'How many seconds'],
      ['9', 'Faults of this terminal'],
    ] as const) {
      await client.waitFor('Option ===>');
      await client.ask(`String(${option})`);
      await client.ask('Enter()');
      await client.waitFor(text);
      await client.ask('PF(3)');
    }
    await client.waitFor('Option ===>');
    await client.ask('String(X)');
    await client.ask('Enter()');
    await client.ask('Wait(5,Disconnect)');
    expect((await client.status())[3]).to.equal('N');
  });

  it('reads and updates an account, for all terminals', async () => {
    const address = await listen();
    const client = terminal();
    await client.connect(address);
    await client.waitFor('Option ===>');
    await client.ask('String(2)');
    await client.ask('Enter()');
    await client.waitFor('Account number');
    await client.ask('String(10000002)');
    await client.ask('Enter()');
    expect((await client.waitFor('GRACE HOPPER')).join('\n')).to.include('984.10');
    await client.ask('Tab()');
    await client.ask('EraseEOF()');
    await client.ask('String("77.50")');
    await client.ask('PF(5)');
    await client.waitFor('was updated');
    await client.ask('String(10000002)');
    await client.ask('Enter()');
    expect((await client.waitFor('GRACE HOPPER')).join('\n')).to.include('77.50');
  });

  it('writes its clock unasked', async () => {
    const address = await listen();
    const client = terminal();
    await client.connect(address);
    await client.waitFor('Option ===>');
    await client.ask('String(7)');
    await client.ask('Enter()');
    const time = (rows: readonly string[]) => /\d\d:\d\d:\d\d/.exec(rows.join('\n'))?.[0];
    const first = time(await client.waitFor('The host writes unasked'));
    expect((await client.ask('Wait(10,Output)')).fine).to.equal(true);
    expect(time(await client.screen())).to.not.equal(first);
  });

  it(`serves ${SESSIONS} sessions at once`, async () => {
    const address = await listen();
    const clients = Array.from({ length: SESSIONS }, () => terminal());
    await Promise.all(clients.map((client) => client.connect(address)));
    const screens = await Promise.all(clients.map((client) => client.waitFor('Terminal')));
    const names = new Set(screens.map((rows) => /SIM\d{5}/.exec(rows.join('\n'))?.[0]));
    expect(names.size).to.equal(SESSIONS);
    expect(hosts[0]?.sessions).to.equal(SESSIONS);
  });
});
