import { expect } from 'chai';
import { keymapOfResources } from '../../client/terminal/settings/x3270-keymap.js';
import '../support/english-words.js';

const LARGEST_KEYMAP = 65_536;

const MOST_KEYS = 300;

/** Two key maps that x3270 4.1ga10 has in it (`strings x3270`), as they would stand in a resource file. */
const rlx = String.raw`! my keys
x3270.keymap.rlx: #override <Key>Prior: PF(7)\n\
<Key>Next: PF(8)\n\
<Key>Control_R: Enter()\n\
<Key>Return: Newline()\n\
<Key>Pause: Clear()\n\
Shift<Key>Escape: Attn()\n\
Shift<Key>Left: PreviousWord()\n\
Ctrl<Key>Right: NextWord()\n\
Alt<Key>u: Unselect()\n\
Shift<Key>End: EraseEOF()\n\
<Key>End: FieldEnd()
`;
const ibm = String.raw`x3270.keymap.ibm-xterm: :<Key>Execute: Enter()\n!<Key>Pause: Clear()\n!<Key>BackSpace: BackSpace() Delete()\n!Alt<Key>c: Clear()\n!Ctrl<Key>End: EraseEOF()\n:<Key>KP_Subtract: PA(1)\n:<Key>Control_L: Reset()\n:<Key>Insert: Set(insertMode,true)\n~@Num_Lock<Key>F13: PF(13)`;

describe('key maps of x3270', () => {
  it('are taken over from a resource file, and what could not be is told by its line', () => {
    const { keys, faults, isKeymap } = keymapOfResources(rlx);
    expect(isKeymap).to.equal(true);
    expect(keys).to.deep.equal({
      PageUp: 'PF07',
      PageDown: 'PF08',
      ControlRight: 'ENTER',
      Enter: 'Newline',
      Pause: 'CLEAR',
      'Shift+Escape': 'ATTN',
      'Shift+ArrowLeft': 'PreviousWord',
      'Ctrl+ArrowRight': 'NextWord',
      'Shift+End': 'EraseEOF',
      End: 'FieldEnd',
    });
    expect(faults).to.deep.equal([{ line: 10, text: 'Alt<Key>u: Unselect()', reason: 'there is no such action here' }]);
  });

  it('are taken over from one long line, with all ways to write modifiers', () => {
    const { keys, faults } = keymapOfResources(ibm);
    expect(keys).to.deep.equal({
      Pause: 'CLEAR',
      'Alt+C': 'CLEAR',
      'Ctrl+End': 'EraseEOF',
      NumpadSubtract: 'PA1',
      ControlLeft: 'Reset',
      Insert: 'Insert',
      F13: 'PF13',
    });
    expect(faults.map(({ text }) => text)).to.deep.equal([
      ':<Key>Execute: Enter()',
      '!<Key>BackSpace: BackSpace() Delete()',
    ]);
  });

  const lines: readonly (readonly [line: string, told: RegExp | Readonly<Record<string, string>>])[] = [
    ['x3270.keymap.mine: Ctrl<Key>r: Reset()', { 'Ctrl+R': 'Reset' }],
    ['Ctrl<Key>u: DeleteField()', { 'Ctrl+U': 'DeleteField' }],
    [':<Key>BackSpace: Erase()', { Backspace: 'Erase' }],
    ['Ctrl Shift<Key>r: PA("2")', { 'Ctrl+Shift+R': 'PA2' }],
    ['Meta<Key>A: Attn()', { 'Alt+Shift+A': 'ATTN' }],
    ['Ctrl<Key>comma: PF(24)', { 'Ctrl+,': 'PF24' }],
    ['<Key>a: Reset()', /types a character/],
    ['<Key>F1: PF(25)', /no such action/],
    ['<Key>F1: __proto__()', /no such action/],
    ['Ctrl<Key>constructor: Reset()', /no such key/],
    ['Hyper<Key>F1: PF(1)', /no such key/],
    ['Ctrl<Btn1Down>: Reset()', /only keys/],
    ['what is this?', /not a line of a key map/],
    ['x3270.keymap.mine.nvt: <Key>F1: PF(1)', /line mode/],
  ];
  for (const [line, told] of lines) {
    it(`know: ${line}`, () => {
      const { keys, faults } = keymapOfResources(line);
      if (told instanceof RegExp) {
        expect(keys).to.deep.equal({});
        expect(faults[0]?.reason).to.match(told);
      } else expect(keys).to.deep.equal(told);
    });
  }

  it('are none where there is no key in it', () => {
    expect(keymapOfResources('hello\nworld').isKeymap).to.equal(false);
  });

  it('have a bound of keys, and of characters', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    const symbols = [...letters].flatMap((one) => [...'!#$%&*-./='].map((mark) => [one, mark] as const));
    const chords = symbols.map(
      ([one], at) => `${['Ctrl', 'Alt', 'Ctrl Alt'][at % 3]}${at % 2 === 0 ? ' Shift' : ''}<Key>${one}: Tab()`,
    );
    const functionKeys = Array.from({ length: 24 * 8 }, (_, at) => {
      const held = ['', 'Ctrl', 'Alt', 'Shift', 'Ctrl Alt', 'Ctrl Shift', 'Alt Shift', 'Ctrl Alt Shift'][
        Math.floor(at / 24)
      ];
      return `${held}<Key>F${(at % 24) + 1}: Tab()`;
    });
    const read = keymapOfResources([...chords, ...functionKeys].join('\n'));
    expect(Object.keys(read.keys)).to.have.length(MOST_KEYS);
    expect(read.faults.some(({ reason }) => reason === 'There is no room for more keys of your own.')).to.equal(true);
    const late = `${' '.repeat(LARGEST_KEYMAP)}<Key>F1: PF(1)`;
    expect(keymapOfResources(late).keys).to.deep.equal({});
  });
});
