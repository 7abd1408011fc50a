import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { runWithHost } from './raw-host.js';
import { ownS3270 } from './started-s3270.js';

/** What a host says from its beginning, and what a script does meanwhile. */
export interface CaseBeside {
  readonly words: readonly string[];
  readonly says: string;
  readonly actions: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export const tn3270 = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';
export const screen = [
  'f5c3 114040 1d60 d5c1d4c57a 1d40 c1c240c3c44040c5c6 1d60 1140d1 1d50 f1f2 1d60 11c150 1d44 6fa2 1d60 11c1d9 1d64 50c1 1d60',
  '11c260 1d4c a2a3 1d60 11c2f0 1d68 40c1 1d60 114046 13 ffef',
].join('');
/** Colours, highlighting, and characters that HTML and RTF write otherwise. */
export const model2 = ['-model', '2', '127.0.0.1:PORT'];

/** Variables of express logon, which 4.1 does not know: IBMELF is YES, IBMAPPLID is None. */
const expressLogon = '0349424d454c4601594553' + '0349424d4150504c4944014e6f6e65';

/** A test for each case: s3270 and ours answer the same, and send the same. */
export function areTheSame(cases: Readonly<Record<string, CaseBeside>>): void {
  for (const [name, { words, ...play }] of Object.entries(cases)) {
    it(`are the same: ${name}`, async function () {
      needS3270(this);
      const [real, own] = await Promise.all([
        runWithHost(['s3270', '-utf8'], words, play),
        runWithHost(ownS3270, ['-set', 'contentionResolution=false', ...words], play),
      ]);
      expect(own.output.split('\n')).to.deep.equal(real.output.split('\n'));
      expect(own.sent.replaceAll(expressLogon, '')).to.equal(real.sent);
      expect(own.errors).to.equal(real.errors);
    });
  }
}
