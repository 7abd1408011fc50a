import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { chordsOf, chordWords, isKeptByBrowser, type KeyPress, modifierOf } from '../../client/terminal/keys/chord.js';
import { keysInForce } from '../../client/terminal/keys/key-map.js';
import { keyMapTables } from '../../client/terminal/keys/key-map-tables.js';
import { terminalKeyActions } from '../../client/terminal/terminal-keys.js';
import { textActionWords } from '../../client/terminal/text/text-actions.js';
import { words } from '../../client/terminal/words/words.js';
import { isChord } from '../../src/terminal/settings/read-settings.js';
import { keyMaps } from '../../src/terminal/settings/terminal-settings.js';
import '../support/english-words.js';
import { projectFolder } from '../support/project.js';

/** A key as browsers tell it (UI Events). */
function pressed(key: string, code: string, held = '', location = 0): KeyPress {
  return {
    key,
    code,
    location,
    ctrlKey: held.includes('C'),
    altKey: held.includes('A'),
    shiftKey: held.includes('S'),
    metaKey: held.includes('M'),
    isComposing: held.includes('I'),
    getModifierState: (name) => name === 'AltGraph' && held.includes('G'),
  };
}

describe('keys by their names', () => {
  const cases: readonly (readonly [string, KeyPress, readonly string[]])[] = [
    ['a function key', pressed('F3', 'F3'), ['F3']],
    ['with modifiers, in one order', pressed('F3', 'F3', 'SAC'), ['Ctrl+Alt+Shift+F3']],
    ['a letter with Alt, where it is printed', pressed('a', 'KeyQ', 'A'), ['Alt+A']],
    ['a digit of a French keyboard', pressed('&', 'Digit1', 'A'), ['Alt+1']],
    ['a letter by itself is a character', pressed('a', 'KeyA'), []],
    ['a letter with Shift, too', pressed('A', 'KeyA', 'S'), []],
    ['AltGr writes', pressed('@', 'KeyQ', 'CAG'), []],
    ['an input method is at work', pressed('a', 'KeyA', 'AI'), []],
    ['an accent waits for its letter', pressed('Dead', 'BracketLeft'), []],
    ['Enter of the numeric keypad', pressed('Enter', 'NumpadEnter', '', 3), ['NumpadEnter', 'Enter']],
    ['a digit of the numeric keypad', pressed('7', 'Numpad7', '', 3), ['Numpad7']],
    ['the same key without Num Lock', pressed('Home', 'Numpad7', '', 3), ['NumpadHome', 'Home']],
    ['plus of the numeric keypad with Ctrl', pressed('+', 'NumpadAdd', 'C', 3), ['Ctrl+NumpadAdd', 'Ctrl++']],
    ['a modifier by itself', pressed('Control', 'ControlRight', 'C', 2), []],
    ['the blank with Ctrl', pressed(' ', 'Space', 'C'), ['Ctrl+Space']],
    ['a Russian letter with Ctrl', pressed('л', 'KeyK', 'C'), ['Ctrl+Л', 'Ctrl+K']],
    ['a Greek one with Alt and Shift', pressed('Τ', 'KeyT', 'AS'), ['Alt+Shift+Τ', 'Alt+Shift+T']],
    ['a letter of ours stays where it is printed', pressed('ç', 'KeyC', 'A'), ['Alt+Ç']],
    ['sharp s has no capital letter', pressed('ß', 'Minus', 'A'), ['Alt+ß']],
  ];
  for (const [what, press, chords] of cases) {
    it(what, () => {
      expect(chordsOf(press)).to.deep.equal(chords);
      for (const chord of chords) expect(isChord(chord), chord).to.equal(true);
    });
  }

  it('modifiers by themselves have a side', () => {
    expect(modifierOf(pressed('Control', 'ControlRight', 'C', 2))).to.equal('ControlRight');
    expect(modifierOf(pressed('Enter', 'Enter'))).to.equal(undefined);
  });
});

describe('key maps', () => {
  const known = [
    ...terminalKeyActions({ press: () => {} }).map(({ id }) => id),
    ...Object.keys(textActionWords),
    'leaveScreen',
    'macros',
    'fullScreen',
    'settings',
    'palette',
    'help',
  ];

  for (const name of keyMaps) {
    it(`of ${name} have keys that are keys, for actions that there are, and all attention keys`, () => {
      const entries = Object.entries(keyMapTables[name]);
      for (const [chord, action] of entries) {
        expect(isChord(chord), chord).to.equal(true);
        expect(isKeptByBrowser(chord), chord).to.equal(false);
        expect(known).to.include(action);
      }
      const actions = entries.map(([, action]) => action);
      expect(actions).to.include.members(['ENTER', 'CLEAR', 'PA1', 'PA2', 'PA3', 'Reset', 'ATTN', 'leaveScreen']);
      for (let at = 1; at <= 24; at++) expect(actions).to.include(`PF${String(at).padStart(2, '0')}`);
    });
  }

  it('are those of docs/use/terminal.md', () => {
    const page = readFileSync(join(projectFolder, 'docs', 'use', 'terminal.md'), 'utf8');
    const table = page.split('| | PC | x3270 | HOD | PCOMM |')[1]?.split('\n\n')[0] ?? '';
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|---'));
    const told = new Map(
      rows.map((row) => row.split('|').map((cell) => cell.trim())).map((row) => [row[1], row.slice(2, 6)]),
    );
    const labels = new Map(terminalKeyActions({ press: () => {} }).map(({ id, label }) => [id, label]));
    labels.set('leaveScreen', words('action.leaveScreen')).set('macros', words('action.macros'));
    labels.set('fullScreen', words('action.fullScreen')).set('settings', words('action.settings'));
    labels.set('palette', words('commands.palette')).set('help', words('commands.help'));
    for (const [id, key] of Object.entries(textActionWords)) labels.set(id, words(key));
    const expected = new Map<string, readonly string[]>();
    for (const [id, label] of labels) {
      if (/^PF/.test(id) && !/^PF0[178]$|^PF13$/.test(id)) continue;
      const cells = keyMaps.map((name) =>
        Object.entries(keyMapTables[name])
          .flatMap(([chord, action]) => (action === id ? [chordWords(chord)] : []))
          .join(', '),
      );
      if (cells.some((cell) => cell !== '')) expected.set(label, cells);
    }
    expect(Object.fromEntries(told)).to.deep.equal(Object.fromEntries(expected));
  });

  it("take one's own keys before those of the map, and none where one wants none", () => {
    const keys = keysInForce({ keyMap: 'PC', keys: { 'Ctrl+R': 'Reset', Escape: '', F1: 'PA1' } });
    expect([keys.get('Ctrl+R'), keys.get('Escape'), keys.get('F1'), keys.get('F2')]).to.deep.equal([
      'Reset',
      undefined,
      'PA1',
      'PF02',
    ]);
  });
});
