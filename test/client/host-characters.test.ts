import { expect } from 'chai';
import { BrowserTerminal } from '../../client/terminal/model/browser-terminal.js';
import { HostCharacters } from '../../client/terminal/model/host-characters.js';
import { lackingCharacters } from '../../client/terminal/text/lacking-characters.js';
import type { FieldTuple } from '../../src/terminal/protocol/server-message.js';
import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { typedRepertoire } from '../../src/tn3270/screen/typed-repertoire.js';
import { press, sent, whole } from './modelled-form.js';

const KA = 'か\u309a';
/** Fields of 20 positions at 10, 40, 70 and 100: single-byte, with input control, double-byte only, not displayed. */
const FIELDS: readonly FieldTuple[] = [
  [9],
  [30, 32],
  [39, 0, 0, 0, 0, 0, 1],
  [60, 32],
  [69, 0, 0, 0, 0, 0, 2],
  [90, 32],
  [99, 12],
  [120, 32],
];
const [SINGLE, MIXED, DOUBLE, HIDDEN] = [10, 40, 70, 100] as const;

function told(name: string): HostCharacters {
  const codePage = findTerminalCodePage(name);
  if (codePage === undefined) throw new Error(`no code page ${name}`);
  const { narrow, wide, wideOthers } = typedRepertoire(codePage);
  const characters = new HostCharacters();
  characters.take({ k: 'c', s: narrow, w: wide && Buffer.from(wide).toString('base64'), x: wideOthers });
  return characters;
}

function terminal(codePage: string, cursor: number, further: Partial<Parameters<typeof whole>[0]> = {}) {
  const model = new BrowserTerminal({ characters: told(codePage) });
  expect(model.receive(whole({ f: FIELDS, t: [], u: cursor, ...further }))).to.equal(true);
  return model;
}

describe('characters that the server has told a page', () => {
  it('take the positions that they take on the host', () => {
    const { widthOf } = told('IBM1399');
    // ICU 72, ibm-1399: か゚ ECB5, æ̀ ECC3, 漢 4F58, U+20B9F B38D, α 4141; ｱ, a and € are single bytes
    expect([KA, 'æ\u0300', '漢', '\u{20b9f}', 'α'].map(widthOf)).to.deep.equal([2, 2, 2, 2, 2]);
    expect(['ｱ', 'a', '€'].map(widthOf)).to.deep.equal([1, 1, 1]);
    expect(['\u309a', '😀', 'か\u0301', '\u0007', ''].map(widthOf)).to.deep.equal([0, 0, 0, 0, 0]);
    const german = told('IBM273').widthOf;
    expect(['ä', '€', '漢', '“', 'α'].map(german)).to.deep.equal([1, 1, 0, 0, 0]);
  });

  it('may be two code points, typed and pasted as one', () => {
    const typed = terminal('IBM1399', MIXED);
    expect(typed.type(`${KA}ト\u309aa`)).to.equal('done');
    expect(typed.cells().slice(MIXED, MIXED + 5)).to.deep.equal([KA, '', 'ト\u309a', '', 'a']);
    expect(sent(typed)).to.deep.equal([['V0000028', `${KA}ト\u309aa`]]);
    const pasted = terminal('IBM1390', MIXED);
    expect(pasted.paste(KA)).to.deep.equal({ outcome: 'done', left: undefined });
    expect([pasted.cells()[MIXED], pasted.cursor]).to.deep.equal([KA, MIXED + 2]);
  });

  it('that the code page lacks are refused when they are typed', () => {
    expect(terminal('IBM037', SINGLE).type('“')).to.equal('minusFunction');
    expect(terminal('IBM273', SINGLE).type('漢')).to.equal('minusFunction');
  });

  it('of two positions are refused where the field has no input control, and single ones in a double-byte field', () => {
    expect(terminal('IBM1399', SINGLE).type('漢')).to.equal('doubleByteCharacter');
    expect(terminal('IBM1399', MIXED).type('漢')).to.equal('done');
    expect(terminal('IBM1399', DOUBLE).type('漢')).to.equal('done');
    expect(terminal('IBM1399', DOUBLE).type('a')).to.equal('doubleByteCharacter');
    expect(terminal('IBM1399', 5, { f: [] }).type('漢'), 'without fields').to.equal('doubleByteCharacter');
  });

  it('of two positions go over and behind others that the host has sent, in any field', () => {
    const sentByHost = { t: [[SINGLE, ' 漢\u007f '] as const] };
    for (const cursor of [SINGLE + 1, SINGLE + 3]) {
      expect(terminal('IBM1399', cursor, sentByHost).type('字'), String(cursor)).to.equal('done');
    }
    expect(terminal('IBM1399', SINGLE + 6, sentByHost).type('字')).to.equal('doubleByteCharacter');
  });

  describe('and a paste has others', () => {
    const pasted = (cursor: number, text: string) => {
      const model = terminal('IBM037', cursor);
      const { outcome, left, lacking } = model.paste(text);
      expect([outcome, left, sent(model)]).to.deep.equal(['minusFunction', undefined, []]);
      if (lacking === undefined) throw new Error('nothing is lacking');
      return { model, found: lackingCharacters(lacking, (character) => model.takes(character)) };
    };

    it('is not begun; each is named once, with what usually replaces it', () => {
      const { model, found } = pasted(SINGLE, '“a” – “b”…');
      expect(found.count).to.equal(6);
      expect(found.characters).to.deep.equal(['“', '”', '–', '…']);
      expect(found.replaced).to.equal('"a" - "b"...');
      expect(model.paste(found.replaced ?? '').outcome).to.equal('done');
      expect(sent(model)).to.deep.equal([['V000000A', '"a" - "b"...']]);
    });

    it('offers nothing where one of them has no replacement', () => {
      const { found } = pasted(SINGLE, '“a” 😀');
      expect(found.characters).to.deep.equal(['“', '”', '😀']);
      expect(found.replaced).to.equal(undefined);
      expect([...found.replacements]).to.deep.equal([
        ['“', '"'],
        ['”', '"'],
      ]);
    });

    it('names none of a text for a field that is not displayed', () => {
      const { found } = pasted(HIDDEN, 'pass“word');
      expect(found).to.deep.equal({ count: 1, characters: [], replacements: new Map(), replaced: undefined });
    });
  });

  it('are by Unicode alone before the server has told them', () => {
    const model = new BrowserTerminal({ characters: new HostCharacters() });
    model.receive(whole({ f: FIELDS, t: [], u: SINGLE }));
    expect(press(model, "'漢").lock).to.equal(0);
  });
});
