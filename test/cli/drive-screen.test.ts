import { expect } from 'chai';
import { DriveProcess } from '../support/drive-process.js';
import { eventually } from '../support/eventually.js';
import { ScriptedHost } from '../support/scripted-host.js';

/** TN3270 without E: terminal type, end of record, binary. */
const AGREEMENT = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';

/** ../shared/traces/README.md, "Screen object": what an adapter is asked for. */
describe('the screen object of sallyport drive', () => {
  let host: ScriptedHost;
  let session: DriveProcess | undefined;

  beforeEach(() => {
    host = new ScriptedHost();
  });

  afterEach(async () => {
    session?.kill();
    await host.close();
  });

  /** The screen that a terminal shows once it has taken a record: it answers the timing mark behind it. */
  async function screenAfter(record: string, settings: object = {}) {
    session = new DriveProcess(await host.listen(), settings);
    await host.send(`${AGREEMENT} ${record} ffef fffd06`);
    await eventually(() => (/ff(?:fb|fc)06/.test(host.received.toString('hex')) ? true : undefined));
    return session.ask({ cmd: 'screen' });
  }

  it('tells background colours of characters among their other attributes', async () => {
    const { attrs, fields, ...others } = await screenAfter('f5c3 2903c06042f245f4 c1 2845f1 c2c3 2842f4 c4 280000 c5');
    expect(fields).to.deep.equal([{ at: 0, fa: 'e0', fg: 'f2', bg: 'f4' }]);
    expect(attrs).to.deep.equal([
      { at: 2, n: 2, bg: 'f1' },
      { at: 4, n: 1, fg: 'f4', bg: 'f1' },
    ]);
    expect(others).to.not.have.property('backgrounds');
  });

  it('leaves out U+0020 at the end of a row, and no wide blank', async () => {
    // IBM939: 42C1 is a full-width A, 4040 the wide blank
    const record = 'f5c3 1d40 0e 42c1 4040 0f 40 00 11 40d0 1d60';
    const { text } = await screenAfter(record, { codepage: 'cp939' });
    expect((text as string[])[0]).to.equal('  \uff21\ue000\u3000\ue000');
    expect((await session?.rows())?.[0]).to.equal('  \uff21\u3000');
    const fields = (await session?.ask({ cmd: 'fields' }))?.fields as Array<{ text: string }>;
    expect(fields[0]?.text).to.equal(' \uff21\u3000');
  });

  it('knows input control on double-byte code pages only, in SFE, SA and MF', async () => {
    const record = 'f5c3 2902c0c1fe01 c1 28fe01 c2 28fe00 1dc1 c3 11 40c3 2c01fe01';
    const single = await screenAfter(record);
    expect(single.fields).to.deep.equal([
      { at: 0, fa: 'c1' },
      { at: 3, fa: 'c1' },
    ]);
    expect(single.attrs).to.deep.equal([]);
    expect((single.ebcdic as string[])[0]).to.equal('..c1c2..c3');
    session?.kill();
    await host.close();
    host = new ScriptedHost();
    const double = await screenAfter(record, { codepage: 'cp939' });
    expect(double.fields).to.deep.equal([
      { at: 0, fa: 'c1', ic: '01' },
      { at: 3, fa: 'c1', ic: '01' },
    ]);
    expect(double.attrs).to.deep.equal([{ at: 2, n: 1, ic: '01' }]);
  });
});
