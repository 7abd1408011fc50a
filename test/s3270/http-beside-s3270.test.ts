import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';

const HOST = 'Host: localhost\r\n';
const get = (path: string, headers = HOST) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

/** What an answer says: its status, the type of its body, where it leads, whether the connection goes on, and the text of the body. */
interface Said {
  readonly status: string;
  readonly type: string;
  readonly location: string;
  readonly isLast: boolean;
  readonly text: string;
}

function saidIn(answer: string): Said {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const header = (name: string) => new RegExp(`^${name}: *([^\\r;]*)`, 'im').exec(head)?.[1] ?? '';
  const body = rest.join('\r\n\r\n');
  return {
    status: /^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? '',
    type: header('Content-Type'),
    location: header('Location'),
    isLast: header('Connection') === 'close',
    text: textOf(body, header('Content-Type')),
  };
}

/** Of a page without its tags; the last line of s3270's pages names s3270. */
function textOf(body: string, type: string): string {
  const text = body.replaceAll('\r\n', '\n').replaceAll(/(0x0) \d+\.\d{3}/g, '$1');
  if (type !== 'text/html') return text;
  const shown = /<body>([\s\S]*?)(?:<hr>|<\/body>)/.exec(text)?.[1] ?? '';
  return shown
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

class HttpTerminal {
  readonly #program: string;
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(program: string, child: ChildProcess, port: number) {
    this.#program = program;
    this.#child = child;
    this.port = port;
  }

  static async start(command: readonly string[]): Promise<HttpTerminal> {
    const [program = '', ...words] = command;
    const port = await freePort();
    const child = spawn(program, [...words, '-httpd', String(port)], { stdio: 'ignore' });
    const listening = eventually(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined));
    await awaited(nameOfProgram(command), `its HTTP port ${port}`, listening, () => child.kill('SIGKILL'));
    return new HttpTerminal(nameOfProgram(command), child, port);
  }

  /** The first answer to some bytes. */
  async answerTo(request: string): Promise<Said> {
    const socket = connect(this.port, '127.0.0.1');
    const answer = this.#read(socket, request);
    return awaited(this.#program, `an answer to ${request.slice(0, 80)}`, answer, () => socket.destroy());
  }

  async #read(socket: Socket, request: string): Promise<Said> {
    const connected = once(socket, 'connect');
    socket.on('error', () => undefined);
    await connected;
    socket.write(request);
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      answer += chunk;
      const [head = '', body] = answer.split(/\r\n\r\n([\s\S]*)/);
      const length = /^Content-Length: (\d+)/im.exec(head)?.[1];
      if (body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)) break;
    }
    socket.destroy();
    return saidIn(answer);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const over = once(this.#child, 'close');
    this.#child.kill();
    await awaited(this.#program, 'its end', over, () => this.#child.kill('SIGKILL'));
  }
}

describe('requests beside s3270', () => {
  let real: HttpTerminal;
  let ours: HttpTerminal;

  before(async function () {
    needS3270(this);
    [real, ours] = await Promise.all([
      HttpTerminal.start(['s3270']),
      HttpTerminal.start([process.execPath, commandScript, 's3270']),
    ]);
  });
  after(() => Promise.all([real?.end(), ours?.end()]));

  for (const path of [
    ...['/', '/3270', '/3270/', '/3270/rest', '/nowhere', '/nowhere/<b>&"', '/3270/screen.html/x', '/3270/rest/foo'],
    // s3270 4.1 has another word at stext without a slash
    ...['text', 'text/', 'html', 'html/', 'stext/'].map((form) => `/3270/rest/${form}`),
    ...['text', 'html', 'stext'].flatMap((form) => [
      `/3270/rest/${form}/Query(Model)`,
      `/3270/rest/${form}/Query(Model)%20Query(Cursor)`,
      `/3270/rest/${form}/Query(Model)%20Foo()%20Query(Cursor)`,
      `/3270/rest/${form}/Foo()`,
      `/3270/rest/${form}/Foo(`,
      `/3270/rest/${form}/Wait(Foo)`,
      `/3270/rest/${form}/Query(%22Model%22)?a=b`,
      `/3270/rest/${form}/Query(Model)#b`,
    ]),
    ...['/3270/interact.html?action=Foo()', '/3270/rest/text/%ff'],
  ]) {
    it(`are answered in the same way: ${path}`, async () => {
      expect(await ours.answerTo(get(path))).to.deep.equal(await real.answerTo(get(path)));
    });
  }

  /** s3270 4.1 is not asked for pages with a screen: its information row has memory that nothing has written, and some requests end it. */
  for (const [path, heading, marks, result] of [
    ['/3270/screen.html', '', ' ', ''],
    ['/3270/interact.html', 'Action and parameters: ', ' ', ''],
    ['/3270/interact.html?action=', 'Action and parameters: ', ' ', ''],
    ['/3270/interact.html?a=b', 'Action and parameters: ', ' ', ''],
    [
      '/3270/interact.html?action=Query(Model)',
      'Action and parameters: ',
      ' s ',
      ' Status L U U N N 4 24 80 0 0 0x0 Result IBM-3279-4-E',
    ],
  ] as const) {
    it(`show the screen and its information row: ${path}`, async () => {
      expect(await ours.answerTo(get(path))).to.deep.equal({
        status: '200',
        type: 'text/html',
        location: '',
        isLast: false,
        text: `${heading}4A? X Not Connected${marks}001/001${result}`,
      });
    });
  }

  for (const [what, request] of [
    ['another verb', `PUT / HTTP/1.1\r\n${HOST}\r\n`],
    ['no host name', get('/3270/rest/text/Query(Model)', '')],
    ['HTTP 1.0', 'GET /3270/rest/text/Query(Model) HTTP/1.0\r\n\r\n'],
    ['HTTP 1.0 that wants to go on', 'GET /3270/rest/text/Query(Model) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ['the last of a connection', get('/3270/rest/text/Query(Model)', `${HOST}Connection: close\r\n`)],
  ] as const) {
    it(`are answered in the same way: ${what}`, async () => {
      expect(await ours.answerTo(request)).to.deep.equal(await real.answerTo(request));
    });
  }

  /** s3270 4.1 has another sentence for some. */
  for (const [what, request] of [
    ['a percent sign with one digit', get('/3270/rest/text/%0')],
    ['a percent sign without digits', get('/3270/rest/text/%zz')],
    ['a path without a slash', get('3270')],
    ['a verb in lower case', `get / HTTP/1.1\r\n${HOST}\r\n`],
    ['a field without a colon', get('/', `${HOST}foo\r\n`)],
    ['a word too many', `GET / HTTP/1.1 x\r\n${HOST}\r\n`],
    ['fields that are too long', get('/', `${HOST}X: ${'x'.repeat(70_000)}\r\n`)],
  ] as const) {
    it(`are refused, and the connection ends: ${what}`, async () => {
      const refused = ({ status, type, isLast }: Said) => [status, type, isLast];
      const found = await ours.answerTo(request);
      expect(refused(found)).to.deep.equal(['400', 'text/html', true]);
      const { status } = await real.answerTo(request);
      // s3270 4.1 answers some without a head
      expect(status).to.be.oneOf(['400', '']);
    });
  }

  it('without a body are answered by their head alone', async () => {
    const path = '/3270/rest/text/Query(Model)';
    const response = await fetch(`http://127.0.0.1:${ours.port}${path}`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).to.deep.equal([
      200,
      '14',
      '',
    ]);
  });
});
