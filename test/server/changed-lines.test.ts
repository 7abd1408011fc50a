import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import WebSocket from 'ws';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-port.js';
import { ExchangeSite, NamedService } from './exchange-site.js';

const OPERATOR = { who: 'OPERA', from: 'test' };
const CALL = '/PAGE.HTML+CALL';

/** Lines that are different when the configuration is read again. */
describe('a line that is different', () => {
  const service = new NamedService('rates');
  let site: ExchangeSite;
  let ports: readonly number[] = [];
  let tls = '';
  let keyFile = '';

  const settings = (...lines: readonly string[]) => ({
    service: serviceSite,
    hosts: 'SIM: { simulated: true, users: { DEMO: demo } }',
    transactions: 'TSO: { applicationType: 1, application: SIM }',
    lines: lines.join('\n  '),
  });
  let serviceSite = '';
  const line = (name: string, port: number, more = '') =>
    `${name}: { listen: '127.0.0.1:${port}', entryPoint: CLI${more === '' ? '' : `, ${more}`} }`;
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const answer = (port: number, path = CALL) =>
    fetch(at(port) + path).then(
      ({ status }) => status,
      () => 0,
    );
  const begun = async (port: number) => (await (await fetch(`${at(port)}/SCREEN.HTML+TSO`)).text()).trim();
  const until = (port: number, status: number, path = CALL) =>
    eventually(async () => ((await answer(port, path)) === status ? true : undefined));

  before(async () => {
    serviceSite = await service.listen();
    ports = await freePorts(3);
    site = new ExchangeSite();
    site.write('old', 'pages/SCREEN.HTML', '<!--SVC start="{{{" end="}}}" -->{{{SESSION-CODE}}}');
    const { cert, key } = makeCertificate();
    keyFile = key;
    tls = `tls: { cert: ${cert}, key: ${key} }`;
    await site.start(settings(line('D-HTTP', ports[0] ?? 0)));
  });
  after(async () => {
    await site.stop();
    await service.close();
  });

  it('is closed and opened anew at its port: sessions stay, requests in flight are answered', async () => {
    const [port = 0] = ports;
    const session = await begun(port);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/SCREEN.HTML++${session}`, { origin: at(port) });
    await new Promise((resolve) => socket.once('open', resolve));
    const cutOff = new Promise((resolve) => socket.once('close', resolve));
    service.hold();
    const underWay = answer(port);
    await eventually(() => (service.callsHeld > 0 ? true : undefined));
    const outcome = await site.reload(settings(line('D-HTTP', port, 'limits: { urlBytes: 1024 }')));
    expect(outcome).to.deep.equal({ kind: 'done', takenOver: ['lines.D-HTTP'], needsRestart: [] });
    await cutOff;
    await until(port, 414, `/${'x'.repeat(1_100)}`);
    service.letGo();
    expect(await underWay).to.equal(200);
    expect(await answer(port, `/SCREEN.HTML++${session}`), 'the session').to.equal(200);
    const back = new WebSocket(`ws://127.0.0.1:${port}/SCREEN.HTML++${session}`, { origin: at(port) });
    await new Promise((resolve) => back.once('open', resolve));
    back.terminate();
  });

  it('moves to another address with its sessions', async () => {
    const [port = 0, other = 0] = ports;
    const session = await begun(port);
    const outcome = await site.reload(settings(line('D-HTTP', other)));
    expect(outcome).to.have.property('kind', 'done');
    expect(await answer(other, `/SCREEN.HTML++${session}`)).to.equal(200);
    await until(port, 0);
    expect(site.operations.lines.report('D-HTTP')).to.include({ url: at(other), state: 'listening' });
  });

  it('stays as it is, and everything else too, where its new address or certificate cannot be had', async () => {
    const [, port = 0, other = 0] = ports;
    const holder = createServer().listen(other, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    expect(await site.reload(settings(line('D-HTTP', other)))).to.have.property('kind', 'refused');
    await new Promise((resolve) => holder.close(resolve));
    writeFileSync(join(site.folder, 'bad.pem'), 'no certificate');
    const bad = settings(line('D-HTTP', port, `tls: { cert: ./bad.pem, key: ${keyFile} }`));
    expect((await site.reload(bad)).kind).to.be.oneOf(['refused', 'wrong']);
    expect(await answer(port)).to.equal(200);
  });

  it('gets TLS at its port, and loses it again', async () => {
    const [, port = 0] = ports;
    const session = await begun(port);
    expect(await site.reload(settings(line('D-HTTP', port, tls)))).to.have.property('kind', 'done');
    const overTls = () =>
      new Promise<number>((resolve) => {
        const options = { port, host: '127.0.0.1', path: `/SCREEN.HTML++${session}`, rejectUnauthorized: false };
        request(options, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        })
          .on('error', () => resolve(0))
          .end();
      });
    await eventually(async () => ((await overTls()) === 200 ? true : undefined));
    await site.reload(settings(line('D-HTTP', port)));
    await until(port, 200, `/SCREEN.HTML++${session}`);
  });

  it('exchanges its port with another one', async () => {
    const [one = 0, other = 0] = ports;
    await site.reload(settings(line('D-HTTP', one), line('E-HTTP', other)));
    const session = await begun(one);
    const outcome = await site.reload(settings(line('D-HTTP', other), line('E-HTTP', one)));
    expect(outcome).to.have.property('kind', 'done');
    await until(other, 200, `/SCREEN.HTML++${session}`);
    await until(one, 200);
    expect(await answer(one, `/SCREEN.HTML++${session}`), 'of the other line').to.equal(404);
  });

  it('stays drained or stopped where an operator has done that', async () => {
    const [one = 0, other = 0] = ports;
    const { lines } = site.operations;
    await lines.drain(OPERATOR, 'D-HTTP');
    await lines.stop(OPERATOR, 'E-HTTP');
    await eventually(() => (lines.report('E-HTTP').state === 'stopped' ? true : undefined));
    const more = 'limits: { idleSeconds: 7 }';
    await site.reload(settings(line('D-HTTP', other, more), line('E-HTTP', one, more)));
    await eventually(() => (lines.report('D-HTTP').state === 'draining' ? true : undefined));
    await until(other, 503, '/SCREEN.HTML+TSO');
    expect(lines.report('E-HTTP').state).to.equal('stopped');
    expect(await answer(one)).to.equal(0);
    await lines.start(OPERATOR, 'E-HTTP');
    expect(await answer(one)).to.equal(200);
  });
});
