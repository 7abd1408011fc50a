import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { RawConnection, statusOf } from '../lines/listener/raw-connection.js';
import { rounds } from '../support/rounds.js';
import { copyOfShippedSite } from '../support/site.js';

/** Of the JavaScript heap; a server that begins every request it is sent needs more within a second. */
const HEAP_MEGABYTES = 96;
const FLOODS = rounds(4, 2);
const FLOOD_BYTES = 20_000_000;
/** Answers on another connection in which a flood gets rid of no byte: the server has stopped reading it. */
const ANSWERS_WITHOUT_PROGRESS = 30;

describe('pipelined requests whose answers nobody reads', () => {
  for (const target of ['/', '/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD']) {
    it(`leave the server standing, and others are served: GET ${target}`, async () => {
      // nobody listens on port 9 of a test machine: each scenario runs, fails to connect, and answers
      const folder = copyOfShippedSite({ service: '127.0.0.1:9', maxTime: 1_000 });
      const server = new SallyportProcess(['serve', '--log-level', 'warn'], folder, [
        `--max-old-space-size=${HEAP_MEGABYTES}`,
      ]);
      const floods: RawConnection[] = [];
      try {
        const [, port] = await server.prints(/C-HTTP +http:\/\/127\.0\.0\.1:(\d+)/);
        const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
        const requests = Buffer.from(request.repeat(Math.ceil(FLOOD_BYTES / request.length)));
        for (let count = 0; count < FLOODS; count++) {
          const flood = await RawConnection.open(Number(port));
          flood.socket.pause();
          // in pieces: the length of what is not with the operating system tells the progress
          for (let at = 0; at < requests.length; at += 65_536) flood.socket.write(requests.subarray(at, at + 65_536));
          floods.push(flood);
        }
        const unsent = () => floods.map(({ socket }) => socket.writableLength).join();
        for (let before = '', same = 0; same < ANSWERS_WITHOUT_PROGRESS; before = unsent()) {
          expect(await answerOn(Number(port), '/WS1.HTML')).to.equal(200);
          same = before === unsent() ? same + 1 : 0;
        }
        for (const { socket } of floods) expect(socket.writableLength).to.be.greaterThan(FLOOD_BYTES / 2);
      } finally {
        for (const flood of floods) flood.close();
        server.child.kill();
        await server.finished;
        rmSync(folder, { recursive: true });
      }
      expect(server.stderr).to.equal('');
    }).timeout(120_000);
  }
});

async function answerOn(port: number, path: string): Promise<number> {
  const connection = await RawConnection.open(port);
  await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return statusOf(await connection.untilClosed());
}
