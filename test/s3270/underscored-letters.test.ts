import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { runWithHost } from './raw-host.js';

/** Code page 310 has capitals with a line below them at 0x41 to 0x49, 0x51 to 0x59 and 0x62 to 0x69. */
describe('underscored letters of the APL set for scripts', () => {
  it('have the combining low line behind them, however the set was chosen, and other characters have none', async () => {
    // by Graphic Escape, by a character attribute, by the field; then a letter of the code page
    const text = '1d60 0841 0849 0870 1d60 2843f1 51 284300 2902c06043f1 62 69 1d60 c1';
    const { output } = await runWithHost(
      [process.execPath, commandScript, 's3270', '-utf8'],
      ['-model', '2', '127.0.0.1:PORT'],
      {
        says: `fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 f5c3114040 ${text} ffef`,
        actions: ['Ascii(0,0,1,12)', 'ReadBuffer(Ascii)'],
      },
    );
    expect(output).to.match(/^data: {2}A\u0332I\u0332⋄ J\u0332 S\u0332Z\u0332 A $/m);
    expect(output).to.match(/^data: SF\(c0=e0\) 41ccb2 49ccb2 e28b84 SF\(c0=e0\) SA\(43=f1\) 4accb2 /m);
  });
});
