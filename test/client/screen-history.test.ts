import { expect } from 'chai';
import {
  differences,
  findText,
  type PicturedScreen,
  ScreenHistory,
} from '../../client/terminal/model/screen-history.js';
import { form, PASSWORD, press } from './modelled-form.js';

const LONGEST_SOUGHT = 200;
const MOST_KEPT = 50;
const MOST_KEPT_BYTES = 8_000_000;

/** Two rows of ten, with a field whose attribute stands at an address. */
function picture(text: string, address = 0, runs = 0): PicturedScreen {
  const field = {
    address,
    length: 5,
    isProtected: false,
    isNumeric: false,
    isNonDisplayable: false,
    isIntensified: false,
    colour: 0,
    highlighting: 0,
    background: 0,
  };
  const run = { address: 0, length: 1, colour: 0, highlighting: 0, background: 0 };
  return { rows: 2, columns: 10, cells: [...text.padEnd(20)], fields: [field], runs: Array(runs).fill(run) };
}

const textOf = ({ cells }: PicturedScreen) => cells.join('').trimEnd();

describe('the screens before', () => {
  it('are one for each key for the host, with what was typed, and when it came', () => {
    const history = new ScreenHistory();
    history.written(picture('menu'), 1);
    history.written(picture('menu, clock'), 2);
    history.left(picture('menu, typed'), 'ENTER', 2);
    history.written(picture('menu again'), 3);
    expect(history.screens.map((screen) => [screen.number, textOf(screen), screen.at, screen.key])).to.deep.equal([
      [1, 'menu, typed', 1, 'ENTER'],
      [2, 'menu again', 3, undefined],
    ]);
  });

  it('are others where the host puts up another one unasked', () => {
    const history = new ScreenHistory();
    history.written(picture('one'), 1);
    history.written(picture('other', 5), 2);
    expect(history.screens.map(textOf)).to.deep.equal(['one', 'other']);
  });

  it('are not made by keys that nothing comes of', () => {
    const history = new ScreenHistory();
    history.left(picture(''), 'ENTER', 2);
    history.written(picture('one'), 1);
    history.left(picture('one'), 'ENTER', 2);
    history.left(picture('one'), 'ATTN', 3);
    expect(history.screens.map(({ key }) => key)).to.deep.equal(['ENTER']);
  });

  it('are no others where the host, or the server, shows the same again, until something is typed on it', () => {
    const history = new ScreenHistory();
    history.written(picture('one'), 1);
    history.left(picture('one'), 'ENTER', 2);
    history.written(picture('one'), 3);
    expect(history.screens).to.have.length(1);
    history.left(picture('one, typed'), 'PF03', 4);
    history.written(picture('two'), 5);
    expect(history.screens.map((screen) => [textOf(screen), screen.at, screen.key])).to.deep.equal([
      ['one', 1, 'ENTER'],
      ['one, typed', 4, 'PF03'],
      ['two', 5, undefined],
    ]);
  });

  it('are fifty at most', () => {
    const history = new ScreenHistory();
    for (let at = 1; at <= MOST_KEPT + 1; at++) {
      history.written(picture(`screen ${at}`), at);
      history.left(picture(`screen ${at}`), 'ENTER', 2);
      expect(history.screens).to.have.length(Math.min(at, MOST_KEPT));
    }
    expect([history.screens[0]?.number, history.screens.at(-1)?.number]).to.deep.equal([2, MOST_KEPT + 1]);
  });

  it('take a bounded room: the oldest make way', () => {
    const history = new ScreenHistory();
    // 8 bytes for each of 20 positions, 160 for the field, 96 for each run
    const runs = (MOST_KEPT_BYTES / 2 - 320) / 96;
    const add = (text: string, more: number) => {
      history.written(picture(text, 0, Math.floor(runs) + more), 1);
      history.left(picture(text, 0, Math.floor(runs) + more), 'ENTER', 2);
    };
    add('x', 0);
    add('y', 0);
    expect(history.screens).to.have.length(2);
    add('z', 1);
    expect(history.screens).to.have.length(1);
  });

  it('have nothing that is not displayed', () => {
    const model = press(form(), "'ann", 'Tab', 'Tab', "'canary1");
    const { rows, columns, fields, runs } = model;
    const history = new ScreenHistory();
    const cells = model.cells();
    history.written({ rows, columns, fields, runs, cells }, 1);
    expect(
      cells
        .slice(PASSWORD, PASSWORD + 9)
        .join('')
        .trim(),
    ).to.equal('');
    expect(JSON.stringify(history.screens)).to.include('"a","n","n"').and.not.include('"c","a","n","a","r","y"');
  });

  it('are compared position by position, on each row', () => {
    const one = picture('abcdefghijklmnop');
    expect(differences(one, one)).to.deep.equal([]);
    expect(differences(one, picture('aXXdefghiYZlmnop'))).to.deep.equal([
      { position: 1, length: 2 },
      { position: 9, length: 1 },
      { position: 10, length: 1 },
    ]);
    const other = { ...picture('ab'), rows: 1, columns: 20 };
    expect(differences(one, other), 'of another size').to.deep.equal([{ position: 0, length: 20 }]);
  });
});

describe('finding text', () => {
  it('takes capital letters for small ones, on one row', () => {
    const screen = picture('Abc abc xaBC');
    expect(findText(screen, 'ABC')).to.deep.equal([
      { position: 0, length: 3 },
      { position: 4, length: 3 },
    ]);
    expect(findText(screen, 'c')).to.have.length(3);
    expect(findText(screen, 'xab'), 'over the end of a row').to.deep.equal([]);
  });

  it('finds nothing where nothing is sought, and takes no pattern', () => {
    expect(['', '  ', '.', '['].map((sought) => findText(picture('abc'), sought))).to.deep.equal([[], [], [], []]);
  });

  it('counts positions of wide characters, and of those whose small letter is longer', () => {
    const screen = picture('');
    const cells = ['漢', '', 'a', 'İ', 'b', ...Array<string>(15).fill(' ')];
    expect(findText({ ...screen, cells }, 'a')).to.deep.equal([{ position: 2, length: 1 }]);
    expect(findText({ ...screen, cells }, '漢')).to.deep.equal([{ position: 0, length: 2 }]);
    expect(findText({ ...screen, cells }, 'b')).to.deep.equal([{ position: 4, length: 1 }]);
  });

  it('looks for a text of bounded length', () => {
    const cells = Array<string>(400).fill('a');
    const screen = { rows: 1, columns: 400, cells };
    expect(findText(screen, 'a'.repeat(LONGEST_SOUGHT))).to.have.length(2);
    expect(findText(screen, `${'a'.repeat(LONGEST_SOUGHT)}b`), 'what is longer is cut').to.have.length(2);
  });
});
