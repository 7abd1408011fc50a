import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { HostConnection } from '../../../src/tn3270/host/host-connection.js';
import { textOfPages } from '../../../src/tn3270/print/printed-page.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { needCommand } from '../../support/need.js';
import { TestPrinter } from '../../support/printing-host.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** DO STARTTLS. */
const DO = 'fffd2e';
/** SB STARTTLS FOLLOWS SE, of either side. */
const FOLLOWS = 'fffa2e01fff0';
/** DO TN3270E; SEND DEVICE-TYPE; DEVICE-TYPE IS IBM-3287-1 without a name; FUNCTIONS IS all of them (RFC 2355, section 7). */
const AGREED = 'fffd28 fffa280802fff0 fffa280204 49424d2d333238372d31 fff0 fffa280304 00010203 fff0';
const BIND = '0300000000 31010303b1903080008787f88700028000000000 18501850 7f 0000 00 ffef';
/** SCS data, no response: A, and B. */
const A = '01 00 00 0000 c1 ffef';
const B = '01 00 00 0000 c2 ffef';
/** Erase/Write with the printer started: X; Write with the printer started, and nothing else. */
const FORM = '00 00 00 0000 f5c8 e7 ffef';
const AGAIN = '00 00 00 0000 f1c8 ffef';
/** PRINT-EOJ, always a response, and the positive response to it. */
const END_OF_JOB = '08 00 02 0007 ffef';
const ENDED = '02 00 00 0007 00 ffef';

describe('a printer whose host begins TLS half-way (draft-altman-telnet-starttls)', () => {
  const files = { cert: '', key: '' };
  const servers: Server[] = [];
  const printers: TestPrinter[] = [];

  before(function () {
    needCommand(this, 'openssl');
    Object.assign(files, makeCertificate());
  });

  afterEach(() => {
    for (const printer of printers.splice(0)) printer.stop();
    for (const server of servers.splice(0)) server.close();
  });

  /** @returns the printer once it has answered the end of a job over TLS, and the text of its documents */
  async function printed(
    sends: { readonly clear: string; readonly withFollows: string; readonly secure: string },
    requiresStartTls: boolean,
  ) {
    let heard = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(hex(`${sends.clear} ${DO}`));
      let clear = Buffer.alloc(0);
      const negotiate = (chunk: Buffer) => {
        clear = Buffer.concat([clear, chunk]);
        if (!clear.includes(hex(FOLLOWS))) return;
        socket.off('data', negotiate);
        // in one write, so in one segment
        socket.write(hex(`${FOLLOWS} ${sends.withFollows}`));
        const secure = new TLSSocket(socket, {
          isServer: true,
          cert: readFileSync(files.cert),
          key: readFileSync(files.key),
        });
        secure.on('error', () => undefined);
        secure.on('data', (bytes: Buffer) => {
          heard = Buffer.concat([heard, bytes]);
        });
        secure.write(hex(sends.secure));
      };
      socket.on('data', negotiate);
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const printer = new TestPrinter((server.address() as AddressInfo).port, {
      requiresStartTls,
      startTls: (connection: HostConnection, signal: AbortSignal) =>
        connection.startTls({ ca: readFileSync(files.cert) }, signal, 5_000),
    });
    printers.push(printer);
    await eventually(() => printer.end !== undefined || heard.includes(hex(ENDED)) || undefined);
    expect(printer.end).to.equal(undefined);
    return printer.documents.map(({ pages, isComplete }) => [textOfPages(pages), isComplete]);
  }

  for (const required of [false, true]) {
    it(`keeps no record that began in clear text, STARTTLS ${required ? 'required' : 'accepted'}`, async () => {
      const secure = `${AGREED} ${BIND} ${B} ${END_OF_JOB}`;
      // SCS data that does not end: it would take up the BIND that comes over TLS
      const begun = '01 00 00 0000 c1';
      expect(await printed({ clear: begun, withFollows: '', secure }, required)).to.deep.equal([['B\n', true]]);
      expect(await printed({ clear: '', withFollows: begun, secure }, required)).to.deep.equal([['B\n', true]]);
    });
  }

  it('prints no record that came with the word that starts TLS', async () => {
    const documents = await printed(
      { clear: `${AGREED} ${BIND}`, withFollows: A, secure: `${AGREED} ${BIND} ${B} ${END_OF_JOB}` },
      false,
    );
    expect(documents).to.deep.equal([['B\n', true]]);
  });

  it('forgets the BIND, the buffer and the job of the clear text', async () => {
    const before = { clear: `${AGREED} ${BIND} ${A}`, withFollows: '' };
    expect(await printed({ ...before, secure: `${AGREED} ${B} ${END_OF_JOB}` }, false), 'no BIND').to.deep.equal([
      ['A\n', false],
    ]);
    expect(await printed({ ...before, secure: `${AGREED} ${BIND} ${B} ${END_OF_JOB}` }, false)).to.deep.equal([
      ['A\n', false],
      ['B\n', true],
    ]);
  });

  it('forgets the buffer of a host without BIND-IMAGE', async () => {
    const agreed = AGREED.replace('00010203', '010203');
    const clear = `${agreed} ${FORM}`;
    expect(await printed({ clear, withFollows: '', secure: `${agreed} ${AGAIN} ${END_OF_JOB}` }, false)).to.deep.equal([
      ['X\n', false],
    ]);
  });
});
