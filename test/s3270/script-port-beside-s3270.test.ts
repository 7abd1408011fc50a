import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { transcriptOf } from './transcript.js';

const ownProgram = [process.execPath, commandScript, 's3270'];
const withoutTimes = (text: string) => text.replaceAll(/ \d+\.\d{3}$/gm, '');

/** What a program answers to a script that it calls back, which says nothing more behind its text. */
async function answerOf(command: readonly string[], text: string, form: string): Promise<string> {
  const [program = '', ...first] = command;
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = spawn(program, [...first, '-callback', form.replace('PORT', String(port))], { stdio: 'ignore' });
  const ended = once(child, 'close');
  const owes = <Found>(what: string, found: Promise<Found>) =>
    awaited(nameOfProgram(command), what, found, () => child.kill('SIGKILL'));
  const [socket] = (await owes('its call', once(server, 'connection'))) as [Socket];
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
  });
  const read = once(socket, 'close');
  socket.end(text);
  const [code] = await owes(`its end after ${text}`, ended);
  await owes('the end of its call', read);
  server.close();
  return `${withoutTimes(answer)}${code}`;
}

/** Undefined where it is not listened to yet: the file is there before that. */
async function connectedTo(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  return once(socket, 'connect').then(
    () => socket,
    () => undefined,
  );
}

/** What a program answers to a script on its socket of the file system, and to one on standard input; and what it leaves behind. */
async function answersOnSocket(command: readonly string[], options: readonly string[]) {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, '-socket', ...options]);
  const path = `/tmp/x3sck.${child.pid}`;
  const told = { error: '', standard: '', socket: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told.error += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told.standard += text;
  });
  child.stdin.end('Query(Model)\n');
  const owes = <Found>(what: string, found: Promise<Found>) =>
    awaited(nameOfProgram(command), what, found, () => child.kill('SIGKILL'));
  const socket = await owes(
    `its socket ${path}`,
    eventually(() => connectedTo(path)),
  );
  socket.setEncoding('utf8').on('data', (text) => {
    told.socket += text;
  });
  const ended = once(child, 'close');
  socket.write('Query(Model)\nSet(scriptPort)\nFoo()\nCloseScript()\n');
  await owes('the end of a script after CloseScript', once(socket, 'close'));
  const hasStayed = child.exitCode === null && existsSync(path);
  connect(path).end('Quit\n').resume();
  const [code] = await owes('its end after Quit', ended);
  return { ...told, socket: withoutTimes(told.socket), hasStayed, code, isLeft: existsSync(path) };
}

describe('scripts on a connection beside s3270', () => {
  for (const [what, text, form = 'PORT'] of [
    ['line by line', 'Query(Model)\nFoo()\n\nQuery(Cursor)\r\n'],
    ['a last line without an end, which is left out', 'Query(Model)\nQuery(Cur'],
    ['an action that takes longer than the script talks', 'Wait(0.2,Seconds)\nQuery(Model)\n'],
    ['an end of its own, which is answered', 'Query(Model)\nCloseScript\n'],
    ['an address', 'Query(Model)\n', '127.0.0.1:PORT'],
    ['a port behind no address', 'Query(Model)\n', ':PORT'],
  ] as const) {
    it(`are answered in the same way: ${what}`, async function () {
      needS3270(this);
      const own = await answerOf(ownProgram, text, form);
      expect(own).to.equal(await answerOf(['s3270'], text, form));
    });
  }

  it('are answered in the same way on a socket of the file system', async function () {
    needS3270(this);
    expect(await answersOnSocket(ownProgram, [])).to.deep.equal(await answersOnSocket(['s3270'], []));
  });

  it('have ports that are set while the terminal runs, told in the same way', async function () {
    needS3270(this);
    const [one, other] = [await freePort(), await freePort()];
    const actions = [
      `Set(httpd,${one})`,
      'Set(httpd)',
      `Set(scriptPort,[::1]:${other})`,
      'Set(scriptPort)',
      `Set(httpd,*:${one})`,
      'Set(httpd)',
      `Toggle(httpd,${other})`,
      'Set(httpd)',
      `Set(scriptPort,${other})`,
      'Set(httpd,0)',
      'Set(httpd)',
      'Set(httpd,1.2.3.4:1)',
      'Set(scriptPort,99999)',
      'Set(httpd,x)',
      'Set(httpd,"",scriptPort,"")',
      'Set(httpd)',
      'Set(scriptPort)',
    ];
    expect(await transcriptOf(ownProgram, [], actions)).to.equal(await transcriptOf(['s3270'], [], actions));
  });
});
