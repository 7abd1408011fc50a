import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { transcriptOf } from './transcript.js';

const programs = [['s3270'], [process.execPath, commandScript, 's3270']] as const;

describe('waits and ports beside s3270', () => {
  before(function () {
    needS3270(this);
  });

  it('say the same of waits without a host', async () => {
    const actions = [
      ...['Wait(Output)', 'Wait(0,Output)', 'wait(OUTPUT)', 'Wait(1e3,Output)', 'Wait(0x1,Output)', 'Wait( 1,Output)'],
      ...[
        'Wait(+1,Output)',
        'Wait(.5,Output)',
        'Wait(.1,Seconds)',
        'Wait(1x,Seconds)',
        'Wait(-1,Output)',
        'Wait(3270Mod)',
      ],
      ...['Wait', 'Wait(1)', 'Wait(-1)', 'Wait(1,2,3)', 'Wait(Seconds,1)', 'Wait(0,Unlock)', 'Wait(1,Disconnect)'],
      ...['Wait("")', 'Wait(1,"")', 'Wait(output,output)', 'Wait(1,1,Output)', 'Wait(nan,Output)', 'Wait(In)'],
      // behind a screen that was read there is something to wait for
      ...['Ascii(0,0,1)', 'Wait(Output)', 'Wait(1,Output)'],
    ];
    const [real, own] = await Promise.all(programs.map((program) => transcriptOf(program, ['-model', '2'], actions)));
    expect(own).to.equal(real);
  });

  it('tell of a port that cannot be had, and go on with the host', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      for (const words of [
        ...[['-scriptport', 'foo'] as const, ['-httpd', '99999'] as const],
        ...[['-scriptport', taken] as const, ['-httpd', taken] as const],
      ]) {
        const [real, own] = await Promise.all(programs.map((program) => toldBy(program, words)));
        expect(own, words.join(' ')).to.equal(real);
        expect(real).to.not.equal('');
      }
    } finally {
      other.close();
    }
  });
});

/** What a program has told that a host was connected with, asked many questions, and got an answer to each. */
async function toldBy([program, ...first]: readonly string[], words: readonly string[]): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child: ChildProcess = spawn(program ?? '', [...first, ...words, host], { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const over = once(child, 'close');
  const name = nameOfProgram([program ?? '', ...first]);
  const owes = <Found>(what: string, found: Promise<Found>) => awaited(name, what, found, () => child.kill('SIGKILL'));
  const [socket] = await owes('a connection with its host', connected);
  server.close();
  socket.on('error', () => undefined);
  // a terminal, and its first screen
  socket.write(Buffer.from('fffd18fffa1801fff0fffd19fffb19fffd00fffb00f5c31140401d40c1c1ffef', 'hex'));
  for (let option = 60; option < 100; option++) {
    const refusal = Buffer.of(0xff, 0xfc, option);
    socket.write(Buffer.of(0xff, 0xfd, option));
    for (let sent = Buffer.of(); !sent.includes(refusal); )
      sent = Buffer.concat([sent, (await owes(`a refusal of option ${option}`, once(socket, 'data')))[0]]);
  }
  child.kill();
  await owes('its end', over);
  socket.destroy();
  return told;
}
