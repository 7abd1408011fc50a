import { expect } from 'chai';
import type { FaultName } from '../../../src/demo/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { Conversation } from '../../../src/tn3270/conversation/conversation.js';
import type { FileTransfer, FileTransferEnd } from '../../../src/tn3270/conversation/file-transfer.js';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { binaryFiles, linesOf, mebibyte } from '../../support/transferred-files.js';

const MOST = 4 * 1024 * 1024;
const binary = { host: 'tso', hostFile: 'TEST.FILE', text: false, lines: false, mostBytes: MOST } as const;
const text = { ...binary, text: true, lines: true } as const;

describe('file transfer of a conversation', function () {
  this.timeout(60_000);
  const hosts: SimulatedHost[] = [];
  const conversations: Conversation[] = [];

  after(async () => {
    for (const conversation of conversations) conversation.stop();
    for (const host of hosts) await host.close();
  });

  async function atReady(
    transferBufferBytes = 16_384,
    { faults = [], codePage = 'IBM037' }: { faults?: readonly FaultName[]; codePage?: string } = {},
  ): Promise<Conversation> {
    const page = findCodePage(codePage);
    if (page === undefined) throw new Error(`no code page ${codePage}`);
    const host = new SimulatedHost({ codePage: page, users: {}, start: 'MENU', faults });
    hosts.push(host);
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const conversation = new Conversation({
      ...hostSessionOptions({
        codePage: codePage.toLowerCase().replace('ibm', 'cp'),
        connect: (handler, signal) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal }, handler),
      }),
      transferBufferBytes,
    });
    conversations.push(conversation);
    conversation.connect();
    await conversation.settled();
    conversation.act({ type: [{ text: 'T' }], press: 'Enter' });
    await conversation.settled();
    return conversation;
  }

  const shows = (conversation: Conversation) => conversation.image.cells.join('');

  async function thereAndBack(conversation: Conversation, file: Uint8Array, rules: typeof binary | typeof text) {
    const sent = await conversation.transferFile({ ...rules, direction: 'send', file });
    expect(sent).to.include({ kind: 'done', bytes: file.length });
    const back = await conversation.transferFile({ ...rules, direction: 'receive' });
    if (back.kind !== 'done' || back.file === undefined) throw new Error(JSON.stringify(back));
    expect(shows(conversation), 'the host goes on').to.include('READY');
    expect(conversation.takesInput).to.equal(true);
    return Buffer.from(back.file);
  }

  for (const [mode, transferBufferBytes] of [
    ['DFT', 16_384],
    ['DFT', 256],
    ['CUT', 0],
  ] as const) {
    it(`brings files back to the byte: ${mode}, buffers of ${transferBufferBytes} bytes`, async () => {
      const conversation = await atReady(transferBufferBytes);
      const room = transferBufferBytes === 0 ? 1_909 : transferBufferBytes - 27;
      for (const [name, file] of Object.entries(binaryFiles(room))) {
        expect((await thereAndBack(conversation, file, binary)).equals(file), name).to.equal(true);
      }
      const first = Math.min(room, 1_909) - 12;
      for (const file of [
        linesOf(first, first + 24),
        linesOf(0, 60),
        Buffer.from('no end ÷ ¬ ¢\n\n\nof a line\rthere'),
        // CR LF of the first line before, across and behind the end of the first buffer
        ...[-3, -2, -1, 0, 1].map((beyond) => Buffer.from(`${'x'.repeat(room + beyond)}\nthe rest\n`)),
      ]) {
        expect((await thereAndBack(conversation, file, text)).toString()).to.equal(Buffer.from(file).toString());
      }
    });

    it(`brings every control character of text back: ${mode}, buffers of ${transferBufferBytes} bytes`, async () => {
      const conversation = await atReady(transferBufferBytes);
      const file = Buffer.from(Array.from({ length: 256 }, (_, at) => String.fromCharCode(at)).join(''));
      expect((await thereAndBack(conversation, file, text)).toString()).to.equal(file.toString());
    });
  }

  for (const [mode, transferBufferBytes] of [
    ['DFT', 16_384],
    ['CUT', 0],
  ] as const) {
    it(`brings a mebibyte back, and tells how far it is: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes);
      const file = mebibyte();
      expect((await thereAndBack(conversation, file, binary)).equals(file)).to.equal(true);
      const lines = Buffer.from('a line of text, 32 bytes with LF\n'.slice(1).repeat(1 << 15));
      expect(lines.length).to.equal(file.length);
      expect((await thereAndBack(conversation, lines, text)).equals(lines)).to.equal(true);
      await conversation.transferFile({ ...binary, direction: 'send', file });
      const told: number[] = [];
      const end = await conversation.transferFile({
        ...binary,
        direction: 'receive',
        progress: (bytes) => told.push(bytes),
      });
      expect(end).to.include({ kind: 'done', mode });
      expect(told.at(-1)).to.equal(file.length);
      expect(told.length).to.be.greaterThan(10);
    });

    it(`keeps double-byte characters, whatever buffer they fall into: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes === 0 ? 0 : 256, { codePage: 'IBM939' });
      const line = '日本語 ABC ｶﾅ 端末\n';
      const file = Buffer.from(line.repeat(200));
      expect((await thereAndBack(conversation, file, text)).toString()).to.equal(file.toString());
    });

    it(`appends where it is to: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes);
      await conversation.transferFile({ ...text, direction: 'send', file: Buffer.from('one\n') });
      await conversation.transferFile({ ...text, direction: 'send', file: Buffer.from('two\n'), append: true });
      const end = await conversation.transferFile({ ...text, direction: 'receive' });
      expect(end.kind === 'done' && Buffer.from(end.file ?? []).toString()).to.equal('one\ntwo\n');
    });

    it(`says what the host refuses: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes);
      const end = await conversation.transferFile({ ...binary, direction: 'receive', hostFile: 'NO.SUCH' });
      expect(end).to.include({ kind: 'failed', reason: 'refusedByHost' });
      expect(wordsOf(end)).to.match(/^TRANS14 .*data set/);
      expect(conversation.takesInput).to.equal(true);
    });

    it(`takes a file of as many bytes as it may, and no more: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes);
      await conversation.transferFile({ ...binary, direction: 'send', file: new Uint8Array(5_000) });
      const receive: FileTransfer = { ...binary, direction: 'receive', mostBytes: 5_000 };
      expect(await conversation.transferFile(receive)).to.include({ kind: 'done', bytes: 5_000 });
      const end = await conversation.transferFile({ ...receive, mostBytes: 4_999 });
      expect(end).to.deep.equal({
        kind: 'failed',
        reason: 'refusedHere',
        words: 'The file has more than 4999 bytes.',
        detail: { code: 'transfer.bytes', values: { most: 4999 } },
      });
      expect(conversation.takesInput, 'the host goes on').to.equal(true);
    });

    it(`gives up when it is cancelled, and the host goes on: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes);
      const stop = new AbortController();
      const progress = () => stop.abort();
      const file = mebibyte();
      const end = await conversation.transferFile({
        ...binary,
        direction: 'send',
        file,
        signal: stop.signal,
        progress,
      });
      expect(end).to.include({ kind: 'failed', reason: 'cancelled' });
      expect(shows(conversation)).to.include('READY');
      expect(conversation.takesInput).to.equal(true);
    });

    it(`says that the connection was cut in the middle: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes, { faults: ['cut-file'] });
      const end = await conversation.transferFile({ ...binary, direction: 'send', file: mebibyte() });
      expect(end).to.include({ kind: 'failed', reason: 'hostGone' });
    });

    it(`gives up when the host sends what makes no sense: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes, { faults: ['bad-file'] });
      const end = await conversation.transferFile({ ...binary, direction: 'send', file: mebibyte() });
      expect(end).to.include({ kind: 'failed', reason: 'refusedHere' });
      expect(wordsOf(end)).to.match(/^The host sent a (request|frame) of type 0x/);
      expect(conversation.takesInput).to.equal(true);
    });

    it(`says that the host refuses all transfers: ${mode}`, async () => {
      const conversation = await atReady(transferBufferBytes, { faults: ['no-file'] });
      const end = await conversation.transferFile({ ...binary, direction: 'send', file: new Uint8Array(1) });
      expect(wordsOf(end)).to.include('denied');
    });
  }

  it('waits for each step of the host so long, and not for all of them together', async () => {
    // a second passes before each buffer
    const conversation = await atReady(16_384, { faults: ['slow-file'] });
    const slow = { ...binary, direction: 'send', file: new Uint8Array(60_000) } as const;
    expect(await conversation.transferFile({ ...slow, stepMilliseconds: 3_500 })).to.include({ kind: 'done' });
    expect(await conversation.transferFile({ ...slow, stepMilliseconds: 100 })).to.deep.equal({
      kind: 'failed',
      reason: 'timedOut',
      words: 'The host stopped in the middle of the transfer.',
      detail: { code: 'transfer.stopped' },
    });
  });

  it('sends no text that the host has no characters for', async () => {
    const conversation = await atReady();
    const end = await conversation.transferFile({ ...text, direction: 'send', file: Buffer.from('fine\nAあ\n') });
    expect(end).to.include({ kind: 'failed', reason: 'refusedHere' });
    expect(wordsOf(end)).to.include('Line 2').and.to.include('U+3042').and.to.include('IBM037');
    const bytes = await conversation.transferFile({
      ...text,
      direction: 'send',
      file: Uint8Array.of(0x41, 0xff, 0x41),
    });
    expect(wordsOf(bytes)).to.include('not UTF-8 text');
  });

  it('sends bytes of text as they are where IND$FILE translates them', async () => {
    const conversation = await atReady();
    const file = Uint8Array.from({ length: 256 }, (_, at) => at).filter((byte) => byte !== 0x0a && byte !== 0x1a);
    const rules = { ...text, remap: false };
    await conversation.transferFile({ ...rules, direction: 'send', file });
    const end = await conversation.transferFile({ ...rules, direction: 'receive' });
    expect(end.kind === 'done' && Buffer.from(end.file ?? []).equals(file)).to.equal(true);
  });

  it('types no command that is none, and says what the host shows in place of a transfer', async () => {
    const conversation = await atReady();
    const named = await conversation.transferFile({ ...binary, direction: 'receive', hostFile: "A') DELETE" });
    expect(named).to.include({ kind: 'failed', reason: 'notStarted' });
    conversation.act({ press: 'PF3' });
    await conversation.settled();
    const small = await conversation.transferFile({ ...binary, direction: 'receive' });
    expect(wordsOf(small)).to.equal('The field has room for 8 characters, and the command has 22.');
  });

  it('leaves the keyboard to nobody else meanwhile', async () => {
    const conversation = await atReady();
    const end = conversation.transferFile({ ...binary, direction: 'send', file: mebibyte() });
    expect(conversation.takesInput).to.equal(false);
    expect(conversation.act({ press: 'PF3' })).to.deep.equal({ kind: 'locked' });
    const second = await conversation.transferFile({ ...binary, direction: 'receive' });
    expect(wordsOf(second)).to.equal('Another file is being transferred.');
    expect(await end).to.include({ kind: 'done' });
  });
});

function wordsOf(end: FileTransferEnd): string {
  return end.words;
}
