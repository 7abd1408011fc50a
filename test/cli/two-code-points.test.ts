import { expect } from 'chai';
import { runWithHost } from '../s3270/raw-host.js';
import { DriveProcess } from '../support/drive-process.js';
import { commandScript } from '../support/project.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';

const record = (data: string) => `00 00 00 0000 ${data} ffef`;
/** A protected field with か゚ (ECB5 between shift-out and shift-in), and a field with input control. */
const SCREEN = 'f5c3 1d60 0e ecb5 0f 2902c040fe01 1140d01d60';
/** Source: `printf 'か゚ト゚æ̀' | uconv -f utf-8 -t ibm-1399` (ICU 72), shift-out and shift-in round all. */
const TEXT = 'か\u309aト\u309aæ\u0300';
const CODES = '0eecb5ecc1ecc30f';

/** Characters that are two code points in Unicode and one in code pages 1390 and 1399. */
describe('characters of two code points', () => {
  for (const codepage of ['cp1399', 'cp1390']) {
    it(`are matched and typed by sallyport drive: ${codepage}`, async () => {
      const host = new ScriptedHost();
      const session = new DriveProcess(await host.listen(), { codepage });
      await host.send(`${AGREEMENT} ${BIND}`);
      await host.send(record(SCREEN));
      expect(await session.ask({ cmd: 'wait', text: 'か\u309a' })).to.deep.equal({});
      await session.ask({ cmd: 'key', key: 'Tab' });
      expect(await session.ask({ cmd: 'type', text: TEXT })).to.deep.equal({});
      await session.ask({ cmd: 'key', key: 'Enter' });
      await host.hears(CODES);
      session.kill();
      await host.close();
    });
  }

  it('are typed and pasted by sallyport s3270', async () => {
    const says = `fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 ${SCREEN} ffef`;
    const paste = `PasteString(${Buffer.from(TEXT).toString('hex')})`;
    for (const action of [`String("${TEXT}")`, paste]) {
      const { sent } = await runWithHost(
        [process.execPath, commandScript, 's3270', '-utf8', '-codepage', 'cp1399'],
        ['-model', '2', '127.0.0.1:PORT'],
        { says, actions: ['Set(aidWait,false)', 'Tab()', action, 'Enter()'] },
      );
      expect(sent, action).to.include(CODES);
    }
  });
});
