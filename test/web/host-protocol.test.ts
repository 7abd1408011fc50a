import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}';

/** README.md, "If it does not work": page, log and doctor say it. */
describe('TLS that only one side speaks', () => {
  let site: SessionSite | undefined;
  const sockets: Socket[] = [];
  const plain = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    // IAC DO TN3270E
    socket.write(Buffer.from('fffd28', 'hex'));
  });
  let secure: ReturnType<typeof createTlsServer>;

  before(async function () {
    needCommand(this, 'openssl');
    const { cert, key } = makeCertificate();
    secure = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) });
    secure.on('connection', (socket: Socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
    });
    secure.on('tlsClientError', () => undefined);
    const ports: number[] = [];
    for (const server of [plain, secure]) {
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      ports.push((server.address() as AddressInfo).port);
    }
    site = await startSessionSite({
      hosts: `PLAIN: { address: '127.0.0.1:${ports[0]}', tls: { verify: false } }
  SECURE: { address: '127.0.0.1:${ports[1]}' }`,
      transactions:
        'PLAIN: { applicationType: 1, application: PLAIN }\n      SECURE: { applicationType: 1, application: SECURE }',
      furtherPages: { 'NOTICE.HTML': `${declaration}notice: {{{CURRENT-VALUE-OF "$NOTICE$"}}}` },
    });
  });
  after(async () => {
    await site?.stop();
    for (const socket of sockets) socket.destroy();
    plain.close();
    secure?.close();
  });

  it('is said in the page and the log if the host speaks plain TELNET', async () => {
    const answer = await fetch(`${site?.url}/NOTICE.HTML+PLAIN`);
    expect(answer.status).to.equal(502);
    const text = await answer.text();
    expect(text).to.include('Either the server or the host uses TLS, but not both.').and.not.include('127.0.0.1');
    expect(site?.log()).to.include('"code":"SVC_ERR_HOST_PROTOCOL"');
    expect(site?.log()).to.include('TLS is configured, but the port speaks plain TELNET');
  });

  it('is said in the page and the log if the host speaks TLS, and the session goes on', async () => {
    const answer = await fetch(`${site?.url}/NOTICE.HTML+SECURE`);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.include(
      'notice: The host does not respond, because its port uses TLS and the server connects without TLS.',
    );
    const line = await eventually(() =>
      site
        ?.log()
        .split('\n')
        .find((each) => each.includes('"msg":"the host sends nothing"')),
    );
    expect(JSON.parse(line)).to.include({ level: 50, host: 'SECURE' });
    expect(JSON.parse(line).reason).to.include('its port speaks TLS. Set tls: true');
  });

  it('is said by doctor', async () => {
    const { stdout } = await sallyportInProcess(
      ['doctor', '--offline', '--json', '--config', join(site?.folder ?? '', 'sallyport.yaml')],
      { folder: site?.folder ?? '' },
    );
    const findings = stdout
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as { check: string; about: string; state: string; detail: string })
      .filter(({ check }) => check === 'host');
    const of = (name: string) => findings.find(({ about }) => about === name);
    expect(of('PLAIN')).to.include({ state: 'FAULT' });
    expect(of('PLAIN')?.detail).to.include('TLS is configured, but the port speaks plain TELNET');
    expect(of('SECURE')).to.include({ state: 'FAULT' });
    expect(of('SECURE')?.detail).to.include('its port speaks TLS. Set tls: true');
  });
});
