import { expect } from 'chai';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { textOfPages } from '../../../src/tn3270/print/printed-page.js';
import { eventually } from '../../support/eventually.js';
import { PrintingHost, TestPrinter } from '../../support/printing-host.js';
import { ScriptedHost } from '../../support/scripted-host.js';

const codePage = findCodePage('cp037') as NonNullable<ReturnType<typeof findCodePage>>;
const scs = (text: string) => ({ stream: 'scs', records: [codePage.encode(text)] }) as const;

/** DO TN3270E; SEND DEVICE-TYPE (RFC 2355, section 7.1.1). */
const ASKED = 'fffd28 fffa280802fff0';
/** DEVICE-TYPE IS IBM-3287-1 CONNECT PRT. */
const DEVICE = 'fffa280204 49424d2d333238372d31 01 505254 fff0';
/** FUNCTIONS IS BIND-IMAGE, DATA-STREAM-CTL, RESPONSES, SCS-CTL-CODES. */
const FUNCTIONS = 'fffa280304 00010203 fff0';
/** FUNCTIONS IS DATA-STREAM-CTL, RESPONSES, SCS-CTL-CODES: without BIND-IMAGE. */
const FUNCTIONS_WITHOUT_BIND = 'fffa280304 010203 fff0';
const BIND = '0300000000 31010303b1903080008787f88700028000000000 18501850 7f 0000 00 ffef';
/** SCS data, always a response, number 1: A. */
const A = '01 00 02 0001 c1 ffef';
/** PRINT-EOJ, always a response, number 2. */
const END_OF_JOB = '08 00 02 0002 ffef';

describe('a printer session', () => {
  describe('with the simulated host', () => {
    let host: PrintingHost;
    const printers: TestPrinter[] = [];
    const printer = (options: ConstructorParameters<typeof TestPrinter>[1]) => {
      const made = new TestPrinter(host.port, options);
      printers.push(made);
      return made;
    };

    before(async () => {
      host = await PrintingHost.start();
    });

    after(async () => {
      for (const each of printers) each.stop();
      await host.close();
    });

    it('has the logical unit that the host chooses, that it asks for, or that of a display', async () => {
      expect(await printer({}).connected()).to.match(/^PRT\d{5}$/);
      expect(await printer({ deviceNames: ['LU1'] }).connected()).to.equal('LU1');
      expect(await printer({ associate: host.displayName }).connected()).to.equal(`P${host.displayName.slice(1)}`);
    });

    it('is refused in words of RFC 2355, and asks for the next name first', async () => {
      const refused = async (options: ConstructorParameters<typeof TestPrinter>[1]) => printer(options).ended();
      expect(await refused({ associate: 'NOBODY' })).to.equal(
        'deviceRefused: the printer of NOBODY: it is not a display with a printer',
      );
      expect(await refused({ deviceNames: ['LU1'] })).to.equal('deviceRefused: logical unit LU1: it is in use');
      expect(await refused({ deviceNames: [host.displayName] })).to.equal(
        `deviceRefused: logical unit ${host.displayName}: it is a device of another type`,
      );
      expect(await printer({ deviceNames: ['LU1', 'LU2'] }).connected()).to.equal('LU2');
    });

    it('says that it is not ready, and that a document could not be kept', async () => {
      const ours = printer({ deviceNames: ['LU3'] });
      ours.isReady = false;
      expect(await host.print('LU3', scs('LOST'))).to.deep.equal({ kind: 'refused', code: 1 });
      ours.isReady = true;
      ours.keeps = false;
      expect(await host.print('LU3', scs('LOST, TOO'))).to.deep.equal({ kind: 'refused', code: 1 });
      ours.keeps = true;
      expect(await host.print('LU3', scs('KEPT'))).to.deep.equal({ kind: 'printed' });
      expect(textOfPages(ours.documents.at(-1)?.pages ?? [])).to.equal('KEPT\n');
    });

    it('rejects what is no command, what cannot be read, and orders that are wrong', async () => {
      const ours = printer({ deviceNames: ['LU4'] });
      const answer = (record: string) =>
        host.print('LU4', { stream: '3270', records: [Uint8Array.from(Buffer.from(record, 'hex'))] });
      expect(await answer('c1')).to.deep.equal({ kind: 'refused', code: 0 });
      expect(await answer('f2')).to.deep.equal({ kind: 'refused', code: 0 });
      expect(await answer('f5c8113fff')).to.deep.equal({ kind: 'refused', code: 2 });
      expect(await answer(`f5c8${'3c0000c1'.repeat(100)}`)).to.deep.equal({ kind: 'refused', code: 2 });
      expect(ours.faults).to.have.length(4);
    });

    it('ends when it is stopped', async () => {
      const ours = printer({ deviceNames: ['LU5'] });
      expect(await ours.connected()).to.equal('LU5');
      ours.stop();
      expect(await ours.ended()).to.equal('stopped');
      expect(ours.session.isConnected).to.equal(false);
    });

    it('keeps what was printed of a job that the connection cut off, as incomplete', async () => {
      const cut = await PrintingHost.start({ limits: { endMilliseconds: 100 } });
      const ours = new TestPrinter(cut.port, { deviceNames: ['CUT'] });
      await ours.connected();
      // the second record is none: the job ends without PRINT-EOJ
      const job = { stream: '3270', records: [Uint8Array.of(0xf5, 0xc8, 0xc1, 0x19), Uint8Array.of(0xc1)] } as const;
      expect(await cut.print('CUT', job)).to.deep.equal({ kind: 'refused', code: 0 });
      await cut.close();
      await ours.ended();
      expect(ours.documents.map(({ pages, isComplete }) => [textOfPages(pages), isComplete])).to.deep.equal([
        ['A\n', false],
      ]);
    });
  });

  describe('byte by byte', () => {
    let host: ScriptedHost;
    let printer: TestPrinter;

    beforeEach(async () => {
      host = new ScriptedHost();
      printer = new TestPrinter(await host.listen());
      await host.send(ASKED);
      // WILL TN3270E; DEVICE-TYPE REQUEST IBM-3287-1
      await host.hears('fffb28 fffa280207 49424d2d333238372d31 fff0');
      await host.send(DEVICE);
      // FUNCTIONS REQUEST
      await host.hears('fffa280307 00010203 fff0');
    });

    afterEach(async () => {
      printer.stop();
      await host.close();
    });

    it('answers each record, and the end of a job once its document is kept (RFC 2355, section 10.4)', async () => {
      await host.send(`${FUNCTIONS} ${BIND} ${A}`);
      await host.hears('02 00 00 0001 00 ffef');
      await host.send(END_OF_JOB);
      await host.hears('02 00 00 0002 00 ffef');
      expect(printer.documents.map(({ pages }) => textOfPages(pages))).to.deep.equal(['A\n']);
      // nothing is wrong with a job without paper; it is answered in its turn, before what stands behind it (a Query)
      await host.send('08 00 02 0003 ffef 00 00 02 0004 f3 0005 01 ffff 02 ffef');
      await host.hears('02 00 00 0003 00 ffef 00 00 00 0000 88');
      await host.hears('02 00 00 0004 00 ffef');
      expect(printer.documents).to.have.length(1);
    });

    it('prints nothing before a BIND, where that was agreed, and ends the job at an UNBIND', async () => {
      await host.send(`${FUNCTIONS} ${A} ${BIND} 01 00 02 0004 c2 ffef 04 00 02 0005 01 ffef`);
      await host.hears('02 00 00 0005 00 ffef');
      expect(printer.documents.map(({ pages }) => textOfPages(pages))).to.deep.equal(['B\n']);
      expect(host.received.includes(Buffer.from('0200000001', 'hex'))).to.equal(false);
    });

    it('prints nothing after an UNBIND, and prints again after the next BIND', async () => {
      await host.send(`${FUNCTIONS} ${BIND} ${A} 04 00 00 0000 01 ffef 01 00 02 0008 c2 ffef 08 00 02 0009 ffef`);
      await host.hears('02 00 00 0009 00 ffef');
      expect(printed()).to.deep.equal([['A\n', true]]);
      expect(host.received.includes(Buffer.from('0200000008', 'hex')), 'an answer to a record without BIND').to.equal(
        false,
      );
      await host.send(`${BIND} 01 00 02 000a c3 ffef ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      expect(printed()).to.deep.equal([
        ['A\n', true],
        ['C\n', true],
      ]);
    });

    /** Erase/Write with lines of 80 and the printer started: FORM, and on the next line NAME; always a response, number 3. */
    const FORM = '00 00 02 0003 f5 f8 c6d6d9d4 11 c150 d5c1d4c5 ffef';
    /** Write with lines of 80 and the printer started. */
    const AGAIN = '00 00 02 0004 f1 f8 ffef';
    const printed = () => printer.documents.map(({ pages, isComplete }) => [textOfPages(pages), isComplete]);

    it('keeps the buffer beyond a job: a change prints the whole form, F1 F8 prints it again (GA23-0059)', async () => {
      await host.send(`${FUNCTIONS} ${BIND} ${FORM} ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      // the second line becomes NEXT
      await host.send(`00 00 00 0000 f1 f8 11 c150 d5c5e7e3 ffef ${END_OF_JOB.replace('0002', '0005')}`);
      await host.hears('02 00 00 0005 00 ffef');
      await host.send(`${AGAIN} ${END_OF_JOB.replace('0002', '0006')}`);
      await host.hears('02 00 00 0006 00 ffef');
      // erased, and nothing written since
      await host.send(`00 00 00 0000 f5 f8 ffef ${AGAIN} ${END_OF_JOB.replace('0002', '0007')}`);
      await host.hears('02 00 00 0007 00 ffef');
      expect(printed()).to.deep.equal([
        ['FORM\nNAME\n', true],
        ['FORM\nNEXT\n', true],
        ['FORM\nNEXT\n', true],
      ]);
    });

    for (const [by, between] of [
      ['UNBIND and BIND', `04 00 00 0000 01 ffef ${BIND}`],
      ['BIND', BIND],
      ['another logical unit', 'fffa280204 49424d2d333238372d31 01 505256 fff0'],
    ] as const) {
      it(`prints nothing of the buffer that another application or unit wrote: ${by}`, async () => {
        await host.send(`${FUNCTIONS} ${BIND} ${FORM} ${END_OF_JOB}`);
        await host.hears('02 00 00 0002 00 ffef');
        await host.send(`${between} ${AGAIN} ${END_OF_JOB.replace('0002', '0005')}`);
        await host.hears('02 00 00 0005 00 ffef');
        expect(printed()).to.deep.equal([['FORM\nNAME\n', true]]);
      });
    }

    it('prints nothing of the buffer from before an UNBIND of a host without BIND-IMAGE', async () => {
      await host.send(`${FUNCTIONS_WITHOUT_BIND} ${FORM} ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      await host.send(`04 00 00 0000 01 ffef ${AGAIN} ${END_OF_JOB.replace('0002', '0005')}`);
      await host.hears('02 00 00 0005 00 ffef');
      expect(printed()).to.deep.equal([['FORM\nNAME\n', true]]);
    });

    it('prints nothing on another logical unit before its BIND', async () => {
      await host.send(`${FUNCTIONS} ${BIND} fffa280204 49424d2d333238372d31 01 505256 fff0 ${A} ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      expect(printed()).to.deep.equal([]);
    });

    it('keeps a job that a BIND cut off as incomplete, and apart from the next', async () => {
      await host.send(`${FUNCTIONS} ${BIND} ${FORM} ${BIND} ${A} ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      expect(printed()).to.deep.equal([
        ['FORM\nNAME\n', false],
        ['A\n', true],
      ]);
    });

    it('prints without a BIND where that was not agreed', async () => {
      await host.send(`${FUNCTIONS_WITHOUT_BIND} ${A} ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      expect(printer.documents).to.have.length(1);
    });

    it('rejects text of the services and of a line terminal', async () => {
      await host.send(`${FUNCTIONS} ${BIND} 07 00 02 0006 c1 ffef 05 00 02 0007 41 ffef`);
      await host.hears('02 00 01 0006 00 ffef');
      await host.hears('02 00 01 0007 00 ffef');
    });

    it('takes records of 64 KiB, and drops longer ones', async () => {
      const data = (length: number) => `0100000000${'c1'.repeat(length - 5)}ffef`;
      await host.send(`${FUNCTIONS} ${BIND} ${data(65_536)} ${END_OF_JOB}`);
      await host.hears('02 00 00 0002 00 ffef');
      expect(textOfPages(printer.documents[0]?.pages ?? []).replaceAll('\n', '')).to.equal('A'.repeat(65_531));
      await host.send(`${data(65_537)} ${END_OF_JOB}`);
      await eventually(() => (printer.faults.length === 1 ? true : undefined));
      expect(printer.faults).to.deep.equal(['a record that is too long']);
      expect(printer.documents).to.have.length(1);
    });

    it('prints no page of a job beyond 2,000, and the next job from its first page on', async () => {
      const pages = (count: number) => Array(count).fill('c1').join('0c');
      // always a response: device end, and with one page more intervention required
      await host.send(`${FUNCTIONS} ${BIND} 01 00 02 0003 ${pages(2_000)} ffef`);
      await host.hears('02 00 00 0003 00 ffef');
      await host.send('01 00 02 0004 0c c1 ffef');
      await host.hears('02 00 01 0004 01 ffef');
      await host.send(`${END_OF_JOB} ${A} ${END_OF_JOB.replace('0002', '0005')}`);
      await host.hears('02 00 00 0001 00 ffef');
      await host.hears('02 00 00 0005 00 ffef');
      expect(printer.documents.map((document) => document.pages.length)).to.deep.equal([2_000, 1]);
    });

    it('tells what it can do where the host asks', async () => {
      await host.send(`${FUNCTIONS} ${BIND} 00 00 00 0000 f3 0005 01 ffff 02 ffef`);
      // AID 88 and the Summary query reply
      await host.hears('00 00 00 0000 88');
    });
  });

  it('ends a job after a silence, where that is wanted', async () => {
    const host = new ScriptedHost();
    const printer = new TestPrinter(await host.listen(), { silenceMilliseconds: 20 });
    await host.send(`${ASKED} ${DEVICE} ${FUNCTIONS} ${BIND} ${A}`);
    await eventually(() => (printer.documents.length === 1 ? true : undefined));
    expect(printer.documents[0]?.isComplete).to.equal(true);
    printer.stop();
    await host.close();
  });

  describe('of a host without TN3270E', () => {
    /** DO TERMINAL-TYPE; SB TERMINAL-TYPE SEND (RFC 1091). */
    const TYPE_ASKED = 'fffd18 fffa1801fff0';
    /** TERMINAL-TYPE IS IBM-3287-1. */
    const TYPE = 'fffb18 fffa1800 49424d2d333238372d31';
    /** DO and WILL END-OF-RECORD, DO and WILL BINARY (RFC 1576, section 3). */
    const RECORDS = 'fffd19 fffb19 fffd00 fffb00';
    /** Erase/Write with the start-printer bit: A, NL, EM. */
    const PRINT_A = 'f5 c8 c1 15 19 ffef';
    let host: ScriptedHost;

    beforeEach(() => {
      host = new ScriptedHost();
    });

    afterEach(() => host.close());

    it('is an IBM-3287-1 that asks for its logical unit behind @ (RFC 1646), and prints records without a header', async () => {
      const printer = new TestPrinter(await host.listen(), { deviceNames: ['PRT7'], silenceMilliseconds: 20 });
      await host.send(TYPE_ASKED);
      await host.hears(`${TYPE} 40 50525437 fff0`);
      expect(printer.session.isConnected).to.equal(false);
      await host.send(`${RECORDS} ${PRINT_A}`);
      await eventually(() => printer.documents[0]);
      expect(printer.documents).to.deep.equal([{ pages: [[[{ column: 0, text: 'A', style: 0 }]]], isComplete: true }]);
      expect([printer.session.isConnected, printer.session.mode]).to.deep.equal([true, 'tn3270']);
      // Read Partition Query of all: AID 88 without a header
      await host.send('f3 0005 01 ffff 02 ffef');
      await host.hears('88');
      printer.stop();
    });

    it('loses what comes while it is not ready, on record', async () => {
      const printer = new TestPrinter(await host.listen(), { silenceMilliseconds: 20 });
      await host.send(`${TYPE_ASKED} ${RECORDS}`);
      await eventually(() => printer.session.isConnected || undefined);
      printer.isReady = false;
      await host.send(PRINT_A);
      await eventually(() => printer.faults[0]);
      expect(printer.faults).to.deep.equal(['the printer is not ready']);
      printer.isReady = true;
      await host.send('f5 c8 c2 15 19 ffef');
      await eventually(() => printer.documents[0]);
      expect(printer.documents.map(({ pages }) => textOfPages(pages))).to.deep.equal(['B\n']);
      printer.stop();
    });

    it('has its job ended after 10 seconds of silence, where no other time is named', async () => {
      const printer = new TestPrinter(await host.listen());
      await host.send(`${TYPE_ASKED} ${RECORDS}`);
      await eventually(() => printer.session.isConnected || undefined);
      const { setTimeout: real } = globalThis;
      const short = (callback: () => void, delay?: number) => real(callback, delay === 10_000 ? 0 : delay);
      globalThis.setTimeout = Object.assign(short, real);
      try {
        await host.send(PRINT_A);
        await eventually(() => printer.documents[0]);
      } finally {
        globalThis.setTimeout = real;
      }
      expect(printer.documents[0]?.isComplete).to.equal(true);
      printer.stop();
    });

    it('is refused as the printer of a display', async () => {
      const printer = new TestPrinter(await host.listen(), { associate: 'SIM00001' });
      await host.send(`${TYPE_ASKED} ${RECORDS}`);
      expect(await printer.ended()).to.match(/^deviceRefused: the printer of [^:]+: the host does not offer TN3270E/);
    });

    it('is tried where the host offers TN3270E, and has no such device there', async () => {
      const printer = new TestPrinter(await host.listen());
      await host.send(ASKED);
      await host.hears('fffb28 fffa280207 49424d2d333238372d31 fff0');
      // DEVICE-TYPE REJECT REASON INV-DEVICE-TYPE
      await host.send('fffa2802060504fff0');
      await host.hears('fffc28');
      await host.send(TYPE_ASKED);
      await host.hears(`${TYPE} fff0`);
      await host.send(RECORDS);
      await eventually(() => printer.session.isConnected || undefined);
      printer.stop();
    });
  });
});
