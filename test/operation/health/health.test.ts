import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SallyportProcess } from '../../cli/sallyport-process.js';
import { answerBeforeBody, RawConnection, statusOf } from '../../lines/listener/raw-connection.js';
import { ExchangeSite, NamedService } from '../../server/exchange-site.js';
import { eventually } from '../../support/eventually.js';

interface Report {
  readonly status: string;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly detail?: string }[];
}

const MORE = "management: { listen: '127.0.0.1:0' }";

describe('the management port', () => {
  let site: ExchangeSite;
  const ask = (path: string, init?: RequestInit) => fetch(site.urlOf('management') + path, init);
  const report = async (path: string): Promise<{ status: number; report: Report }> => {
    const reply = await ask(path);
    return { status: reply.status, report: (await reply.json()) as Report };
  };
  const down = ({ checks }: Report) => checks.filter(({ status }) => status === 'DOWN').map(({ name }) => name);

  describe('of a server that serves', () => {
    before(async () => {
      site = new ExchangeSite();
      await site.start({ more: MORE });
    });
    after(() => site.stop());

    for (const path of ['/health', '/health/live', '/health/ready', '/health/started']) {
      it(`says at ${path} that all is well`, async () => {
        const found = await report(path);
        expect(found.status).to.equal(200);
        expect(found.report.status).to.equal('UP');
        expect(found.report.checks.map(({ status }) => status))
          .to.include('UP')
          .and.not.include('DOWN');
      });
    }

    it('reads what a request brings along behind its answer, so that no reset overtakes it', async () => {
      const port = Number(new URL(site.urlOf('management')).port);
      for (const [request, status] of [
        ['GET /health', 200],
        ['POST /health', 405],
        ['POST /nowhere', 404],
      ] as const) {
        const answer = await answerBeforeBody(
          port,
          `${request} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`,
        );
        expect([request, statusOf(answer)]).to.deep.equal([request, status]);
        expect(answer).to.include('Connection: close');
      }
    });

    it('keeps the connection of a request that brings nothing along', async () => {
      const connection = await RawConnection.open(Number(new URL(site.urlOf('management')).port));
      await connection.send('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await connection.until((text) => /404 Not Found[\s\S]*200 OK/.test(text));
      connection.close();
    });

    it('looks at the lines, the audit trail and the folders', async () => {
      const { checks } = (await report('/health/ready')).report;
      const folder = join(site.folder, 'data');
      expect(checks.map(({ name }) => name)).to.deep.equal([
        'server',
        'line C-HTTP',
        'audit trail',
        `folder ${folder}`,
      ]);
    });

    it('is not ready while a folder cannot be written, and again when it can', async () => {
      const folder = join(site.folder, 'data');
      const aside = join(site.folder, 'aside');
      renameSync(folder, aside);
      writeFileSync(folder, 'no folder');
      const found = await eventually(async () => {
        const now = await report('/health/ready');
        return down(now.report).includes(`folder ${folder}`) ? now : undefined;
      });
      expect(found.status).to.equal(503);
      expect(JSON.stringify(found.report)).to.match(/cannot be written: (?:ENOTDIR|EEXIST)/);
      expect((await ask('/health/live')).status, 'it lives').to.equal(200);
      rmSync(folder);
      renameSync(aside, folder);
      await eventually(async () => ((await ask('/health/ready')).status === 200 ? true : undefined));
    });

    it('is not ready while the audit trail is broken', async () => {
      const file = join(site.folder, 'data', 'audit.jsonl');
      mkdirSync(join(site.folder, 'data'), { recursive: true });
      writeFileSync(file, 'no entry\n');
      const found = await eventually(async () => {
        const now = await report('/health');
        return now.status === 503 ? now : undefined;
      });
      expect(down(found.report)).to.deep.equal(['audit trail']);
      rmSync(file);
      await eventually(async () => ((await ask('/health')).status === 200 ? true : undefined));
    });

    it('answers HEAD without a body, and no other method', async () => {
      const head = await ask('/health/live', { method: 'HEAD' });
      expect([head.status, await head.text()]).to.deep.equal([200, '']);
      expect(Number(head.headers.get('content-length'))).to.be.greaterThan(0);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const reply = await ask('/metrics', { method });
        expect([reply.status, reply.headers.get('allow')], method).to.deep.equal([405, 'GET, HEAD']);
      }
    });

    it('answers nothing else', async () => {
      const others = ['/', '/health/', '/healthy', '/metrics/x', '/CLI.HTML', '/constructor', '/users'];
      for (const path of others) expect((await ask(path)).status, path).to.equal(404);
      for (const path of ['/health', '/metrics']) {
        expect((await fetch(site.url + path)).status, `${path} of a client line`).to.equal(404);
      }
    });

    it('has answers that nobody keeps or takes for something else', async () => {
      for (const path of ['/health', '/metrics', '/nothing']) {
        const { headers } = await ask(path);
        expect([headers.get('cache-control'), headers.get('x-content-type-options')], path).to.deep.equal([
          'no-store',
          'nosniff',
        ]);
        expect(headers.get('server')).to.equal(null);
      }
    });

    it('takes URLs up to a bound, and headers', async () => {
      const get = (path: string, header: string) =>
        new Promise<number>((resolve, reject) => {
          const { hostname, port } = new URL(site.urlOf('management'));
          request({ hostname, port, path, headers: { 'X-Long': header } }, (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          })
            .once('error', reject)
            .end();
        });
      // 1,024 of the URL, 8,192 of headers, and what the parser reads besides: 4,096
      expect(await get('/health/live', 'x'.repeat(8_192))).to.equal(200);
      expect(await get(`/health/live?${'x'.repeat(14_000)}`, '')).to.be.oneOf([414, 431]);
      expect(await get('/health/live', 'x'.repeat(14_000))).to.equal(431);
    });

    it('answers, and then ends, where what a request is to bring along never comes', async () => {
      const { hostname, port } = new URL(site.urlOf('management'));
      const connection = await RawConnection.open(Number(port), hostname);
      connection.send('GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
      expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 200 [\s\S]*Connection: close/i);
    });
  });

  it('says that the server is not ready while it stops, and lives on until the end', async () => {
    const service = new NamedService('slow');
    site = new ExchangeSite();
    await site.start({ more: MORE, service: await service.listen() });
    service.hold();
    const underWay = site.text('/PAGE.HTML+CALL');
    await eventually(() => (service.callsHeld === 1 ? true : undefined));
    const stopping = site.stopServer();
    const found = await report('/health/ready');
    expect([found.status, down(found.report)[0], found.report.checks[0]?.detail]).to.deep.equal([
      503,
      'server',
      'the server stops',
    ]);
    expect((await ask('/health/live')).status).to.equal(200);
    service.letGo();
    expect(await underWay).to.match(/^200 /);
    await stopping;
    await site.stop();
    await service.close();
  });

  describe('of a server that is told to stop, and may take its time', () => {
    const more = (seconds: number) => `management: { listen: '127.0.0.1:0', stopDelaySeconds: ${seconds} }`;

    it('serves on while it says that it is not ready, until a second signal', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sallyport-stop-'));
      writeFileSync(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
      const line = "lines: { A-HTTP: { listen: '127.0.0.1:0', entryPoint: E } }";
      const file = join(folder, 'sallyport.yaml');
      writeFileSync(file, `directories: { CLI: . }\n${line}\nentryPoints: { E: { directory: CLI } }\n${more(600)}\n`);
      const server = new SallyportProcess(['serve', '--config', file], folder);
      const [, url = ''] = await server.prints(/^A-HTTP +(http\S+)/m);
      const [, monitors = ''] = await server.prints(/^management +(http\S+)/m);
      server.child.kill('SIGTERM');
      await eventually(async () => {
        const reply = await fetch(`${monitors}/health/ready`);
        return reply.status === 503 && (await reply.text()).includes('the server stops') ? true : undefined;
      });
      expect((await fetch(`${url}/E.HTML`)).status).to.equal(200);
      await eventually(() => {
        server.child.kill('SIGTERM');
        return server.child.exitCode ?? undefined;
      });
      expect((await server.finished).code).to.equal(1);
      rmSync(folder, { recursive: true });
    });

    it('stops when the time is over', async () => {
      site = new ExchangeSite();
      await site.start({ more: more(1) });
      await site.stopServer();
      expect(await site.text('/PAGE.HTML').catch(() => 'refused')).to.equal('refused');
      await site.stop();
    });
  });

  it('says that the server is not ready while a line has no port', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    site = new ExchangeSite();
    await site.start({ more: MORE, lines: `D-HTTP: { listen: '127.0.0.1:${port}', entryPoint: CLI }` });
    const found = await report('/health/ready');
    expect([found.status, down(found.report)]).to.deep.equal([503, ['line D-HTTP']]);
    expect(found.report.checks.find(({ name }) => name === 'line D-HTTP')?.detail).to.equal('it does not listen');
    await new Promise((resolve) => holder.close(resolve));
    await eventually(async () => ((await ask('/health/ready')).status === 200 ? true : undefined));
    await site.stop();
  });

  it('is not there where the configuration has none', async () => {
    site = new ExchangeSite();
    await site.start();
    expect(site.urlOf('management')).to.equal('');
    await site.stop();
  });
});
