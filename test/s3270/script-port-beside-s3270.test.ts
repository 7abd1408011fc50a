import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';

/** What a program answers to a script that it calls back, which says nothing more behind its text. */
async function answerOf([program = '', ...first]: readonly string[], text: string, form: string): Promise<string> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = spawn(program, [...first, '-callback', form.replace('PORT', String(port))], { stdio: 'ignore' });
  const ended = once(child, 'close');
  const [socket] = (await once(server, 'connection')) as [Socket];
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
  });
  socket.end(text);
  const [code] = await ended;
  server.close();
  return `${answer.replaceAll(/ \d+\.\d{3}$/gm, '')}${code}`;
}

describe('scripts on a connection beside s3270', () => {
  for (const [what, text, form = 'PORT'] of [
    ['line by line', 'Query(Model)\nFoo()\n\nQuery(Cursor)\r\n'],
    ['a last line without an end, which is left out', 'Query(Model)\nQuery(Cur'],
    ['an end of its own, which is answered', 'Query(Model)\nCloseScript\n'],
    ['an address', 'Query(Model)\n', '127.0.0.1:PORT'],
    ['a port behind no address', 'Query(Model)\n', ':PORT'],
  ] as const) {
    it(`are answered in the same way: ${what}`, async function () {
      needS3270(this);
      const own = await answerOf([process.execPath, commandScript, 's3270'], text, form);
      expect(own).to.equal(await answerOf(['s3270'], text, form));
    });
  }
});
