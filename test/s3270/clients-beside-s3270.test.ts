import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';

const PASSWORD = 'canary7';

interface Client {
  /** The command line that it starts; PORT: of the script port, where it has one. */
  readonly words: (place: Place) => readonly string[];
  readonly lines: (place: Place) => readonly string[];
}

interface Place {
  readonly host: string;
  readonly hostPort: number;
  readonly scriptPort: number;
  readonly file: string;
}

const signOn = ['Home', 'EraseEOF', 'String("demo")', 'Tab', `String("${PASSWORD}")`, 'Enter'];

/** Launch and actions of reference 10.6, through a sign-on, a menu and a list. */
const clients: Readonly<Record<string, Client>> = {
  py3270: {
    words: () => ['-xrm', 's3270.unlockDelay: False'],
    lines: ({ host, file }) => [
      ...[`Connect(${host})`, 'Wait(5, InputField)', 'Query(ConnectionState)', 'MoveCursor(7, 30)', 'DeleteField'],
      ...[
        'String("demo")',
        'MoveCursor(9, 30)',
        `String("${PASSWORD}")`,
        'Enter',
        'Wait(5, InputField)',
        'Ascii(0,0,80)',
      ],
      ...[
        'String("2")',
        'Enter',
        'Ascii(1,2,30)',
        'PF(3)',
        `PrintText(html,file,${file}.html)`,
        'Clear',
        'Disconnect',
        'Query(ConnectionState)',
      ],
    ],
  },
  'Robot Framework Mainframe3270': {
    words: () => ['-xrm', '*model: 2', '-utf8', '-xrm', 's3270.unlockDelay: False'],
    lines: ({ host }) => [
      ...[
        `Connect(${host})`,
        'Wait(30, InputField)',
        'ignore',
        'Query(Cursor)',
        'Ascii(0,0,80)',
        'BackTab',
        'Tab',
        'BackTab',
      ],
      ...[
        'DeleteField',
        'String("demo")',
        'Tab',
        `String("${PASSWORD}")`,
        'Enter',
        'ignore',
        'Wait(30, Unlock)',
        'Query(Cursor)',
      ],
      ...[
        'String("2")',
        'Delete',
        'Enter',
        'ascii(0,0,1920)',
        'PF(8)',
        'Wait(1, Output)',
        'Query(Formatted)',
        'Disconnect',
      ],
    ],
  },
  p3270: {
    words: ({ hostPort, file }) => [
      ...['-model', '2', '-port', String(hostPort), '-charset', 'cp037', '-trace', '-tracefile', file, '-noverifycert'],
    ],
    lines: ({ host, file }) => [
      ...[`Connect(B:${host})`, 'Wait(5,3270mode)', 'Wait(5,InputField)', 'NoOpCommand', ...signOn, 'Wait(5,Unlock)'],
      ...['Ascii(0,0,40)', 'Ascii(0,0,3,40)', 'Key(2)', 'Erase', 'Key(2)', 'DeleteWord'],
      ...[
        'Key(2)',
        'Enter',
        'PrintText(string)',
        `PrintText(string,file,${file}.txt)`,
        `PrintText(file,${file}.txt)`,
        `PrintText(html,file,${file}.html)`,
        'PF(3)',
        'PA(1)',
        'NoOpCommand',
      ],
      ...['Disconnect', 'Wait(1,Disconnect)'],
    ],
  },
  'x3270if and Python’s x3270if': {
    words: ({ scriptPort }) => ['-utf8', '-minversion', '3.6', '-scriptport', String(scriptPort), '-scriptportonce'],
    lines: ({ host }) => [
      ...[
        `Open(${host})`,
        'Wait(InputField)',
        'Snap()',
        'Snap(Ascii,0,0,40)',
        'Snap(Status)',
        ...signOn,
        'Wait(5,Unlock)',
      ],
      ...[
        'Snap(Save)',
        'Snap(Rows)',
        'Ascii(0,0,80)',
        'ReadBuffer(Ascii)',
        'ReadBuffer(Ebcdic)',
        'PF(3)',
        'Query(Cursor)',
      ],
    ],
  },
  '3270Connect': {
    words: ({ host, scriptPort }) => [
      ...['-utf8', '-scriptport', String(scriptPort), '-xrm', 's3270.unlockDelay: False', '-model', '2', host],
    ],
    lines: () => [
      ...['Wait(5,InputField)', 'Snap(Save)', 'Snap(Rows)', 'Snap(Cols)', 'Ascii(0,0,10)', ...signOn, 'Wait(5,Unlock)'],
      ...['Ascii(0,0,24,80)', 'String("2")', 'Enter', 'PF(8)', 'PF(3)'],
    ],
  },
  '3270Web': {
    words: ({ host }) => ['-model', '3279-2-E', '-set', 'unlockDelay=false', host],
    lines: () => [
      ...[
        'Wait(5,InputField)',
        '',
        'readbuffer ascii',
        'movecursor 7 30',
        'eraseeof',
        'key(0x64)',
        'key(0x65)',
        'key(0x6d)',
        'key(0x6f)',
      ],
      ...[
        'movecursor 9 30',
        ...[...PASSWORD].map((letter) => `key(0x${letter.charCodeAt(0).toString(16)})`),
        'enter',
        'wait(5,unlock)',
      ],
      ...['readbuffer ascii', '', 'pf(3)', 'pa(2)'],
    ],
  },
  'xk6-tn3270 and locust': {
    words: () => ['-utf8'],
    lines: ({ host }) => [
      ...[
        `Connect(${host})`,
        'Wait(5,InputField)',
        ...signOn,
        'Wait(5,InputField)',
        'Ascii()',
        'PF(3)',
        'Wait(1,Unlock)',
        'Disconnect',
      ],
    ],
  },
};

describe('clients of s3270', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-clients-'));
  /** One each: they give out the same logical units. */
  const hosts: SimulatedHost[] = [];
  const ports: number[] = [];

  before(async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const now = () => new Date('2026-11-23T08:00:00Z');
    for (let count = 0; count < 2; count++) {
      const host = new SimulatedHost({ codePage, users: { DEMO: PASSWORD }, start: 'SIGNON', now });
      hosts.push(host);
      ports.push((await host.listen({ host: '127.0.0.1', port: 0 })).port);
    }
  });
  after(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    rmSync(folder, { recursive: true });
  });

  for (const [name, client] of Object.entries(clients)) {
    it(`are answered as s3270 answers them: ${name}`, async function () {
      needS3270(this);
      const places = await Promise.all(
        ports.map(async (hostPort, at) => ({
          host: `127.0.0.1:${hostPort}`,
          hostPort,
          scriptPort: await freePort(),
          file: join(folder, `${at}-${name.replace(/\W+/g, '-')}`),
        })),
      );
      const [theirs, ours] = await Promise.all([
        transcript('s3270', [], client, places[0] as Place),
        transcript(process.execPath, [commandScript, 's3270'], client, places[1] as Place),
      ]);
      expect(ours.join('')).to.equal(theirs.join(''));
      expect(theirs).to.have.lengthOf.at.least(client.lines(places[0] as Place).length - 1);
      for (const kind of ['.txt', '.html'].filter((one) => existsSync(`${places[0]?.file}${one}`)))
        expect(readFileSync(`${places[1]?.file}${kind}`, 'utf8')).to.equal(
          readFileSync(`${places[0]?.file}${kind}`, 'utf8'),
        );
    });
  }
});

/** @returns each line with its answer, without times and ports */
async function transcript(command: string, words: readonly string[], client: Client, place: Place): Promise<string[]> {
  const given = client.words(place);
  const program = nameOfProgram([command, ...words]);
  const child = spawn(command, [...words, ...given], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const channel = given.includes('-scriptport')
    ? await awaited(program, 'its script port', scriptPort(child, place.scriptPort), () => child.kill('SIGKILL'))
    : undefined;
  let output = '';
  let answered: () => void = () => undefined;
  (channel ?? child.stdout).setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (/^(?:ok|error)\n$/m.test(output)) answered();
  });
  const over = (channel === undefined ? ended : once(channel, 'close')).then(() => answered());
  const answers: string[] = [];
  for (const line of client.lines(place)) {
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    (channel ?? child.stdin).write(`${line}\n`);
    await awaited(program, `an answer to ${line}`, Promise.race([answer, over]), () => child.kill('SIGKILL'));
    answers.push(`${even(line, place)}\n${even(output, place)}`);
    output = '';
  }
  child.stdin.end();
  child.kill();
  await awaited(program, 'its end', ended, () => child.kill('SIGKILL'));
  return answers;
}

/** Connects as soon as it is listened. */
async function scriptPort(child: ChildProcess, port: number): Promise<Duplex> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (isThere) return socket;
  }
  throw new Error(`it has ended with ${child.exitCode}`);
}

function even(text: string, { hostPort, file }: Place): string {
  return text
    .replaceAll(/^(.* 0x0) \d+\.\d{3}$/gm, '$1')
    .replaceAll(String(hostPort), 'PORT')
    .replaceAll(file, 'FILE');
}
