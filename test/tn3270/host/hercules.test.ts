import { expect } from 'chai';
import { DriveProcess } from '../../support/drive-process.js';
import { Hercules, hasHercules } from '../../support/hercules.js';
import { skipUnless } from '../../support/need.js';

/** Our terminal against a second host that we did not write. */
describe('a session with Hercules', () => {
  let hercules: Hercules | undefined;

  before(async () => {
    if (hasHercules()) hercules = await Hercules.start(['00C0', '00C1', '00C2', '00C3']);
  });

  after(() => hercules?.stop());

  for (const model of ['3279-2-E', '3278-2', '3279-4-E']) {
    it(`shows its banner on a ${model}`, async function () {
      skipUnless(this, hercules !== undefined, 'hercules is not installed');
      const session = new DriveProcess(hercules?.port ?? 0, { model });
      try {
        expect(await session.ask({ cmd: 'wait', text: 'Hercules Version', seconds: 15 })).to.deep.equal({});
        const rows = await session.rows();
        expect(rows[6]).to.match(/^ Device number {5}: 00C[0-3]$/);
        expect(await session.quit()).to.equal(0);
      } finally {
        session.kill();
      }
    });
  }
});
