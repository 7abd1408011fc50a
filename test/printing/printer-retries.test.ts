import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { noMetrics } from '../../src/lib/metrics.js';
import { DocumentOutput } from '../../src/printing/document-output.js';
import { HostPrinter } from '../../src/printing/host-printer.js';
import { defaultForm } from '../../src/printing/pdf-document.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { openHostConnection } from '../../src/tn3270/host/host-connection.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { eventually } from '../support/eventually.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** TN3270E, the device, and FUNCTIONS DATA-STREAM-CTL, RESPONSES, SCS-CTL-CODES. */
const AGREED = 'fffd28 fffa280802fff0 fffa280204 49424d2d333238372d31 01 505254 fff0 fffa280304 010203 fff0';
/** SCS data: A; PRINT-EOJ, always a response; the response that it was kept. */
const DOCUMENT = '01 00 00 0001 c1 ffef 08 00 02 0002 ffef';
const KEPT = '02 00 00 0002 00 ffef';

describe('a printer that connects again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-retries-'));
  const { now } = performance;
  let server: Server;
  let printer: HostPrinter;
  let lines: ReturnType<typeof recordingLog>['lines'];

  const waits = () => lines.flatMap(({ nextTryMilliseconds: wait }) => (wait === undefined ? [] : [wait]));

  async function start(accept: (socket: Socket) => void): Promise<void> {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      accept(socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const recording = recordingLog();
    lines = recording.lines;
    const codePage = findCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page 37');
    const audit = new FileAuditTrail({ file: join(folder, 'audit.jsonl') });
    printer = new HostPrinter({
      name: 'PRT',
      host: 'SIM',
      session: {
        codePage,
        deviceNames: [],
        associate: undefined,
        silenceMilliseconds: undefined,
        connect: (handler, signal) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 10_000, signal }, handler),
        startTls: undefined,
        tn3270e: true,
        keepAlive: undefined,
        negotiationMilliseconds: 10_000,
      },
      spool: undefined,
      output: new DocumentOutput({ printer: 'PRT', form: defaultForm, folder: undefined }),
      owner: 'printer PRT',
      audit: () => audit,
      log: recording.log,
      metrics: noMetrics,
      retryMilliseconds: [1, 2, 60_000],
    });
    printer.start();
  }

  afterEach(async () => {
    performance.now = now;
    await printer.stop();
    server.close();
  });
  after(() => rmSync(folder, { recursive: true }));

  it('waits as shortly as at first after each session that has printed', async () => {
    await start((socket) => {
      let heard = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        heard = Buffer.concat([heard, chunk]);
        if (heard.includes(hex(KEPT))) socket.end();
      });
      socket.write(hex(`${AGREED} ${DOCUMENT}`));
    });
    await eventually(() => waits().length >= 4 || waits().includes(60_000) || undefined);
    expect(waits().slice(0, 4)).to.deep.equal([1, 1, 1, 1]);
  });

  it('waits as shortly as at first after a session longer than the longest wait, and longer after further failures', async () => {
    const sockets: Socket[] = [];
    let agrees = true;
    await start((socket) => {
      sockets.push(socket);
      if (agrees) socket.write(hex(AGREED));
      else socket.end();
    });
    let later = 0;
    performance.now = () => now.call(performance) + later;
    const connected = (count: number) =>
      eventually(() => (sockets.length === count && printer.state === 'connected') || undefined);
    await connected(1);
    sockets[0]?.end();
    await eventually(() => waits().length === 1 || undefined);
    await connected(2);
    later = 61_000;
    agrees = false;
    sockets[1]?.end();
    // the second session was long; the third and fourth attempt find nobody who agrees
    await eventually(() => waits().length >= 4 || waits().includes(60_000) || undefined);
    expect(waits().slice(0, 4)).to.deep.equal([1, 1, 2, 60_000]);
  });
});
