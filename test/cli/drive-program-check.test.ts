import { expect } from 'chai';
import type { FaultName } from '../../src/demo/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { DriveProcess } from '../support/drive-process.js';
import { eventually } from '../support/eventually.js';

/** A faulty record of the host, as a program is told of it; TN3270E with contention resolution, and without E. */
describe('a program check of sallyport drive', () => {
  let host: SimulatedHost | undefined;
  let session: DriveProcess | undefined;

  afterEach(async () => {
    session?.kill();
    await host?.close();
  });

  async function drive(settings: object, ...faults: readonly FaultName[]): Promise<DriveProcess> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    host = new SimulatedHost({ codePage, users: {}, start: 'MENU', faults });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    session = new DriveProcess(port, settings);
    return session;
  }

  const checked = (of: DriveProcess) =>
    eventually(async () => ((await of.ask({ cmd: 'screen' })).programCheck === undefined ? undefined : true));

  for (const settings of [{ tn3270e: true }, { tn3270e: false }]) {
    it(`comes from double-byte text on a single-byte terminal, and ends by Reset: ${JSON.stringify(settings)}`, async () => {
      const driven = await drive(settings);
      await driven.ask({ cmd: 'wait', text: 'Option ===>' });
      await driven.ask({ cmd: 'type', text: '6' });
      await driven.ask({ cmd: 'key', key: 'Enter' });
      const { error } = await driven.ask({ cmd: 'wait', until: 'unlocked' });
      expect(error).to.equal('the host sent a faulty record (X PROG 755): press Reset');
      expect(await driven.ask({ cmd: 'screen' })).to.include({ locked: true, programCheck: 755, mode: '3270' });
      expect(await driven.ask({ cmd: 'type', text: '1' })).to.deep.equal({ programCheck: 755 });
      expect(await driven.ask({ cmd: 'key', key: 'Enter' })).to.deep.equal({ programCheck: 755 });
      expect(await driven.ask({ cmd: 'key', key: 'Enter', until: 'field' })).to.deep.equal({ programCheck: 755 });
      expect((await driven.ask({ cmd: 'wait', text: 'Double-byte', seconds: 0.1 })).error).to.match(
        /^timed out after 0\.1 seconds; the host sent a faulty record \(X PROG 755\): press Reset$/,
      );
      expect(await driven.ask({ cmd: 'key', key: 'Reset' })).to.deep.equal({});
      const screen = await driven.ask({ cmd: 'screen' });
      expect(screen).to.include({ locked: false }).and.not.have.property('programCheck');
      expect((screen.text as string[])[2], 'what was there before').to.match(/Option ===> +6/);
      await driven.ask({ cmd: 'key', key: 'PF3' });
      expect(await driven.ask({ cmd: 'wait', until: 'unlocked' }), 'the application had F3').to.deep.equal({});
    });

    it(`comes from garbage, though a good record follows: ${JSON.stringify(settings)}`, async () => {
      const driven = await drive(settings, 'garbage');
      expect(await driven.ask({ cmd: 'wait', text: 'Option ===>' })).to.deep.equal({});
      await checked(driven);
      expect(await driven.ask({ cmd: 'screen' })).to.include({ locked: true, programCheck: 750 });
      await driven.ask({ cmd: 'key', key: 'Reset' });
      await driven.ask({ cmd: 'type', text: '2' });
      await driven.ask({ cmd: 'key', key: 'Enter' });
      expect(await driven.ask({ cmd: 'wait', text: 'Account number' })).to.deep.equal({});
    });
  }
});
