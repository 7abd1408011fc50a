import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadServices } from '../../src/config/load-services.js';

describe('the bound of a file that a service transfers', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-received-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** @returns the bound, or the messages about the file */
  async function boundOf(transfer: string): Promise<number | readonly string[] | undefined> {
    const isSent = transfer.startsWith('direction: send');
    writeFileSync(join(folder, 'screens.yaml'), 'screens:\n  HERE: [{ text: HERE }]\n');
    writeFileSync(
      join(folder, 'files.yaml'),
      `service: files\n${isSent ? 'parameters: { report: { type: file } }\n' : ''}steps:\n  - { at: HERE, transfer: { file: A.B, ${transfer} } }\n`,
    );
    const { reports, services } = await loadServices(folder);
    if (reports.length > 0) {
      return reports.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message));
    }
    const work = services.get('files')?.work;
    return work?.kind === 'steps' ? work.steps[0]?.transfer?.mostBytes : undefined;
  }

  it('is 1 to 1048576 bytes if the file is received, and 1048576 if none is named', async () => {
    const received = 'direction: receive, contents: text';
    expect(await boundOf(received)).to.equal(1_048_576);
    expect(await boundOf(`${received}, most: 1`)).to.equal(1);
    expect(await boundOf(`${received}, most: 1048576`)).to.equal(1_048_576);
    for (const most of [0, 1_048_577]) {
      expect(JSON.stringify(await boundOf(`${received}, most: ${most}`)), `${most}`).to.include('transfer.most');
    }
  });

  it('is none of a step that sends a file: its parameter has one', async () => {
    const sent = 'direction: send, contents: report';
    expect(await boundOf(sent)).to.equal(1_048_576);
    for (const most of [1, 1_048_575]) {
      expect(JSON.stringify(await boundOf(`${sent}, most: ${most}`)), `${most}`).to.include(
        'for a file that is sent, the parameter has maxBytes',
      );
    }
  });
});
