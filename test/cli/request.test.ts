import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needCommand } from '../support/need.js';
import { sallyportInProcess as sallyport } from './command-in-process.js';
import { sallyport as sallyportProcess } from './sallyport-process.js';

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void;

describe('sallyport request', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      if (server instanceof http.Server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function listening(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
  const serving = (listener: Listener) => listening(http.createServer(listener));

  it('prints Line, Port, Template, Transaction, Parameters, then Result (specification 2.1 and 7)', async () => {
    const seen: { target: string | undefined; headers: http.IncomingHttpHeaders }[] = [];
    const port = await serving((request, response) => {
      seen.push({ target: request.url, headers: request.headers });
      response.end('00.7236');
    });
    const url = `http://127.0.0.1:${port}/ws1.html+WS3`;
    const { code, stdout, stderr } = await sallyportProcess(['request', url, 'FROMCURRENCY=EUR', 'TOCURRENCY=U D&=+é']);
    expect(stderr).to.equal('');
    expect(stdout.split('\n')).to.deep.equal([
      'Line: 127.0.0.1',
      `Port: ${port}`,
      'Template: WS1.HTML',
      'Transaction: WS3',
      'Parameters: FROMCURRENCY=EUR&TOCURRENCY=U D&=+é',
      'Result: 0.7236',
      '',
    ]);
    expect(code).to.equal(0);
    expect(seen[0]?.target).to.equal('/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=U%20D%26%3D%2B%C3%A9');
    expect(seen[0]?.headers).to.include({ host: `127.0.0.1:${port}`, connection: 'close' });
    expect(seen[0]?.headers.accept).to.match(/^text\/html,/);
  });

  it('prints Error and exits with 1 if the first character is not 0', async () => {
    const record = `1${'soap:Client'.padEnd(32)}${'Unknown currency code XXX'.padEnd(32)}${' '.repeat(32)}`;
    const port = await serving((_request, response) => response.end(record));
    const { code, stdout } = await sallyportProcess(['request', `http://127.0.0.1:${port}/A+B`]);
    expect(stdout).to.match(new RegExp(`Error: ${record.slice(1)}\n$`));
    expect(code).to.equal(1);
  });

  it('takes an empty answer for an error', async () => {
    const port = await serving((_request, response) => response.end());
    expect((await sallyport(['request', `http://127.0.0.1:${port}/A+B`])).code).to.equal(1);
  });

  const redirects: readonly [string, Listener][] = [
    ['Location', (_request, response) => response.writeHead(302, { Location: '/NEW.HTML+T?A=1' }).end()],
    ['Refresh with URL=', (_request, response) => response.writeHead(302, { Refresh: '0; URL=/NEW.HTML+T?A=1' }).end()],
    [
      'URL= in the body',
      (_request, response) =>
        response.writeHead(302).end('<meta http-equiv="Refresh" content="0; URL=/NEW.HTML+T?A=1">'),
    ],
  ];
  for (const [kind, redirect] of redirects) {
    it(`follows one 302 by ${kind}`, async () => {
      const port = await serving((request, response) => {
        if (request.url === '/NEW.HTML+T?A=1') response.end('0moved');
        else redirect(request, response);
      });
      const { code, stdout } = await sallyport(['request', `http://127.0.0.1:${port}/OLD.HTML+T`]);
      expect(stdout).to.match(/Result: moved\n$/);
      expect(code).to.equal(0);
    });

    it(`does not follow a second 302 by ${kind}`, async () => {
      let requests = 0;
      const port = await serving((request, response) => {
        requests++;
        redirect(request, response);
      });
      const { code, stderr } = await sallyport(['request', `http://127.0.0.1:${port}/OLD.HTML+T`]);
      expect(stderr).to.equal(
        `Error: http://127.0.0.1:${port}/NEW.HTML+T?A=1 redirects a second time; only one redirect is followed\n`,
      );
      expect(code).to.equal(1);
      expect(requests).to.equal(2);
    });
  }

  it('refuses a 302 without a target, and one to another scheme', async () => {
    const bare = await serving((_request, response) => response.writeHead(302).end('gone'));
    const withoutTarget = await sallyport(['request', `http://127.0.0.1:${bare}/A+B`]);
    expect(withoutTarget.stderr).to.equal('Error: HTTP 302 without a target: neither Location nor URL= names one.\n');
    const file = await serving((_request, response) =>
      response.writeHead(302, { Location: 'file:///etc/hosts' }).end(),
    );
    const otherScheme = await sallyport(['request', `http://127.0.0.1:${file}/A+B`]);
    expect(otherScheme.stderr).to.equal('Error: The redirect to file:///etc/hosts is not followed.\n');
    expect([withoutTarget.code, otherScheme.code]).to.deep.equal([1, 1]);
  });

  it('says what the server said of an HTTP error', async () => {
    const port = await serving((_request, response) => {
      response.writeHead(404, { 'Content-type': 'text/html' });
      response.end('<!DOCTYPE html><title>Error</title><h1>404</h1>\n<p>There is no such transaction.</p>');
    });
    const { code, stderr } = await sallyport(['request', `http://127.0.0.1:${port}/A+B`]);
    expect(stderr).to.equal('Error: HTTP 404 Not Found. 404 There is no such transaction.\n');
    expect(code).to.equal(1);
  });

  it('says in words that nothing listens', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    servers.length = 0;
    const { code, stderr } = await sallyport(['request', `http://127.0.0.1:${port}/A+B`]);
    expect(stderr).to.equal(
      `Error: Connection refused: nothing listens at 127.0.0.1 port ${port}. Is Sallyport running?\n`,
    );
    expect(code).to.equal(1);
  });

  it('gives up after --timeout, in the headers and in the body', async () => {
    const silent = await serving(() => {});
    const trickling = await serving((_request, response) => response.write('0begun'));
    for (const port of [silent, trickling]) {
      const { code, stderr } = await sallyport(['request', '--timeout', '0.3', `http://127.0.0.1:${port}/A+B`]);
      expect(stderr).to.equal('Error: No answer within 0.3 s (--timeout).\n');
      expect(code).to.equal(1);
    }
  });

  it('reads an answer of 1 MiB and not one byte more', async () => {
    const bytes = 1024 * 1024;
    const bound = await serving((_request, response) => response.end('0'.repeat(bytes)));
    const atBound = await sallyport(['request', `http://127.0.0.1:${bound}/A+B`]);
    expect(atBound.code).to.equal(0);
    expect(atBound.stdout.split('Result: ')[1]?.length).to.equal(bytes - 1 + '\n'.length);
    const past = await serving((_request, response) => response.end('0'.repeat(bytes + 1)));
    const pastBound = await sallyport(['request', `http://127.0.0.1:${past}/A+B`]);
    expect(pastBound.stderr).to.equal('Error: The answer is longer than 1048576 bytes.\n');
    expect(pastBound.code).to.equal(1);
  });

  it('survives a connection that breaks and one that speaks no HTTP', async () => {
    const reset = await listening(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
    const broken = await sallyport(['request', `http://127.0.0.1:${reset}/A+B`]);
    expect(broken.stderr).to.equal('Error: The connection was closed before the answer was complete.\n');
    const cut = await listening(
      createServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n0cut')),
      ),
    );
    const incomplete = await sallyport(['request', `http://127.0.0.1:${cut}/A+B`]);
    expect(incomplete.stderr).to.equal('Error: The connection was closed before the answer was complete.\n');
    const mail = await listening(createServer((socket) => socket.once('data', () => socket.end('220 mail ready\r\n'))));
    const other = await sallyport(['request', `http://127.0.0.1:${mail}/A+B`]);
    expect(other.stderr).to.match(new RegExp(`^Error: 127.0.0.1 port ${mail} did not answer in HTTP \\(HPE_`));
    expect([broken.code, incomplete.code, other.code]).to.deep.equal([1, 1, 1]);
  });

  describe('over https', () => {
    let folder: string;
    before(async function () {
      needCommand(this, 'openssl');
      folder = await mkdtemp(join(tmpdir(), 'sallyport-request-'));
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
      const { status } = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files]);
      expect(status).to.equal(0);
    });
    after(() => folder && rm(folder, { recursive: true }));

    it('refuses a certificate that nobody vouches for, and accepts it with --ca', async () => {
      const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
      const port = await listening(https.createServer({ key, cert }, (_request, response) => response.end('0secret')));
      const url = `https://localhost:${port}/A+B`;
      const refused = await sallyport(['request', url]);
      expect(refused.stderr).to.match(/^Error: The certificate of localhost is not trusted .* --ca FILE\.\n$/);
      expect(refused.code).to.equal(1);
      const accepted = await sallyport(['request', '--ca', join(folder, 'cert.pem'), url]);
      expect(accepted.stdout).to.match(/Result: secret\n$/);
      expect(accepted.code).to.equal(0);
    });
  });

  const wrong: readonly [string[], RegExp][] = [
    [['nonsense'], /the URL is malformed: expected http:\/\/HOST:PORT\/TEMPLATE\+TRANSACTION, found "nonsense"/],
    [['ftp://127.0.0.1/A+B'], /neither http nor https/],
    [['http://127.0.0.1/A'], /names no template and transaction/],
    [['http://user:word@127.0.0.1/A+B'], /must not contain a user ID or a password/],
    [['http://127.0.0.1/A+B', 'FROMCURRENCY'], /expected NAME=VALUE, found "FROMCURRENCY"/],
    [['http://127.0.0.1/A+B', '=EUR'], /expected NAME=VALUE, found "=EUR"/],
    [['--timeout', '0', 'http://127.0.0.1/A+B'], /expected seconds, more than 0 and at most 3600/],
    [['--timeout', '3601', 'http://127.0.0.1/A+B'], /expected seconds, more than 0 and at most 3600/],
    [['--ca', 'absent.pem', 'https://127.0.0.1/A+B'], /--ca: the file absent.pem cannot be read/],
  ];
  for (const [args, message] of wrong) {
    it(`exits with 2 for: sallyport request ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await sallyport(['request', ...args]);
      expect(stderr).to.match(message);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }
});
