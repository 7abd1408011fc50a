import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { needS3270, S3270 } from '../../support/s3270.js';
import { binaryFiles, linesOf, mebibyte } from '../../support/transferred-files.js';

/** IND$FILE of the simulated host, as Debian's s3270 transfers files with it. */
describe('file transfer of the simulated host with s3270', function () {
  this.timeout(120_000);
  let folder: string;
  let host: SimulatedHost;
  let address: string;
  const terminals: S3270[] = [];

  before(async function () {
    needS3270(this);
    folder = mkdtempSync(join(tmpdir(), 'sallyport-transfer-'));
    const codePage = findCodePage('IBM1047');
    if (codePage === undefined) throw new Error('no code page 1047');
    host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
    address = `127.0.0.1:${(await host.listen({ host: '127.0.0.1', port: 0 })).port}`;
  });

  after(async () => {
    for (const terminal of terminals) terminal.stop();
    await host?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** A terminal without extended data stream is not asked what it can do: its files go by screens. */
  async function atReady(type: string): Promise<S3270> {
    const isPlain = !type.endsWith('-E');
    const further = isPlain ? ['-tn', `IBM-${type}`] : [];
    const terminal = new S3270({ model: isPlain ? `${type}-E` : type, codePage: 'cp1047', further });
    terminals.push(terminal);
    await terminal.connect(address);
    await terminal.waitFor('Option ===>');
    await terminal.ask('String(T)');
    await terminal.ask('Enter()');
    await terminal.waitFor('READY');
    return terminal;
  }

  /** @returns the file after it went to the host and came back */
  async function thereAndBack(terminal: S3270, file: Uint8Array, mode: string): Promise<Uint8Array> {
    const [sent, received] = [join(folder, 'sent'), join(folder, 'received')];
    writeFileSync(sent, file);
    rmSync(received, { force: true });
    for (const part of [`Direction=send,LocalFile=${sent}`, `Direction=receive,LocalFile=${received},Exist=replace`]) {
      await terminal.ask(`Transfer(${part},HostFile=TEST.FILE,Host=tso,${mode})`);
      const screen = await terminal.waitFor('READY');
      expect(screen.join('\n'), part).to.include('TRANS03');
    }
    return readFileSync(received);
  }

  for (const [mode, model, buffer] of [
    ['DFT', '3279-2-E', 16_384 - 27],
    ['DFT, and a model 4', '3279-4-E', 16_384 - 27],
    ['CUT', '3278-2', 1_909],
  ] as const) {
    it(`brings files back to the byte: ${mode}`, async () => {
      const terminal = await atReady(model);
      for (const [name, file] of Object.entries(binaryFiles(buffer))) {
        const back = await thereAndBack(terminal, file, 'Mode=binary');
        expect(Buffer.from(back).equals(file), name).to.equal(true);
      }
      const lines = linesOf(70, 140);
      expect(Buffer.from(await thereAndBack(terminal, lines, 'Mode=ascii,Cr=add')).toString()).to.equal(
        lines.toString(),
      );
      const unlined = Buffer.from('no line ends here; äöü ÷ [] ^ ¬ | ¦ end');
      expect(Buffer.from(await thereAndBack(terminal, unlined, 'Mode=ascii,Cr=keep')).toString()).to.equal(
        unlined.toString(),
      );
    });
  }

  for (const model of ['3279-2-E', '3278-2']) {
    it(`brings a mebibyte back: ${model}`, async () => {
      const file = mebibyte();
      const back = await thereAndBack(await atReady(model), file, 'Mode=binary');
      expect(Buffer.from(back).equals(file)).to.equal(true);
    });
  }

  it('says what a terminal is refused', async () => {
    const terminal = await atReady('3279-2-E');
    const missing = join(folder, 'missing');
    await terminal.ask(`Transfer(Direction=receive,LocalFile=${missing},HostFile=NO.SUCH,Host=tso,Mode=binary)`);
    expect((await terminal.waitFor('READY')).join('\n')).to.include('TRANS14');
  });
});
