import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { awaited } from '../support/awaited.js';
import { needS3270 } from '../support/s3270.js';
import { ownS3270, programOf, type StartS3270 } from './started-s3270.js';

const SOCKS4_GRANTED = '005a000000000000';
const SOCKS5_GRANTED = '05000001010203040007';
const HTTP_GRANTED = Buffer.from('HTTP/1.1 200 OK\r\n\r\n').toString('hex');

/** What a proxy is asked for, and what it answers to each request; '' ends the connection. */
interface Case {
  readonly proxy: string;
  readonly target?: string;
  readonly answers: readonly string[];
}

const cases: readonly Case[] = [
  { proxy: 'http:127.0.0.1:PORT', answers: [HTTP_GRANTED, ''] },
  { proxy: 'http:127.0.0.1:PORT', target: '[1:2::3]:99', answers: [HTTP_GRANTED, ''] },
  { proxy: 'http:127.0.0.1:PORT', answers: [Buffer.from('HTTP/1.1 404 Nope\r\nX: y\r\n\r\n').toString('hex')] },
  { proxy: 'http:127.0.0.1:PORT', answers: [Buffer.from('hello\r\n\r\n').toString('hex')] },
  { proxy: 'http:127.0.0.1:PORT', answers: [''] },
  { proxy: 'passthru:127.0.0.1:PORT', answers: [''] },
  { proxy: 'telnet:127.0.0.1:PORT', answers: [''] },
  { proxy: 'socks4:127.0.0.1:PORT', answers: [SOCKS4_GRANTED, ''] },
  { proxy: 'socks4:fred@127.0.0.1:PORT', answers: [SOCKS4_GRANTED, ''] },
  ...['5b', '5c', '5d', '99'].map((code) => ({
    proxy: 'socks4:127.0.0.1:PORT',
    answers: [`00${code}000000000000`],
  })),
  { proxy: 'socks4:127.0.0.1:PORT', answers: [''] },
  // a host that has no such address here
  ...['nosuch.invalid:99', '[1:2::3]:99'].map((target) => ({
    proxy: 'socks4:127.0.0.1:PORT',
    target,
    answers: [SOCKS4_GRANTED, ''],
  })),
  { proxy: 'socks5:127.0.0.1:PORT', target: 'nosuch.invalid:99', answers: ['0500', SOCKS5_GRANTED, ''] },
  { proxy: 'socks4a:127.0.0.1:PORT', target: 'foo.bar:99', answers: [SOCKS4_GRANTED, ''] },
  { proxy: 'socks5:127.0.0.1:PORT', answers: ['0500', SOCKS5_GRANTED, ''] },
  { proxy: 'socks5:127.0.0.1:PORT', target: '[1:2::3]:99', answers: ['0500', SOCKS5_GRANTED, ''] },
  { proxy: 'socks5d:127.0.0.1:PORT', target: 'foo.bar:99', answers: ['0500', '05000003036162630007', ''] },
  { proxy: 'socks5:fred:pw@127.0.0.1:PORT', answers: ['0502', '0100', SOCKS5_GRANTED, ''] },
  { proxy: 'socks5:fred:pw@127.0.0.1:PORT', answers: ['0502', '0101'] },
  ...['05ff', '0501', '0400'].map((answer) => ({ proxy: 'socks5:127.0.0.1:PORT', answers: [answer] })),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((code) => ({
    proxy: 'socks5:127.0.0.1:PORT',
    answers: ['0500', `050${code}0001010203040007`],
  })),
  { proxy: 'socks5:127.0.0.1:PORT', answers: ['0500', '04000001010203040007'] },
  { proxy: 'socks5:127.0.0.1:PORT', answers: ['0500', '05000007010203040007'] },
  { proxy: 'socks5:127.0.0.1:PORT', answers: ['0500', ''] },
  ...['foo:127.0.0.1:PORT', '127.0.0.1', 'passthru:fred@127.0.0.1:PORT'].map((proxy) => ({ proxy, answers: [] })),
];

/** What the proxy was sent, and the words about it wherever they are told: s3270 4.1 has some on standard error. */
async function seen(start: StartS3270, { proxy, target = '1.2.3.4:99', answers }: Case) {
  const sent: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const left = [...answers];
    let timer: NodeJS.Timeout | undefined;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      sent.push(chunk);
      // requests may come in two pieces
      clearTimeout(timer);
      timer = setTimeout(() => {
        const answer = left.shift();
        if (answer === undefined) return;
        if (answer === '') socket.end();
        else {
          socket.write(Buffer.from(answer, 'hex'));
          // after the last answer nothing more is asked
          if (left[0] === '' && left.length === 1) setTimeout(() => socket.end(), 100);
        }
      }, 100);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = start(['-proxy', proxy.replace('PORT', String(port))]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
    });
  }
  child.stdin.end(`Connect(${target})\nQuit()\n`);
  await awaited(child.program, `its end after -proxy ${proxy}`, once(child, 'close'), () => child.abandon());
  for (const socket of sockets) socket.destroy();
  server.close();
  const words = output
    .split('\n')
    .map((line) => line.replace(/^data: /, '').trimEnd())
    .filter((line) => line !== '' && !/^(?:[LU] [FU] |ok|error|Connection failed:|Host disconnected)/.test(line));
  return { sent: Buffer.concat(sent).toString('hex'), words };
}

describe('proxies of sallyport s3270 beside s3270', function () {
  this.timeout(60_000);
  before(function () {
    needS3270(this);
  });

  for (const one of cases) {
    it(`${one.proxy} ${one.target ?? ''} ${one.answers.join(' ').slice(0, 60)}`, async () => {
      const [real, ours] = await Promise.all([seen(programOf(['s3270']), one), seen(ownS3270, one)]);
      expect(ours).to.deep.equal(real);
    });
  }
});
