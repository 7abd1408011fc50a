import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { soundValue } from '../../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { readDftReply, readDftRequest } from '../../../src/tn3270/file-transfer/dft-frame.js';
import { dataOfRecord, TerminalTransfer } from '../../../src/tn3270/file-transfer/terminal-transfer.js';
import { IncomingContent } from '../../../src/tn3270/file-transfer/transfer-content.js';
import { Screen } from '../../../src/tn3270/screen/screen.js';
import { findTerminalModel } from '../../../src/tn3270/screen/screen-size.js';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');

/** As s3270 4.1 takes it: parameters, and the name in seven characters. */
const open = (name: string) =>
  `d0 0012 010601010403 0a0a0000000011010100 500552 03f0 0309 ${Buffer.from(name.padEnd(7)).toString('hex')}`;
const field = (body: string) => {
  const data = bytes(body);
  return Buffer.concat([Buffer.of((data.length + 2) >> 8, (data.length + 2) & 0xff), data]);
};
const record = (...bodies: string[]) => Uint8Array.from(Buffer.concat([Buffer.of(0xf3), ...bodies.map(field)]));
const get = 'd0 4511 01050006000905010300';
const data = (text: string) => {
  const length = (text.length + 5).toString(16).padStart(4, '0');
  return `d0 4704 c080 61 ${length} ${Buffer.from(text).toString('hex')}`;
};

/** A terminal with a file on its way; what it sends. */
function terminal(file: string | undefined, bufferBytes = 2_000) {
  const codePage = findTerminalCodePage('cp1047');
  if (codePage === undefined) throw new Error('no code page 1047');
  const sent: string[] = [];
  const screen = new Screen(
    soundValue(findTerminalModel('3279-2-E')),
    codePage,
    { numericLock: false, blankFill: false },
    {
      sendRecord: ({ bytes }) => sent.push(hex(bytes)),
      sendServicesText: () => 0,
      sendLineData: () => 0,
      sendLineCommand: () => 0,
    },
  );
  screen.setPartner('application');
  const transfer = new TerminalTransfer({
    file: file === undefined ? undefined : Buffer.from(file),
    rules: { text: false, lines: false, codePage: undefined },
    mostBytes: 10_000,
    bufferBytes,
    codePage,
  });
  screen.transfer = transfer;
  return { screen, transfer, sent, host: (...bodies: string[]) => screen.receive(record(...bodies)) };
}

/** Every record is the one that s3270 4.1 sent to the same requests. */
describe('DFT', () => {
  it('sends a file, buffer by buffer, and its end', () => {
    const { host, sent, transfer } = terminal('ab\ncd\n\nx');
    host(open('FT:DATA'));
    host(get, 'd0 4611 01040080');
    host(get, 'd0 4611 01040080');
    host('d0 4112');
    host(open('FT:MSG'));
    host('d0 4711', data('TRANS03   File transfer complete$'));
    expect(sent).to.deep.equal([
      '880005d00009',
      `880018d04605630600000001c08061000d${Buffer.from('ab\ncd\n\nx').toString('hex')}`,
      '880009d0460869042200',
      '880005d04109',
      '880005d00009',
      '88000bd04705630600000001',
    ]);
    expect(transfer.end).to.deep.equal({ kind: 'done', words: 'TRANS03   File transfer complete' });
  });

  it('leaves 27 bytes of its buffer, and no record is longer', () => {
    const { host, sent } = terminal('A'.repeat(5_000));
    host(open('FT:DATA'));
    host('d0 4611 01040080');
    expect((sent.at(-1) ?? '').length / 2).to.equal(1_990);
  });

  it('sends one byte a record at least, however small its buffer', () => {
    for (const [bufferBytes, expected] of [
      [1, 1],
      [27, 1],
      [28, 1],
      [29, 2],
    ] as const) {
      const { host, sent } = terminal('ABC', bufferBytes);
      host(open('FT:DATA'));
      host('d0 4611 01040080');
      // the data follow 17 bytes of AID and reply
      expect(sent.at(-1)?.slice(34), String(bufferBytes)).to.equal('414243'.slice(0, 2 * expected));
    }
  });

  it('takes 200 characters of the words of the host, up to their $, and success by TRANS03 and TRANS04 only', () => {
    const endBy = (words: string) => {
      const { host, transfer } = terminal('x');
      host(open('FT:MSG'));
      host('d0 4711', data(words));
      return transfer.end;
    };
    expect(endBy(`TRANS03${'x'.repeat(193)}`)).to.deep.equal({ kind: 'done', words: `TRANS03${'x'.repeat(193)}` });
    expect(endBy(`TRANS03${'x'.repeat(194)}`)).to.deep.equal({ kind: 'done', words: `TRANS03${'x'.repeat(193)}` });
    expect(endBy('TRANS04   Complete$ and more')).to.deep.equal({ kind: 'done', words: 'TRANS04   Complete' });
    for (const words of ['TRANS02', 'TRANS05', 'ERROR TRANS03']) {
      expect(endBy(`${words}$`), words).to.deep.equal({ kind: 'refused', by: 'host', detail: { foreign: words } });
    }
    expect(endBy('$')).to.deep.equal({
      kind: 'refused',
      by: 'host',
      detail: { code: 'transfer.noReason' },
    });
  });

  it('takes a file of as many bytes as it may, and not one more', () => {
    const { host, sent, transfer } = terminal(undefined);
    host(open('FT:DATA'));
    host('d0 4711 0105008000', data('A'.repeat(9_999)));
    host('d0 4711 0105008000', data('A'));
    expect(sent.at(-1)).to.equal('88000bd04705630600000002');
    host('d0 4711 0105008000', data('A'));
    // data are refused: 4708, error 0100
    expect(sent.at(-1)).to.equal('880009d0470869040100');
    host(open('FT:MSG'));
    host('d0 4711', data('TRANS03$'));
    expect(transfer.end).to.deep.equal({
      kind: 'refused',
      by: 'terminal',
      detail: { code: 'transfer.bytes', values: { most: 10_000 } },
    });
  });

  it('receives a file, and numbers its answers anew behind each Open', () => {
    const { host, sent, transfer } = terminal(undefined);
    host(open('FT:DATA'));
    host('d0 4711 0105008000', data('ab\r\n'));
    host('d0 4711 0105008000', data('cd'));
    host('d0 4112');
    host(open('FT:MSG'));
    host('d0 4711', data('TRANS14   Missing data set$'));
    expect(sent).to.deep.equal([
      '880005d00009',
      '88000bd04705630600000001',
      '88000bd04705630600000002',
      '880005d04109',
      '880005d00009',
      '88000bd04705630600000001',
    ]);
    expect(Buffer.from(transfer.received()).toString()).to.equal('ab\r\ncd');
    expect(transfer.end).to.deep.equal({
      kind: 'refused',
      by: 'host',
      detail: { foreign: 'TRANS14   Missing data set' },
    });
  });

  it('receives a file byte by byte, with empty buffers in between, and keeps nothing of these', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const { host, sent, transfer } = terminal(undefined);
    host(open('FT:DATA'));
    const before = used();
    for (const byte of 'byte by byte') {
      host('d0 4711 0105008000', data(byte));
      for (let empty = 0; empty < 2_000; empty++) {
        host('d0 4711 0105008000', data(''));
        sent.length = 0;
      }
    }
    // a block of 64 KiB, and what the test itself has left behind; a hundred bytes a buffer would be 2 MB
    expect(used() - before).to.be.below(500_000);
    expect(Buffer.from(transfer.received()).toString()).to.equal('byte by byte');
  }).timeout(20_000);

  it('receives a file over the ends of the blocks that it is kept in', () => {
    const content = new IncomingContent({ text: false, lines: false, codePage: undefined });
    const file = Uint8Array.from({ length: 3 * 65_536 + 1 }, (_, at) => at % 251);
    for (const [from, to] of [
      [0, 65_535],
      [65_535, 65_537],
      [65_537, 65_537],
      [65_537, file.length],
    ]) {
      content.take(file.subarray(from, to));
    }
    expect(Buffer.compare(content.finish(), file)).to.equal(0);
  });

  it('sends the same again for a Read Modified, until the host writes and restores the keyboard', () => {
    const { host, sent, screen } = terminal('A'.repeat(50));
    host(open('FT:DATA'));
    host('d0 4611 01040080');
    const first = sent.at(-1) ?? '';
    screen.receive(Uint8Array.of(0xf6));
    expect(sent.at(-1)).to.equal(first);
    screen.receive(bytes('f5 40 11 40c5'));
    screen.receive(Uint8Array.of(0xf6));
    expect(sent.at(-1), 'the keyboard was not restored').to.equal(first);
    screen.receive(bytes('f5 c2 11 40c5'));
    screen.receive(Uint8Array.of(0xf6));
    expect(sent.at(-1)).to.equal('604040');
  });

  it('refuses what nobody has asked for: no host waits for an answer', () => {
    const { host, sent, screen } = terminal(undefined);
    screen.transfer = undefined;
    host(open('FT:DATA'));
    host('d0 4112');
    expect(sent).to.deep.equal(['880009d0000869040100', '880005d04109']);
  });

  it('says where a record holds bytes of the file, be it one', () => {
    const places = (length: number) => dataOfRecord(new Uint8Array(length));
    expect([places(17), places(18), places(20)]).to.deep.equal([
      [],
      [{ start: 17, end: 18 }],
      [{ start: 17, end: 20 }],
    ]);
  });

  it('says what is wrong with requests and replies', () => {
    const faults = {
      '': 'a request without a type',
      4799: 'a request of type 0x4799',
      '0012 0106': 'an Open without a file name',
      '4704 c080': 'truncated data',
      '4704 c081 61 0006 41': 'compressed data or data of an unknown type',
      '4704 c080 61 0006': 'data of length 1 with 0 bytes left',
      '4704 c080 61 0004': 'data of length -1 with 0 bytes left',
    };
    for (const [body, fault] of Object.entries(faults)) {
      expect(readDftRequest(bytes(body)), body).to.deep.equal({ kind: 'fault', fault });
    }
    const replies = {
      '88': 'a reply that is truncated',
      '7d0005d00009': 'a record that is not a reply of a file transfer',
      '880009d00009': 'a reply of length 9 with 5 bytes left',
      '880005d01234': 'a reply of type 0x1234',
      '880007d047056306': 'a reply without the number of its record',
      '880009d0460869000100': 'an error without its code',
      '880010d04605630600000001c0806100ff': 'data of length 250 with 0 bytes left',
    };
    for (const [reply, fault] of Object.entries(replies)) {
      expect(readDftReply(bytes(reply)), reply).to.deep.equal({ kind: 'fault', fault });
    }
  });
});
