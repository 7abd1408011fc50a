import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { readExposition, sumOf } from '../operation/metrics/exposition.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { ExchangeSite, NamedService } from './exchange-site.js';

const MOST_WAITING_RELOADS = 8;

const CALL = '/PAGE.HTML+CALL';
const MANAGEMENT = "management: { listen: '127.0.0.1:0' }";
const HOSTS = 'SIM: { simulated: true, users: { DEMO: demo } }';
const TRANSACTIONS = 'TSO: { applicationType: 1, application: SIM }';

/** A server that is told to read its configuration again. */
describe('reload', () => {
  const service = new NamedService('rates');
  let site: ExchangeSite;
  let port = 0;
  const usual = { service: '', hosts: HOSTS, transactions: TRANSACTIONS, more: MANAGEMENT };
  const lines = () => `D-HTTP: { listen: '127.0.0.1:${port}', entryPoint: CLI }`;
  const answers = (at: string) =>
    fetch(at + CALL).then(
      async (reply) => `${reply.status} ${(await reply.text()).trim()}`,
      () => 'no answer',
    );
  const audited = () => readFileSync(join(site.folder, 'data', 'audit.jsonl'), 'utf8');

  before(async () => {
    usual.service = await service.listen();
    port = await freePort();
    site = new ExchangeSite();
    for (const version of ['old', 'new']) {
      site.write(version, 'pages/SCREEN.HTML', `<!--SVC start="{{{" end="}}}" -->${version} {{{SESSION-CODE}}}`);
    }
    await site.start(usual);
  });
  after(async () => {
    await site.stop();
    await service.close();
  });

  it('takes over what is different, and puts that on record', async () => {
    const outcome = await site.reload({ ...usual, pages: 'new/pages' });
    expect(outcome).to.deep.equal({ kind: 'done', takenOver: ['directories'], needsRestart: [] });
    expect(await answers(site.url)).to.match(/^200 new page/);
    expect(audited()).to.match(/"who":"TESTER","from":"test","what":"configuration.reloaded".*"stage":"done"/);
    await site.reload(usual);
  });

  it('refuses a wrong one whole, says where it is wrong, and goes on with the other', async () => {
    const file = site.writeConfiguration({ ...usual, pages: 'new/pages' });
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nnonsense: 1\n`);
    const outcome = await site.reloadFile();
    expect(outcome.kind).to.equal('wrong');
    if (outcome.kind === 'wrong') {
      expect(outcome.diagnostics.map(({ message }) => message).join()).to.include('nonsense');
      expect(outcome.diagnostics[0]?.line).to.be.greaterThan(10);
    }
    expect(await answers(site.url)).to.match(/^200 old page/);
    expect(audited()).to.include('"what":"configuration.refused"');
  });

  it('refuses a file that is not there, and one that is no text', async () => {
    const file = site.writeConfiguration(usual);
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
    expect((await site.reloadFile()).kind).to.be.oneOf(['wrong', 'refused']);
    expect(await answers(site.url)).to.match(/^200 old page/);
    site.writeConfiguration(usual);
  });

  it('opens a line that is new, and closes one that is gone, with its sessions', async () => {
    const at = `http://127.0.0.1:${port}`;
    expect(await answers(at)).to.equal('no answer');
    const opened = await site.reload({ ...usual, lines: lines() });
    expect(opened).to.deep.equal({ kind: 'done', takenOver: ['lines.D-HTTP'], needsRestart: [] });
    expect(await answers(at)).to.match(/^200 old page/);
    const sessions = async (line: string) => {
      const text = await (await fetch(`${site.urlOf('management')}/metrics`)).text();
      return sumOf(readExposition(text), 'sallyport_browser_sessions', { line });
    };
    expect((await fetch(`${at}/SCREEN.HTML+TSO`)).status).to.equal(200);
    expect((await fetch(`${site.url}/SCREEN.HTML+TSO`)).status).to.equal(200);
    expect([await sessions('D-HTTP'), await sessions('C-HTTP')]).to.deep.equal([1, 1]);
    const closed = await site.reload(usual);
    expect(closed).to.deep.equal({ kind: 'done', takenOver: ['lines.D-HTTP'], needsRestart: [] });
    await eventually(async () => ((await answers(at)) === 'no answer' ? true : undefined));
    await eventually(async () => ((await sessions('D-HTTP')) === 0 ? true : undefined));
    expect(await sessions('C-HTTP'), 'the other line').to.equal(1);
  });

  it('ends a request in flight of a line that is gone as it should', async () => {
    await site.reload({ ...usual, lines: lines() });
    service.hold();
    const underWay = answers(`http://127.0.0.1:${port}`);
    await eventually(() => (service.callsHeld > 0 ? true : undefined));
    await site.reload(usual);
    service.letGo();
    expect(await underWay).to.match(/^200 old page/);
  });

  it('refuses all of it where a new line cannot listen', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port: taken } = holder.address() as AddressInfo;
    const outcome = await site.reload({
      ...usual,
      pages: 'new/pages',
      lines: `D-HTTP: { listen: '127.0.0.1:${taken}', entryPoint: CLI }`,
    });
    expect(outcome).to.have.property('kind', 'refused');
    expect(outcome).to.have.property('reason').that.includes(`127.0.0.1:${taken}`);
    expect(await answers(site.url)).to.match(/^200 old page/);
    await new Promise((resolve) => holder.close(resolve));
  });

  it('says what needs a restart', async () => {
    const outcome = await site.reload({ ...usual, sessions: '{ keysReady: 2 }' });
    expect(outcome).to.have.property('kind', 'done');
    if (outcome.kind === 'done') expect(outcome.needsRestart.map(({ what }) => what)).to.deep.equal(['sessions']);
    site.writeConfiguration(usual);
  });

  it('serves several at once in turn, and refuses what is past its bound', async () => {
    const outcomes = await Promise.all(Array.from({ length: MOST_WAITING_RELOADS + 1 }, () => site.reloadFile()));
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal([
      ...Array.from({ length: MOST_WAITING_RELOADS }, () => 'done'),
      'refused',
    ]);
    expect((await site.reloadFile()).kind).to.equal('done');
  });

  it('is not done where it cannot be put on record', async () => {
    const trail = join(site.folder, 'data', 'audit.jsonl');
    const kept = readFileSync(trail);
    writeFileSync(trail, 'no entry\n');
    const outcome = await site.reload({ ...usual, pages: 'new/pages' });
    expect(outcome).to.have.property('kind', 'refused');
    expect(await answers(site.url)).to.match(/^200 old page/);
    writeFileSync(trail, kept);
    site.writeConfiguration(usual);
  });

  it('refuses no request and loses no session, however often it happens under load', async () => {
    const open = async () => {
      const reply = await fetch(`${site.url}/SCREEN.HTML+TSO`);
      return { status: reply.status, code: (await reply.text()).trim().split(' ')[1] ?? '' };
    };
    const sessions = await Promise.all(Array.from({ length: 12 }, open));
    expect(sessions.map(({ status }) => status)).to.deep.equal(sessions.map(() => 200));
    const seen = new Set<string>();
    let isOver = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver) seen.add(await answers(site.url));
    });
    for (let round = 0; round < 8; round++) {
      const isOdd = round % 2 === 1;
      const outcome = await site.reload(isOdd ? usual : { ...usual, pages: 'new/pages', lines: lines() });
      expect(outcome).to.have.property('kind', 'done');
    }
    isOver = true;
    await Promise.all(clients);
    expect([...seen].sort()).to.deep.equal([
      '200 new page, old scenario, rates, rates',
      '200 old page, old scenario, rates, rates',
    ]);
    const codes = sessions.map(({ code }) => code);
    const found = await Promise.all(
      codes.map(async (code) => (await fetch(`${site.url}/SCREEN.HTML++${code}`)).status),
    );
    expect(found).to.deep.equal(codes.map(() => 200));
  });
});
