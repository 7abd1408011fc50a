import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { sallyportInProcess } from './command-in-process.js';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: string;
}

/** A server that answers as the interface of services is described (docs/write/services.md), and notes what it was asked. */
describe('sallyport service list and call', () => {
  const answers = new Map<string, { readonly status: number; readonly body: string }>();
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { method, url, headers } = request;
      asked.push({ method, url, authorization: headers.authorization, key: headers['idempotency-key'], body });
      const { status, body: text } = answers.get(`${method} ${url}`) ?? { status: 404, body: '{"code":"unknown"}' };
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    });
  });
  let url: string;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-service-call-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked.length = 0;
    answers.clear();
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const run = (args: readonly string[], input = '', token = 'T0ken') =>
    sallyportInProcess(['service', ...args], { input, environment: { SALLYPORT_TOKEN: token } });

  it('lists what there is, and sends the token in a header alone', async () => {
    const services = [
      { name: 'a', description: 'first', path: '/api/v1/services/a' },
      { name: 'b', description: '\u001b[31m', path: '/api/v1/services/b' },
    ];
    answers.set('GET /api/v1/services', { status: 200, body: JSON.stringify({ services }) });
    const { code, stdout, stderr } = await run(['list', '--server', url]);
    expect([code, stdout, stderr]).to.deep.equal([0, 'a  first\nb  \\u001b[31m\n', '']);
    expect(asked).to.deep.equal([
      { method: 'GET', url: '/api/v1/services', authorization: 'Bearer T0ken', key: undefined, body: '' },
    ]);
  });

  it('calls with texts, true and false where the service says so, and what was asked for', async () => {
    const parameters = { type: 'object', properties: { all: { type: 'boolean' }, word: { type: 'string' } } };
    answers.set('GET /api/v1/services/s', { status: 200, body: JSON.stringify({ name: 's', parameters }) });
    answers.set('POST /api/v1/services/s', { status: 200, body: '{"name":"ADA"}' });
    const words = ['account=1=2', 'all=true', 'word=true', '--ask', 'pin', '--idempotency-key', 'k1'];
    const { code, stdout, stderr } = await run(['call', 's', ...words, '--server', url], 's3cret\n');
    expect([code, stdout, stderr]).to.deep.equal([0, '{\n  "name": "ADA"\n}\n', '']);
    expect(asked[1]?.key).to.equal('k1');
    expect(JSON.parse(asked[1]?.body ?? '')).to.deep.equal({ account: '1=2', all: true, word: 'true', pin: 's3cret' });
  });

  it('prints a problem, and exits with 1', async () => {
    answers.set('POST /api/v1/services/s', { status: 422, body: '{"code":"service-parameters","status":422}' });
    const { code, stdout, stderr } = await run(['call', 's', '--server', url]);
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.equal('HTTP 422 Unprocessable Entity\n{\n  "code": "service-parameters",\n  "status": 422\n}\n');
  });

  it('takes the token from a file before that of the environment', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'fromFile\n');
    answers.set('GET /api/v1/services', { status: 200, body: '{"services":[]}' });
    expect((await run(['list', '--server', url, '--token-file', file])).code).to.equal(0);
    expect(asked[0]?.authorization).to.equal('Bearer fromFile');
  });

  for (const [what, args, token, words] of [
    ['no token', ['list'], '', /no token was given/],
    ['a token of two lines', ['list'], 'a\r\nX: y', /the token contains invalid characters/],
    ['a server that is no URL', ['list', '--server', 'here'], 'T', /--server: expected http/],
    ['a server with a password', ['list', '--server', 'http://u:s3cret@127.0.0.1/'], 'T', /without user and password/],
    ['a service that leaves the path', ['call', '../tokens'], 'T', /the name of a service/],
    ['a parameter without a value', ['call', 's', 'x'], 'T', /expected NAME=VALUE/],
    ['a time that is none', ['list', '--timeout', '3601'], 'T', /at most 3600/],
  ] as const) {
    it(`refuses ${what}, asks nothing and exits with 2`, async () => {
      const { code, stderr } = await run(
        args.some((word) => word === '--server') ? args : [...args, '--server', url],
        '',
        token,
      );
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(words).and.not.contain('s3cret');
      expect(asked).to.deep.equal([]);
    });
  }

  it('says that nobody listens, and exits with 1', async () => {
    const { code, stderr } = await run(['list', '--server', 'http://127.0.0.1:1']);
    expect(code).to.equal(1);
    expect(stderr).to.match(/Connection refused/);
  });
});
