import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';

/** What web pages make browsers send to the ports of a terminal, byte by byte; test/browser/s3270-ports has a real one. */
describe('ports of sallyport s3270 and web pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 's3270-web-pages-'));
  const mark = join(folder, 'mark');
  let child: ChildProcessWithoutNullStreams;
  let httpPort: number;
  let scriptPort: number;

  before(async () => {
    [httpPort, scriptPort] = await Promise.all([freePort(), freePort()]);
    const words = ['-model', '2', '-httpd', String(httpPort), '-scriptport', String(scriptPort)];
    child = spawn(process.execPath, [commandScript, 's3270', ...words]);
    await eventually(() => fetch(`http://127.0.0.1:${httpPort}`).catch(() => undefined));
    await eventually(() => saidOn(scriptPort, '').catch(() => undefined));
  });
  beforeEach(async () => {
    await answerOf('/3270/rest/text/Set(monoCase,false)', [`Host: 127.0.0.1:${httpPort}`]);
  });
  after(async () => {
    const over = once(child, 'close');
    child.kill();
    await over;
    rmSync(folder, { recursive: true });
  });

  /** What a port answers to pieces of text, up to its end. */
  async function saidOn(port: number, ...pieces: readonly string[]): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    const over = new Promise((resolve) => socket.once('close', resolve));
    for (const piece of pieces) {
      socket.write(piece, 'latin1');
      await setImmediate();
    }
    socket.end();
    await over;
    return text;
  }

  async function answerOf(target: string, headers: readonly string[], version = '1.1'): Promise<[number, string]> {
    const head = [`GET ${target} HTTP/${version}`, ...headers, 'Connection: close'].join('\r\n');
    const answer = await saidOn(httpPort, `${head}\r\n\r\n`);
    const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    return [Number(status), answer.slice(answer.indexOf('\r\n\r\n') + 4)];
  }
  const own = () => `127.0.0.1:${httpPort}`;
  const setting = async () => (await answerOf('/3270/rest/text/Set(monoCase)', [`Host: ${own()}`]))[1].trim();

  /** A wish of an attacker, and its headers behind those of the server. */
  const refused: Readonly<Record<string, (port: number) => readonly string[]>> = {
    'Sec-Fetch-Site: cross-site': () => ['Sec-Fetch-Site: cross-site'],
    'Sec-Fetch-Site: same-site': () => ['Sec-Fetch-Site: same-site'],
    'Sec-Fetch-Site of no known value': () => ['Sec-Fetch-Site: '],
    'another origin': () => ['Origin: http://other.example'],
    'an origin of the same host and another port': () => ['Origin: http://127.0.0.1:1'],
    'an origin of the same host and no port': () => ['Origin: http://127.0.0.1'],
    'an origin of the same host and port, and another scheme': (port) => [`Origin: https://127.0.0.1:${port}`],
    'an origin of another name for the same server': (port) => [`Origin: http://localhost:${port}`],
    'an origin without a name': () => ['Origin: null'],
    'an empty origin': () => ['Origin: '],
    'a referer of another site': () => ['Referer: http://other.example/page'],
    'a referer of the same host and another port': () => ['Referer: http://127.0.0.1:1/'],
    'a referer that only begins as the server': (port) => [`Referer: http://127.0.0.1:${port}@other.example/`],
    'a referer that is no address': () => ['Referer: x'],
    // Sec-Fetch-Site is for loopback names only, and a page can hide its address
    'the name of a browser, and of no page': () => ['User-Agent: Mozilla/5.0 (X11; Linux x86_64)'],
    'an origin of this server and a referer of another': (port) => [
      `Origin: http://127.0.0.1:${port}`,
      'Referer: http://other.example/',
    ],
  };
  for (const [what, headers] of Object.entries(refused)) {
    it(`refuse a request with ${what}`, async () => {
      const given = [`Host: ${own()}`, ...headers(httpPort)];
      const [status, page] = await answerOf('/3270/rest/text/Set(monoCase,true)', given);
      expect([status, /Request of another site\./.test(page)]).to.deep.equal([403, true]);
      expect(await setting()).to.equal('false');
    });
  }

  for (const [what, host] of [
    ['another site', () => 'other.example'],
    ['another site, with the port', (port: number) => `other.example:${port}`],
    ['a name below localhost', (port: number) => `x.localhost:${port}`],
    ['a name that ends with an address', (port: number) => `127.0.0.1.other.example:${port}`],
    ['an address of another machine', (port: number) => `192.0.2.1:${port}`],
    ['another port', () => 'localhost:1'],
    ['a user and a name', (port: number) => `localhost@other.example:${port}`],
    ['nothing', () => ''],
  ] as const) {
    it(`refuse a request to a host of the name: ${what}`, async () => {
      const [status, page] = await answerOf('/3270/rest/text/Set(monoCase,true)', [`Host: ${host(httpPort)}`]);
      expect([status, /Unknown host name\./.test(page)]).to.deep.equal([403, true]);
      expect(await setting()).to.equal('false');
    });
  }

  for (const [what, headers, version] of [
    ['curl', (port: number) => [`Host: 127.0.0.1:${port}`, 'User-Agent: curl/8.5.0', 'Accept: */*']],
    [
      'Python',
      (port: number) => ['Accept-Encoding: identity', `Host: localhost:${port}`, 'User-Agent: Python-urllib/3'],
    ],
    ['a script that leaves the port out', () => ['Host: localhost']],
    ['a script that writes the name in capitals', (port: number) => [`Host: LOCALHOST:${port}`]],
    ['a script with another loopback address', (port: number) => [`Host: 127.9.9.9:${port}`]],
    ['a script with the loopback address of IPv6', (port: number) => [`Host: [::1]:${port}`]],
    ['a script of HTTP 1.0', () => [], '1.0'],
    [
      'the address bar of a browser',
      (port: number) => [`Host: 127.0.0.1:${port}`, 'Sec-Fetch-Site: none', 'User-Agent: Mozilla/5.0'],
    ],
    [
      'a page of this server in a browser without Sec-Fetch-Site',
      (port: number) => [`Host: 127.0.0.1:${port}`, 'User-Agent: Mozilla/5.0', `Referer: http://127.0.0.1:${port}/`],
    ],
    [
      'a script that names itself after a browser',
      (port: number) => [`Host: [::1]:${port}`, 'User-Agent: x Mozilla/5'],
    ],
    [
      'a page of this server',
      (port: number) => [
        `Host: localhost:${port}`,
        'Sec-Fetch-Site: same-origin',
        `Origin: http://localhost:${port}`,
        `Referer: http://localhost:${port}/3270/interact.html`,
      ],
    ],
  ] as const) {
    it(`answer ${what}`, async () => {
      const [status] = await answerOf('/3270/rest/text/Set(monoCase,true)', headers(httpPort), version);
      expect(status).to.equal(200);
      expect(await setting()).to.equal('true');
    });
  }

  const needsCookie = 'Programs and files of this machine need a cookie file (-cookiefile) over HTTP\r\n';
  for (const [action, name] of [
    ['Execute("touch MARK")', 'Execute'],
    ['execu("touch MARK")', 'Execute'],
    ['Script(touch,MARK)', 'Script'],
    ['Script(-async,touch,MARK)', 'Script'],
    ['PrintText(command,"touch MARK")', 'PrintText'],
    ['PrintText(file,MARK)', 'PrintText'],
    ['Source(/etc/passwd)', 'Source'],
    ['Trace(on,MARK)', 'Trace'],
    ['ScreenTrace(on,MARK)', 'ScreenTrace'],
    ['Set(traceFile,MARK)', 'Set'],
    ['Set(cookieFile,MARK)', 'Set'],
    ['Toggle(keyPasswd,file:/etc/passwd)', 'Toggle'],
    ['Set(scriptPort,0)', 'Set'],
  ] as const) {
    it(`refuse without a cookie file: ${action}`, async () => {
      const written = encodeURIComponent(action.replace('MARK', mark));
      const answer = await answerOf(`/3270/rest/text/${written}`, [`Host: ${own()}`]);
      expect(answer).to.deep.equal([400, `${name}(): ${needsCookie}`]);
      const page = await answerOf(`/3270/interact.html?action=${written}`, [`Host: ${own()}`]);
      expect(page[0]).to.equal(400);
      expect(existsSync(mark)).to.equal(false);
    });
  }

  it('write traces into a new file without a cookie file, as its name is not the sender’s', async () => {
    const target = '/3270/rest/text/ScreenTrace(on)%20ScreenTrace()%20ScreenTrace(off)';
    const [status, text] = await answerOf(target, [`Host: ${own()}`]);
    const [, file = ''] = /file: (.*)\.\r\n/.exec(text) ?? [];
    rmSync(file);
    expect([status, file.startsWith(tmpdir())]).to.deep.equal([200, true]);
  });

  const act = `Execute("touch ${mark}")\n`;
  for (const [what, ...pieces] of [
    ['a POST', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', act],
    ['a POST in one piece', `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${act}`],
    ['a POST whose first line comes in pieces', 'PO', 'ST / HT', 'TP/1', `.1\r\n\r\n${act}`],
    ['a POST, byte by byte', ...'POST / HTTP/1.1\r\n\r\n', act],
    ['a GET of HTTP 1.0', 'GET /x HTTP/1.0\r\n\r\n', act],
    ['a preface of HTTP 2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', act],
    ['a method of any name', `x-!#$%&'*+.^_\`|~9 / HTTP/1.1\r\n\r\n${act}`],
    ['a request behind blank lines', `\r\n \r\nGET / HTTP/1.1\r\n${act}`],
    ['a request line without carriage return', `GET / HTTP/1.1\n${act}`],
    ['a long target', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${act}`],
    ['a connection by TLS', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n${act}`],
    ['STUN over TCP, as of WebRTC', `\0\x5c\0\x01\0\x48\x21\x12\xa4\x42\n${act}`],
    ['TURN over TCP, as of WebRTC', `\0\x03\0\x24\x21\x12\xa4\x42${'x'.repeat(12)}\n${act}`],
    ['a connection by TLS, byte by byte', '\x16', '\x03', '\x01', `\n${act}`],
  ]) {
    it(`close a script connection that begins with ${what}`, async () => {
      // blank lines before it are lines of a script, and answered
      const answers = (await saidOn(scriptPort, ...pieces)).replaceAll(/^L U U N N 2 .*\nok\n/gm, '');
      expect(answers).to.equal('');
      // whatever is carried out at all is carried out before this
      expect(await saidOn(scriptPort, 'Query(Cursor)\n')).to.include('data: 0 0\n');
      expect(existsSync(mark)).to.equal(false);
    });
  }

  it('carry out what a script says that only resembles a request', async () => {
    const lines = ['Echo("GET / HTTP/1.1")', 'Echo GET', 'GET / HTTP/1.1'];
    const text = await saidOn(scriptPort, `${lines.join('\n')}\n`);
    expect(text.match(/^(data: .*|ok|error)$/gm)).to.deep.equal([
      ...['data: GET / HTTP/1.1', 'ok', 'data: GET', 'ok'],
      ...['data: Unknown action: GET', 'data: Did you mean Set?', 'error'],
    ]);
  });

  it('do not take a request for the only script of -scriptportonce', async () => {
    const port = await freePort();
    const once = spawn(process.execPath, [commandScript, 's3270', '-scriptport', String(port), '-scriptportonce']);
    const over = new Promise((resolve) => once.once('close', resolve));
    await eventually(() => saidOn(port, 'GET / HTTP/1.1\r\n\r\n').catch(() => undefined));
    expect(await saidOn(port, 'Query(Cursor)\n')).to.include('data: 0 0\n');
    await over;
  });
});
