import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { eventually } from '../support/eventually.js';
import { commandScript } from '../support/project.js';

/** An attacker on the path removes the host's DO STARTTLS, and asks for the terminal type: DO TERMINAL-TYPE, SEND. */
const STRIPPED = Buffer.from('fffd18fffa1801fff0', 'hex');

describe('startTls: required, on the way through the whole program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-start-tls-'));
  const heard: { bytes: number; isClosed: boolean }[] = [];
  let host: Server;
  let port = 0;

  before(async () => {
    host = createServer((socket: Socket) => {
      const one = { bytes: 0, isClosed: false };
      heard.push(one);
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          one.bytes += bytes.length;
        });
      socket.on('close', () => {
        one.isClosed = true;
      });
      socket.write(STRIPPED);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    port = (host.address() as AddressInfo).port;
    writeFileSync(join(folder, 'SCREEN.HTML'), '<!--SVC start="{{{" end="}}}" -->{{{AJAX-SESSION-CODE}}}');
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `sessions: { keysReady: 0 }
management: { listen: '127.0.0.1:0' }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: E } }
hosts: { REAL: { address: '127.0.0.1:${port}', startTls: required } }
printers: { P: { host: REAL, luName: PRT1, output: { folder: ./printed } } }
entryPoints: { E: { directory: D, transactions: { TSO: { applicationType: 1, application: REAL } } } }
directories: { D: . }
`,
    );
  });
  after(() => {
    host.close();
    rmSync(folder, { recursive: true });
  });

  /** Connections that have ended, none of which was sent a byte. */
  async function nothingWasSent(since: number): Promise<void> {
    await eventually(() => (heard.length > since && heard.slice(since).every(({ isClosed }) => isClosed)) || undefined);
    expect(heard.slice(since).map(({ bytes }) => bytes)).to.deep.equal(heard.slice(since).map(() => 0));
  }

  it('ends sessions of browsers, and of printers, before anything is sent', async () => {
    const server = new SallyportProcess(['serve', '--config', join(folder, 'sallyport.yaml')], folder);
    try {
      const [, url = ''] = await server.prints(/^C-HTTP +(http:\/\/127\.0\.0\.1:\d+)/m);
      // the printer has connected by itself
      await nothingWasSent(0);
      const since = heard.length;
      await (await fetch(`${url}/SCREEN.HTML+TSO`)).text();
      await nothingWasSent(since);
      await server.prints(/does not begin TLS with STARTTLS, which is required/);
    } finally {
      server.child.kill('SIGTERM');
      await server.finished;
    }
  });

  it('is a fault for doctor and printer try', async () => {
    for (const args of [
      ['doctor', '--config', join(folder, 'sallyport.yaml')],
      ['printer', 'try', `127.0.0.1:${port}`, '--settings', '{"startTls":"required"}'],
    ]) {
      const since = heard.length;
      const { code, stdout, stderr } = await new SallyportProcess(args, folder).finished;
      expect(code, `${args}`).to.not.equal(0);
      expect(stdout + stderr, `${args}`).to.match(/does not begin TLS with STARTTLS, which is required/);
      await nothingWasSent(since);
    }
  });

  it('is a fault for drive', async () => {
    const since = heard.length;
    const args = [commandScript, 'drive', '127.0.0.1', String(port), '{"startTls":"required"}'];
    // its input stays open until it has told why the session ended
    const drive = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let told = '';
    for (const stream of [drive.stdout, drive.stderr]) stream.on('data', (bytes) => (told += bytes));
    const ended = once(drive, 'exit');
    drive.stdin.write('{"cmd":"wait","until":"unlocked","seconds":20}\n');
    await nothingWasSent(since);
    await eventually(() => /STARTTLS, which is required|error/.test(told) || undefined);
    drive.stdin.end('{"cmd":"quit"}\n');
    await ended;
    expect(told).to.match(/does not begin TLS with STARTTLS, which is required/);
  });
});
