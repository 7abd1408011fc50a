import { expect } from 'chai';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { soundValue } from '../../../src/lib/read-outcome.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { Conversation } from '../../../src/tn3270/conversation/conversation.js';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { findTerminalModel } from '../../../src/tn3270/screen/screen-size.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { RelayedHost } from '../../support/relayed-host.js';
import { binaryFiles } from '../../support/transferred-files.js';

const MOST = 1024 * 1024;
const binary = { host: 'tso', hostFile: 'TEST.FILE', text: false, lines: false, mostBytes: MOST } as const;
const text = { ...binary, text: true, lines: true } as const;
/** Erase/Write with a frame of CUT from the first position on; TN3270E header before it. */
const cutFrame = /^00(..)00....f5c2114040c[123]/;

/** What the simulated host says during transfers, byte by byte, and what of it may be different with other hosts. */
describe('file transfer on the line', function () {
  this.timeout(60_000);
  const open: { close(): Promise<void> }[] = [];
  const conversations: Conversation[] = [];

  afterEach(async () => {
    for (const conversation of conversations.splice(0)) conversation.stop();
    for (const part of open.splice(0).reverse()) await part.close();
  });

  async function atReady({ model = '3279-2-E', buffer = 16_384, changed = (record: string) => record } = {}) {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
    const relay = new RelayedHost((await host.listen({ host: '127.0.0.1', port: 0 })).port, changed);
    open.push(host, relay);
    const port = await relay.listen();
    const conversation = new Conversation({
      ...hostSessionOptions({
        connect: (handler, signal) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal }, handler),
      }),
      model: soundValue(findTerminalModel(model)),
      transferBufferBytes: buffer,
    });
    conversations.push(conversation);
    conversation.connect();
    await conversation.settled();
    conversation.act({ type: [{ text: 'T' }], press: 'Enter' });
    await conversation.settled();
    return { conversation, relay };
  }

  for (const [model, positions] of [
    ['3279-3-E', 2_560],
    ['3278-4-E', 3_440],
    ['3279-5-E', 3_564],
  ] as const) {
    it(`takes CUT frames that come with Erase/Write Alternate: ${model}`, async () => {
      let frames = 0;
      const { conversation } = await atReady({
        model,
        buffer: 0,
        changed: (record) => {
          if (!cutFrame.test(record)) return record;
          frames++;
          return `${record.slice(0, 10)}7e${record.slice(12)}`;
        },
      });
      expect(conversation.image.text.cells.length).to.equal(positions);
      for (const [name, file] of Object.entries(binaryFiles(1_909))) {
        const sent = await conversation.transferFile({ ...binary, direction: 'send', file });
        expect(sent, name).to.include({ kind: 'done', mode: 'CUT' });
        const back = await conversation.transferFile({ ...binary, direction: 'receive' });
        expect(back.kind === 'done' && Buffer.from(back.file ?? []).equals(file), name).to.equal(true);
      }
      expect(frames).to.be.greaterThan(20);
    });
  }

  it('restores the keyboard once with each CUT frame: by the write, not by KEYBOARD-RESTORE', async () => {
    const { conversation, relay } = await atReady({ buffer: 0 });
    const file = Buffer.from('some bytes');
    expect(await conversation.transferFile({ ...binary, direction: 'send', file })).to.include({ kind: 'done' });
    const flags = relay.records.flatMap((record) => cutFrame.exec(record)?.[1] ?? []);
    // begin, two requests for data, and the end; SEND-DATA with each
    expect(flags).to.deep.equal(['01', '01', '01', '01']);
    const others = relay.records.flatMap((record) => /^00(..)00....(?:f1|f5|7e|f3)/.exec(record)?.[1] ?? []);
    expect(new Set(others)).to.deep.equal(new Set(['01']));
  });

  it('opens a file that it fetches for Get, and one that it sends for Insert', async () => {
    const { conversation, relay } = await atReady();
    const opens = () => relay.records.flatMap((record) => /d00012.*$/.exec(record)?.[0] ?? []);
    await conversation.transferFile({ ...binary, direction: 'send', file: Buffer.from('some bytes') });
    expect(opens()).to.deep.equal([
      'd00012010601010403 0a0a0001000000000100 50055203f0 0309 46543a44415441ffef'.replaceAll(' ', ''),
      'd00012010601010403 0a0a0000000011010100 50055203f0 0309 46543a4d534720ffef'.replaceAll(' ', ''),
    ]);
    await conversation.transferFile({ ...binary, direction: 'receive' });
    expect(opens()[2]).to.equal(
      'd00012010601010403 0a0a0000000011010100 50055203f0 0309 46543a44415441ffef'.replaceAll(' ', ''),
    );
  });

  it('ends lines with CRLF, with and without ASCII', async () => {
    const { conversation } = await atReady();
    const received = async (rules: typeof binary | typeof text, otherOptions?: string) => {
      const further = otherOptions === undefined ? {} : { otherOptions };
      const end = await conversation.transferFile({ ...rules, direction: 'receive', ...further });
      return end.kind === 'done' ? Buffer.from(end.file ?? []).toString('hex') : end.words;
    };
    await conversation.transferFile({ ...text, direction: 'send', file: Buffer.from('one\ntwo\n') });
    expect(await received(binary, 'CRLF')).to.equal('969585 0d25 a3a696 0d25'.replaceAll(' ', ''));
    expect(await received(binary)).to.equal('969585a3a696');
    for (const lineEnd of ['0d25', '0d0a']) {
      const file = Buffer.from(`969585${lineEnd}a3a696${lineEnd}`, 'hex');
      await conversation.transferFile({ ...binary, direction: 'send', file, otherOptions: 'CRLF' });
      expect(await received(binary), lineEnd).to.equal('969585a3a696');
      expect(await received(text), lineEnd).to.equal(Buffer.from('one\ntwo\n').toString('hex'));
    }
  });
});
