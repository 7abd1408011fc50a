import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import type { LineOperations } from '../../src/operation/line-operations.js';
import { ExchangeSite, NamedService } from '../server/exchange-site.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';

const OPERATOR = { who: 'OPERA', from: 'test' };
const CALL = '/PAGE.HTML+CALL';

describe('lines that an operator starts, stops and drains', () => {
  const service = new NamedService('rates');
  let site: ExchangeSite;
  let lines: LineOperations;
  let at = '';

  before(async () => {
    site = new ExchangeSite();
    site.write('old', 'pages/SCREEN.HTML', '<!--SVC start="{{{" end="}}}" -->{{{SESSION-CODE}}}');
    await site.start({
      service: await service.listen(),
      hosts: 'SIM: { simulated: true, users: { DEMO: demo } }',
      transactions: 'TSO: { applicationType: 1, application: SIM }',
      lines: `D-HTTP: { listen: '127.0.0.1:${await freePort()}', entryPoint: CLI }
  W-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI, portal: administration }
  X-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI, portal: administration }`,
      more: "management: { listen: '127.0.0.1:0' }",
    });
    lines = site.operations.lines;
    at = site.urlOf('D-HTTP');
  });
  after(async () => {
    await site.stop();
    await service.close();
  });

  const state = () => lines.report('D-HTTP').state;
  const until = (wanted: string) => eventually(() => (state() === wanted ? true : undefined));
  const answers = (path: string) =>
    fetch(at + path).then(
      ({ status }) => status,
      () => 0,
    );
  const screen = async (path = '+TSO') => {
    const reply = await fetch(`${at}/SCREEN.HTML${path}`);
    return { status: reply.status, text: (await reply.text()).trim() };
  };
  const ready = async () => {
    const reply = await fetch(`${site.urlOf('management')}/health/ready`);
    const { checks } = (await reply.json()) as { checks: { name: string; detail?: string }[] };
    return [reply.status, checks.find(({ name }) => name === 'line D-HTTP')?.detail];
  };
  const listening = async () => {
    const text = await (await fetch(`${site.urlOf('management')}/metrics`)).text();
    return /^sallyport_line_listening\{line="D-HTTP"\} (\d)$/m.exec(text)?.[1];
  };
  const outcomes = () =>
    readFileSync(join(site.folder, 'data', 'audit.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"what":"line.') && !line.includes('"intended"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ who, what, subject, stage }) => `${who} ${what} ${subject} ${stage}`);
  const refusal = async (act: Promise<unknown>) => {
    const error = await act.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ServiceError)) throw new Error('not refused');
    return `${error.code} ${error.detail}`;
  };

  it('are listed with what they do', async () => {
    const opened = await screen();
    expect(opened.status).to.equal(200);
    const names = lines.list().map(({ name, portal, state: now }) => `${name} ${portal} ${now}`);
    expect(names).to.deep.equal([
      'C-HTTP false listening',
      'D-HTTP false listening',
      'W-HTTP true listening',
      'X-HTTP true listening',
    ]);
    const report = lines.report('D-HTTP');
    expect(report).to.include({ url: at, entryPoint: 'CLI', sessions: 1, requests: 1, refused: 0 });
    expect(report.connections).to.be.greaterThan(0);
    expect(report.lastFault).to.equal(undefined);
  });

  it('begin no further sessions when they are drained, and keep those that they have', async () => {
    const kept = (await screen()).text;
    expect((await lines.drain(OPERATOR, 'D-HTTP')).state).to.equal('draining');
    const refused = await screen();
    expect(refused.status).to.equal(503);
    expect(refused.text).to.include('No new sessions can be started here at the moment');
    expect((await screen(`++${kept}`)).status, 'a session that was there').to.equal(200);
    expect(await answers(CALL), 'a request without a session').to.equal(200);
    expect(await ready()).to.deep.equal([503, 'an operator has drained it: it accepts no new sessions']);
    expect(await listening()).to.equal('1');
    expect(await refusal(lines.drain(OPERATOR, 'D-HTTP'))).to.match(/^SVC_ERR_LINE_REFUSED .*already drained/);
    expect((await lines.start(OPERATOR, 'D-HTTP')).state).to.equal('listening');
    expect((await screen()).status).to.equal(200);
    expect((await screen(`++${kept}`)).status).to.equal(200);
    expect((await ready())[0]).to.equal(200);
  });

  it('finish the requests in flight when they are stopped, end their sessions, and open again', async () => {
    service.hold();
    const underWay = fetch(at + CALL).then(({ status }) => status);
    await eventually(() => (service.callsHeld > 0 ? true : undefined));
    expect((await lines.stop(OPERATOR, 'D-HTTP')).state).to.equal('closing');
    expect(await refusal(lines.start(OPERATOR, 'D-HTTP'))).to.include('still closing');
    service.letGo();
    expect(await underWay).to.equal(200);
    await until('stopped');
    expect(await answers(CALL)).to.equal(0);
    expect(lines.report('D-HTTP').sessions).to.equal(0);
    expect(await ready()).to.deep.equal([503, 'an operator has stopped it']);
    expect(await listening(), 'it need not listen').to.equal(undefined);
    expect(await refusal(lines.stop(OPERATOR, 'D-HTTP'))).to.include('not listening');
    expect(await refusal(lines.drain(OPERATOR, 'D-HTTP'))).to.include('not listening');
    expect((await lines.start(OPERATOR, 'D-HTTP')).state).to.equal('listening');
    expect((await screen()).status).to.equal(200);
    expect((await ready())[0]).to.equal(200);
    expect(await refusal(lines.start(OPERATOR, 'D-HTTP'))).to.include('already open');
  });

  it('go on trying where another program has the port, and say so', async () => {
    await lines.stop(OPERATOR, 'D-HTTP');
    await until('stopped');
    const holder = createServer().listen(Number(new URL(at).port), '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { state: now, lastFault } = await lines.start(OPERATOR, 'D-HTTP');
    expect(now).to.equal('opening');
    expect(lastFault?.reason).to.include('the port is taken by another program');
    await new Promise((resolve) => holder.close(resolve));
    await until('listening');
    expect(await answers(CALL)).to.equal(200);
  });

  it('stay stopped when the configuration is read again', async () => {
    await lines.stop(OPERATOR, 'D-HTTP');
    await until('stopped');
    expect((await site.reloadFile()).kind).to.equal('done');
    expect(state()).to.equal('stopped');
    expect((await lines.start(OPERATOR, 'D-HTTP')).state).to.equal('listening');
    expect(await answers(CALL)).to.equal(200);
  });

  it('keep one portal line open', async () => {
    await lines.stop(OPERATOR, 'X-HTTP');
    expect(await refusal(lines.stop(OPERATOR, 'W-HTTP'))).to.include('only open portal line');
    expect((await ready())[0], 'to a portal nobody is led').to.equal(200);
    await eventually(() => (lines.report('X-HTTP').state === 'stopped' ? true : undefined));
    await lines.start(OPERATOR, 'X-HTTP');
    expect((await lines.stop(OPERATOR, 'W-HTTP')).state).to.be.oneOf(['closing', 'stopped']);
  });

  it('are on record with who did it, refusals too', async () => {
    expect(outcomes()).to.include.members([
      'OPERA line.drained D-HTTP done',
      'OPERA line.stopped D-HTTP done',
      'OPERA line.started D-HTTP done',
      'OPERA line.stopped W-HTTP failed',
    ]);
  });

  it('are not touched where that cannot be put on record, nor where there is none of the name', async () => {
    expect(await refusal(lines.stop(OPERATOR, 'C-HTP'))).to.match(/^SVC_ERR_LINE_UNKNOWN .*C-HTP.*C-HTTP/);
    const trail = join(site.folder, 'data', 'audit.jsonl');
    const kept = readFileSync(trail);
    writeFileSync(trail, 'no entry\n');
    expect(await refusal(lines.stop(OPERATOR, 'D-HTTP'))).to.include('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(state()).to.equal('listening');
    writeFileSync(trail, kept);
  });
});
