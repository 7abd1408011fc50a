import { expect } from 'chai';
import { codePageNames, findCodePage, findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { needS3270 } from '../../support/s3270.js';
import { shownByS3270 } from './s3270-screen.js';

const pagesOfS3270 = (
  'cp037 cp273 cp275 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp803 cp870 cp871 cp875 cp880 cp1026 cp1047 cp1140 ' +
  'cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 cp1160 bracket cp930 cp935 cp937 cp939 cp1388'
).split(' ');

/** Codes on which s3270 and the tables part, and not the same in every version of s3270: docs/run/codepages.md. */
const arguable: Readonly<Record<string, readonly number[]>> = {
  cp285: [0xa1],
  cp875: [0x6a, 0x74, 0xb4, 0xb8, 0xcc, 0xcd, 0xdd],
};

describe('code pages of terminals', () => {
  for (const name of pagesOfS3270) {
    it(`${name} shows what s3270 shows`, async function () {
      needS3270(this);
      const codes = Array.from({ length: 0xff - 0x40 }, (_, at) => 0x40 + at);
      const byS3270 = await shownByS3270(name, codes, codes.length);
      const units = findTerminalCodePage(name)?.unitOfByte ?? new Uint16Array(256);
      const ours = codes.map((code, at) => {
        if (arguable[name]?.includes(code)) return byS3270[at];
        const character = String.fromCharCode(units[code] as number);
        return ['\u001a', '\ufffd'].includes(character) ? ' ' : character;
      });
      expect(byS3270).to.have.length(codes.length);
      expect(ours).to.deep.equal(byS3270);
    });
  }

  it('type what they show', () => {
    for (const name of ['cp930', 'cp935', 'cp939', 'cp1388']) {
      const page = findTerminalCodePage(name);
      for (const code of [0xa0, 0xa1, 0xe1, 0x81]) {
        const unit = page?.unitOfByte[code] ?? 0xfffd;
        if (unit > 0x1f && unit !== 0xfffd) expect(page?.encodeCodePoint(unit), `${name} ${code}`).to.equal(code);
      }
    }
  });

  it('are the pages themselves where nothing differs, and one object', () => {
    const different = codePageNames().filter((name) => findTerminalCodePage(name) !== findCodePage(name));
    expect(different).to.deep.equal(['IBM930', 'IBM935', 'IBM939', 'IBM1388']);
    expect(findTerminalCodePage('japanese-kana')).to.equal(findTerminalCodePage('cp930'));
    expect(findTerminalCodePage('cp930')?.doubleByte).to.equal(findCodePage('cp930')?.doubleByte);
    expect(findTerminalCodePage('bracket')).to.equal(findCodePage('bracket'));
    expect(findTerminalCodePage('none')).to.equal(undefined);
  });
});
