import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { commandScript } from '../support/project.js';

/** Lines of standard output without status and times, and those of standard error. */
async function run(words: readonly string[], actions: readonly string[]) {
  return new Promise<{ readonly data: readonly string[]; readonly error: string; readonly code: number }>((resolve) => {
    const child = execFile(process.execPath, [commandScript, 's3270', ...words], (failure, output, error) => {
      const data = output.split('\n').filter((line) => line !== '' && !/^[LU] [FU] /.test(line));
      resolve({ data, error, code: typeof failure?.code === 'number' ? failure.code : 0 });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(actions.map((action) => `${action}\n`).join(''));
  });
}

/** Someone who is connected with and says nothing. */
async function silent() {
  const server = createServer((socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

/** A port where nobody listens any more. */
async function unused(): Promise<number> {
  const { port, server } = await silent();
  server.close();
  await once(server, 'close');
  return port;
}

const failed = (...words: readonly string[]) => [
  ...['Connection failed:', ...words].map((line) => `data: ${line}`),
  'error',
];

/** Words of s3270 4.1, seen where its memory is kept whole: without that it writes garbage in their place. */
describe('connections of s3270 that fail', () => {
  it('are told by host, port, and what the system says', async () => {
    const port = await unused();
    const { data } = await run([], [`Connect(127.0.0.1:${port})`, 'Connect(nosuch.invalid:99)', 'Connect([::1]:0)']);
    expect(data).to.deep.equal([
      ...failed(`Connect() to 127.0.0.1, port ${port}: Connection refused`),
      ...failed('nosuch.invalid/99:', 'Name or service not known'),
      ...["data: Invalid port '0'", 'error'],
    ]);
  });

  it('are told of a proxy', async () => {
    const port = await unused();
    const { data } = await run(['-proxy', `http:127.0.0.1:${port}`], ['Connect(nosuch.invalid)']);
    expect(data).to.deep.equal(failed(`Connect() to proxy 127.0.0.1, port ${port}: Connection refused`));
    const { port: open, server } = await silent();
    const late = await run(['-connecttimeout', '1', '-proxy', `http:127.0.0.1:${open}`], ['Connect(nosuch.invalid)']);
    server.close();
    expect(late.data).to.deep.equal(failed('http proxy timed out'));
  });

  it('are told where an address is none of the family that is asked for', async () => {
    const words = 'Address family for hostname not supported';
    expect((await run(['-6'], ['Connect(127.0.0.1)'])).data).to.deep.equal(failed('127.0.0.1/23:', words));
    expect((await run(['-4'], ['Connect([::1]:99)'])).data).to.deep.equal(failed('::1/99:', words));
  });

  it('end the program where the command line names the host, unless it is to be tried again', async () => {
    const port = await unused();
    const words = `Connection failed:\nConnect() to 127.0.0.1, port ${port}: Connection refused\n`;
    const once = await run([`127.0.0.1:${port}`], ['Query(ConnectionState)']);
    expect(once).to.deep.equal({ data: [], error: words, code: 1 });
    for (const how of [['-reconnect'], ['-set', 'retry']]) {
      const again = await run(
        [...how, `127.0.0.1:${port}`],
        ['Query(ConnectionState)', 'Connect(127.0.0.1)', 'Disconnect', 'Query(ConnectionState)'],
      );
      expect(again).to.deep.equal({
        data: [
          ...['data: reconnecting', 'ok', 'data: Reconnect in progress', 'error'],
          ...['ok', 'data: not-connected', 'ok'],
        ],
        error: words,
        code: 0,
      });
    }
  });
});
