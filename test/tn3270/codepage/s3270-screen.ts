import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { awaited } from '../../support/awaited.js';

const endOfRecord = [0xff, 0xef];
/** TN3270 (RFC 1576): terminal type, then end of record and binary both ways. */
const negotiation = ['fffd18', 'fffa1801fff0', 'fffd19', 'fffb19', 'fffd00', 'fffb00'].join('');
const doTimingMark = [0xff, 0xfd, 0x06];
const wontTimingMark = Buffer.of(0xff, 0xfc, 0x06);
const eraseWrite = [0xf5, 0x42];
const COLUMNS = 80;
const LONGEST_ANSWER_MILLISECONDS = 90_000;

/**
 * What s3270 shows of some orders and characters from the upper left corner on, one character for each of `length` cells.
 * The timing mark (RFC 860) tells when it has taken the record.
 */
export async function shownByS3270(codePage: string, stream: readonly number[], length: number): Promise<string[]> {
  const record = [...eraseWrite, ...stream].flatMap((byte) => (byte === 0xff ? [0xff, 0xff] : [byte]));
  const sent = Buffer.concat([
    Buffer.from(negotiation, 'hex'),
    Buffer.from([...record, ...endOfRecord, ...doTimingMark]),
  ]);
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const taken = new Promise<void>((resolve, reject) => {
    server.once('connection', (socket) => {
      let received = Buffer.alloc(0);
      socket.on('data', (bytes) => {
        received = Buffer.concat([received, bytes]);
        if (received.includes(wontTimingMark)) resolve();
      });
      socket.on('error', reject);
      socket.write(sent);
    });
  });
  const { port } = server.address() as AddressInfo;
  const emulator = spawn('s3270', ['-utf8', '-model', '3279-2', '-codepage', codePage, `127.0.0.1:${port}`]);
  const ended = once(emulator, 'exit');
  try {
    const gone = ended.then(() => Promise.reject(new Error('s3270 went away')));
    await awaited('s3270', 'the refusal of a timing mark behind the record', Promise.race([taken, gone]));
    emulator.stdin.write(`Ascii(0,0,${Math.ceil(length / COLUMNS)},${COLUMNS})\n`);
    const rows: string[] = [];
    const silent = setTimeout(() => emulator.kill('SIGKILL'), LONGEST_ANSWER_MILLISECONDS);
    let isAnswered = false;
    for await (const line of createInterface(emulator.stdout)) {
      isAnswered = line === 'ok' || line === 'error';
      if (isAnswered) break;
      if (line.startsWith('data: ')) rows.push(line.slice('data: '.length).padEnd(COLUMNS));
    }
    clearTimeout(silent);
    if (!isAnswered) throw new Error('s3270 did not answer Ascii');
    return Array.from(rows.join('')).slice(0, length);
  } finally {
    emulator.stdin.end('Quit()\n');
    emulator.kill();
    await ended;
    server.close();
  }
}
