import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';

const MOST_BODY_BYTES = 1 << 20;
const MOST_LINE_CHARACTERS = 1_000_000;
const MOST_QUEUED_BYTES = 1 << 24;
const MOST_CONNECTIONS = 64;

describe('ports of sallyport s3270', () => {
  const folder = mkdtempSync(join(tmpdir(), 's3270-ports-'));
  const cookieFile = join(folder, 'cookie');
  let child: ChildProcessWithoutNullStreams;
  let http: string;
  let scriptPort: number;

  before(async () => {
    const [httpPort, port] = await Promise.all([freePort(), freePort()]);
    http = `http://127.0.0.1:${httpPort}`;
    scriptPort = port;
    const words = ['-model', '2', '-httpd', String(httpPort), '-scriptport', String(port), '-cookiefile', cookieFile];
    words.push('-keypasswd', 'string:canary-key', '-proxy', 'socks5:anna:canary@proxy@proxy.example');
    child = spawn(process.execPath, [commandScript, 's3270', ...words]);
    await eventually(() => fetch(http).catch(() => undefined));
    await eventually(() => tellScript('').catch(() => undefined));
  });

  after(async () => {
    const over = once(child, 'close');
    // the request that ends it is answered
    const answer = await get('/3270/rest/text/Query(Formatted)%20Quit()');
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'unformatted\r\n']);
    await over;
  });

  const cookie = () => readFileSync(cookieFile, 'utf8');
  const withCookie = () => ({ cookie: `x3270-security=${cookie()}` });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${http}${path}`, { headers: { ...withCookie(), ...headers }, redirect: 'manual' });
  const post = (type: string, body: string) =>
    fetch(`${http}/3270/rest/post`, { method: 'POST', headers: { ...withCookie(), 'content-type': type }, body });
  const json = async (response: Response) => JSON.parse(await response.text());

  /** What the port answers to lines, up to the end of the script. */
  async function tellScript(lines: string): Promise<string> {
    const socket = connect(scriptPort, '127.0.0.1');
    await once(socket, 'connect');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.end(lines);
    await once(socket, 'close');
    return text.replaceAll(/^(.* 0x0) \d+\.\d{3}$/gm, '$1');
  }

  it('are opened anew by Set: who has asked for it is answered, and a port that cannot be had leaves the one before', async () => {
    const port = await freePort();
    const other = `http://127.0.0.1:${port}`;
    const moved = await get(`/3270/rest/text/Set(httpd,${port})%20Set(httpd)`);
    expect([moved.status, await moved.text()]).to.deep.equal([200, `[127.0.0.1]:${port}\r\n`]);
    expect(await get('/').catch(({ cause }) => cause.code)).to.equal('ECONNREFUSED');
    const first = http;
    http = other;
    // in use, and refused by the system: the port that is there stays
    const refused = await get(`/3270/rest/text/Set(httpd,${scriptPort})`);
    expect([refused.status, await refused.text()]).to.deep.equal([400, 'httpd bind: Address already in use\r\n']);
    const [, firstPort] = /:(\d+)$/.exec(first) ?? [];
    expect((await get(`/3270/rest/text/Set(httpd,${firstPort})`)).status).to.equal(200);
    http = first;
    expect((await get('/3270/rest/text/Query(Cursor)')).status).to.equal(200);
  });

  it('answer requests in each form (reference 10.4)', async () => {
    const status = 'L U U N N 2 24 80 0 0 0x0';
    expect(await (await get('/3270/rest/text/Query(Cursor)')).text()).to.equal('0 0\r\n');
    expect(await (await get('/3270/rest/stext/Query(Cursor)%20Query(Model)')).text()).to.match(
      /^L U U N N 2 24 80 0 0 0x0 \d+\.\d{3}\r\n0 0\r\nIBM-3279-2-E\r\n$/,
    );
    expect(await (await get('/3270/rest/html/Query(Cursor)')).text()).to.include('<pre>0 0\n</pre>');
    const answer = await json(await get('/3270/rest/json/Query(Cursor)'));
    expect(answer).to.deep.include({ result: ['0 0'], 'result-err': [false] });
    expect(answer.status).to.include(status);
    const unknown = await get('/3270/rest/json/Foo()');
    expect(unknown.status).to.equal(400);
    expect(await json(unknown)).to.deep.include({ result: ['Unknown action: Foo'], 'result-err': [true] });
    const none = await get('/3270/rest/text/');
    expect([none.status, await none.text()]).to.deep.equal([400, 'Missing 3270 action.\r\n']);
    expect((await get('/3270')).headers.get('location')).to.equal(`${http}/3270/`);
    expect((await get('/3270/rest/text/%zz')).status).to.equal(400);
    expect((await get('/nowhere/<b>')).status).to.equal(404);
  });

  it('take actions by POST, as text and as JSON', async () => {
    expect(await (await post('text/plain', 'Query(Cursor)')).text()).to.match(/\r\n0 0\r\n$/);
    for (const [body, result] of [
      ['{"action":"Query","args":["Cursor"]}', ['0 0']],
      ['"Query(Cursor)"', ['0 0']],
      ['["Query(Cursor)",{"action":"Query","args":["Formatted"]}]', ['0 0', 'unformatted']],
    ] as const) {
      expect((await json(await post('application/json', body))).result, body).to.deep.equal(result);
    }
    expect((await post('application/json', '{')).status).to.equal(400);
    expect((await post('application/json', '{"action":1}')).status).to.equal(400);
    expect((await post('text/csv', 'Query')).status).to.equal(415);
    expect((await post('text/plain', `ignore ${'x'.repeat(MOST_BODY_BYTES + 1)}`)).status).to.equal(413);
  });

  it('tell what is wrong with JSON: where it is none in words, otherwise as JSON', async () => {
    const lines = [
      '{"foo"}',
      '{"action":"Query"}{"action":"Query"}',
      '{"action":"Query",',
      ' "args":["Cursor"]}',
      '["Query(Cursor)","Fail(\\"one\\")","Query(Cursor)"]',
      '{"action":"Echo","args":["two\\nlines",1,true]}',
      ...['{"action":1}', '{"args":[]}', '{"action":"Query","args":[[]]}', '{"action":"Query","more":1}', '[1]'],
      '"Query(Cursor) )"',
      '[',
    ];
    const text = await tellScript(`Cookie("${cookie()}")\n${lines.join('\n')}\n`);
    const status = 'L U U N N 2 24 80 0 0 0x0';
    const [, , ...answers] = text.trimEnd().split('\n');
    expect(answers.slice(0, 6)).to.deep.equal([
      'data: JSON parse error: line 1, column 7: ":" expected',
      status,
      'error',
      'data: JSON parse error: line 1, column 19: nothing more expected',
      status,
      'error',
    ]);
    expect(answers.slice(-3)).to.deep.equal([
      'data: JSON parse error: line 1, column 2: unexpected end',
      status,
      'error',
    ]);
    const told = answers.slice(6, -3).map((line) => JSON.parse(line));
    for (const one of told) expect(one.status).to.match(/^L U U N N 2 24 80 0 0 0x0 \d+\.\d{3}$/);
    expect(
      told.map(({ result, success, 'result-err': isError }) => [result, isError, success]).slice(0, 3),
    ).to.deep.equal([
      [['0 0'], [false], true],
      [['0 0', 'one'], [false, true], false],
      [['two', 'lines 1 true'], [false, false], true],
    ]);
    for (const { result, success } of told.slice(3, 8)) {
      expect(result[0]).to.match(/^Invalid JSON action: /);
      expect(success).to.equal(false);
    }
    expect(told[8].result).to.deep.equal(['0 0', 'Action name must begin with an alphanumeric character at column 1']);
    expect(told).to.have.lengthOf(9);
  });

  it('go on beside a script that does not read its answers: they are kept up to a bound, and none is lost', async () => {
    const socket = connect(scriptPort, '127.0.0.1');
    await once(socket, 'connect');
    // 40 MB of answers: more than the system takes, and the bound on top of it
    const [times, answerBytes] = [40, 1_000_000];
    const action = `Execute("head -c ${answerBytes} /dev/zero | tr '\\\\0' x")\n`;
    socket.write(`Cookie("${cookie()}")\n${action.repeat(times)}`);
    const queued = async () => (await get('/3270/rest/text/Query(OutputQueues)')).text();
    const queuedBytes = async () => Number(/^CB\(s3sock\) #\d+ bytes (\d+)\r\n$/.exec(await queued())?.[1]);
    await eventually(async () => ((await queuedBytes()) > MOST_QUEUED_BYTES ? true : undefined));
    expect(await queuedBytes(), 'the bound and one answer').to.be.below(MOST_QUEUED_BYTES + answerBytes + 4_096);
    expect(await tellScript(`Cookie("${cookie()}")\nQuery(Cursor)\n`)).to.include('data: 0 0\n');
    let answered = 0;
    let rest = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      const read = (rest + chunk).split('\n');
      rest = read.pop() ?? '';
      answered += read.filter((line) => line === 'ok').length;
      if (answered === times + 1) break;
    }
    expect(answered).to.equal(times + 1);
    socket.destroy();
    await eventually(async () => ((await queued()) === '\r\n' ? true : undefined));
  });

  it('show the screen, and a form whose action is escaped', async () => {
    expect(await (await get('/3270/screen.html')).text()).to.include('X Not Connected');
    const page = await (await get(`/3270/interact.html?action=${encodeURIComponent('Echo("<script>")')}`)).text();
    expect(page).to.include('&lt;script&gt;').and.to.not.include('<script>');
  });

  it('do not wait for clients that send no requests of HTTP and never close their connections', async function () {
    // Node itself closes them after a minute or more
    this.timeout(40_000);
    const port = await freePort();
    // fetch keeps connections of its own
    const terminal = spawn(process.execPath, [commandScript, 's3270', '-httpd', String(port)]);
    const sockets: Socket[] = [];
    /** Undefined where the connection is not taken. */
    const answerTo = (request: string) =>
      new Promise<string | undefined>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        sockets.push(socket);
        socket.once('data', (chunk) => resolve(chunk.toString())).on('error', () => resolve(undefined));
        socket.once('end', () => resolve(undefined)).write(request);
      });
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    try {
      await eventually(() => answerTo(request));
      for (let count = 0; count < MOST_CONNECTIONS; count++) await answerTo('garbage\r\n\r\n');
      expect(await eventually(() => answerTo(request))).to.match(/^HTTP\/1\.1 200 OK/);
    } finally {
      for (const socket of sockets) socket.destroy();
      terminal.kill();
    }
  });

  it('are for those who know the cookie, and for no page of another site', async () => {
    expect(statSync(cookieFile).mode & 0o777).to.equal(0o400);
    const refusal = async (headers: Record<string, string>) => {
      const response = await fetch(`${http}/3270/rest/text/Query`, { headers });
      return [response.status, /(Missing|Invalid|Request)[^.]*/.exec(await response.text())?.[0]];
    };
    expect(await refusal({})).to.deep.equal([403, 'Missing x3270-security cookie']);
    expect(await refusal({ cookie: 'x3270-security=x' })).to.deep.equal([403, 'Invalid x3270-security cookie']);
    const other = await refusal({ ...withCookie(), origin: 'http://other.example' });
    expect(other).to.deep.equal([403, 'Request of another site']);
    expect(await tellScript('Query(Cursor)\nQuery(Cursor)\n')).to.equal(
      'data: Invalid cookie\nL U U N N 2 24 80 0 0 0x0\nerror\n',
    );
    expect(await tellScript('Cookie("x")\n')).to.include('Invalid cookie');
  });

  it('show no password of the command line and the settings', async () => {
    const all = await (await get('/3270/rest/text/Query(-all)%20Set()%20Set(proxy)%20Set(keyPasswd)')).text();
    expect(all).to.not.include('canary');
    expect(all)
      .to.include('-proxy socks5:anna:***@proxy.example')
      .and.to.include('\r\nsocks5:anna:***@proxy.example\r\n***\r\n');
  });

  it('take a line up to its bound, and refuse a longer one', async () => {
    const line = (length: number) => `Cookie("${cookie()}")\nignore ${'x'.repeat(length - 7)}\nQuery(Cursor)\n`;
    expect((await tellScript(line(MOST_LINE_CHARACTERS))).match(/^ok$/gm)).to.have.lengthOf(3);
    const refused = await tellScript(line(MOST_LINE_CHARACTERS + 1));
    expect(refused).to.include(`data: A line has at most ${MOST_LINE_CHARACTERS} characters\n`);
    expect(refused.match(/^ok$/gm)).to.have.lengthOf(2);
  });

  it('may be a port that is called back', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const caller = spawn(process.execPath, [commandScript, 's3270', '-callback', String(port)]);
    const over = once(caller, 'close');
    const [socket] = await once(server, 'connection');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('Query(Cursor)\nQuit\n');
    expect((await over)[0]).to.equal(0);
    await eventually(() => (text.includes('ok\n') ? true : undefined));
    expect(text).to.match(/^data: 0 0\nL U U N N 4 24 80 0 0 0x0 \d+\.\d{3}\nok\n$/);
    server.close();
  });

  it('serve scripts, files of actions and programs', async () => {
    const ok = 'L U U N N 2 24 80 0 0 0x0\nok\n';
    const file = join(folder, 'actions');
    const picture = join(folder, 'picture');
    writeFileSync(file, '# a remark\nQuery(Cursor)\nQuery(Model)\n');
    const text = await tellScript(
      [
        `Cookie("${cookie()}")`,
        `Source("${file}")`,
        'Script(sh,-c,"echo $X3270INPUT; exit 3")',
        'Execute("echo out; echo err >&2")',
        `PrintText(file,"${picture}")`,
        `Trace(on,"${join(folder, 'trace')}")`,
        'Trace(off)',
        'CloseScript',
        'Query(Cursor)',
        '',
      ].join('\n'),
    );
    expect(text).to.equal(
      [
        ok,
        `data: 0 0\ndata: IBM-3279-2-E\n${ok}`,
        'data: 3\ndata: Script exited with status 3\nL U U N N 2 24 80 0 0 0x0\nerror\n',
        `data: out\ndata: err\n${ok}`,
        ok,
        ok,
        `data: Tracing stopped.\n${ok}`,
        ok,
      ].join(''),
    );
    expect(readFileSync(picture, 'utf8').split('\n')).to.have.lengthOf(25);
    expect(statSync(picture).mode & 0o777).to.equal(0o600);
  });
});
