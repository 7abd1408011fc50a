import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodePageMessage } from '../../../src/terminal/protocol/decode-page-message.js';
import { SentScreen } from '../../../src/terminal/protocol/sent-screen.js';
import { decodeServerMessage, encodeMessage } from '../../../src/terminal/protocol/server-message.js';
import type { ScreenImage } from '../../../src/tn3270/screen/screen-image.js';
import { ScreenText } from '../../../src/tn3270/screen/screen-text.js';
import { projectFolder } from '../../support/project.js';

const [page = '', aboutMacros = ''] = readFileSync(
  join(projectFolder, 'docs', 'write', 'screen-protocol.md'),
  'utf8',
).split('\n## Macros\n');
const examplesOf = (part: string) =>
  [...part.matchAll(/^\| `(\{"k":"(.)".*?\})` \|/gm)].map(([, text = '', kind = '']) => [kind, text] as const);
/** The examples of docs/write/screen-protocol.md, by their kinds. */
const examples = new Map(examplesOf(page));

/** Row 8 says "Name": what stands there, what the protocol tells of it. */
const NAME = 560;
const free = { lock: 0, notice: '' } as const;

function example(kind: string, lists: Readonly<Record<string, string>> = {}): string {
  let text = examples.get(kind) ?? '';
  for (const [name, list] of Object.entries(lists)) text = text.replace(`"${name}":[…]`, `"${name}":${list}`);
  expect(text, 'everything filled in').to.not.include('[…]');
  return text;
}

function image(revision: number, members: Partial<ScreenImage> = {}): ScreenImage {
  const cells = new Array<string>(1_920).fill(' ');
  for (const [at, character] of [...'Name'].entries()) cells[NAME + at] = character;
  return {
    revision,
    erased: 0,
    rows: 24,
    columns: 80,
    cursor: 590,
    formatted: true,
    locked: false,
    operatorError: undefined,
    insertMode: false,
    alarms: 0,
    text: ScreenText.ofCells(cells),
    // protected and numeric, intensified, modified; the colours and highlighting of GA23-0059: red, underscore, neutral black
    fields: [field(559, 0x30 | 0x08 | 0x01, 0xf2, 0xf4, 0xf0, 4), field(580, 0, 0, 0, 0, 0)],
    runs: [{ address: 560, length: 4, foreground: 0xf7, highlighting: 0xf1, background: 0 }],
    ...members,
  };
}

function field(
  address: number,
  attribute: number,
  foreground: number,
  highlighting: number,
  background: number,
  validation: number,
) {
  const others = { outlining: 0, doubleByteEntry: 0 };
  return { address, length: 20, attribute, foreground, highlighting, background, validation, ...others };
}

describe('messages as docs/write/screen-protocol.md has them', () => {
  it('are read from it: every kind', () => {
    expect([...examples.keys()].join('')).to.equal('wicsdgaretpfnvhkq');
  });

  it('the whole screen', () => {
    expect(new SentScreen().update(image(17), free)).to.equal(
      example('s', { t: '[[560,"Name"]]', f: '[[559,57,2,4,16,4],[580,0]]', x: '[[560,4,7,1]]' }),
    );
  });

  it('what changed since a revision', () => {
    const sent = new SentScreen();
    sent.update(image(17), free);
    const cells = [...image(18).text.cells];
    cells[600] = '東';
    cells[601] = '';
    cells[610] = '𠮷';
    expect(sent.update(image(18, { text: ScreenText.ofCells(cells) }), free)).to.equal(
      example('d', { t: '[[600,"東\u007f"],[610,["𠮷"]]]' }),
    );
  });

  it('fields and characters with attributes, whole where they changed; alarms, a lock, a notice', () => {
    const sent = new SentScreen();
    const cells = Array.from({ length: 1_920 }, (_, at) => String.fromCharCode(65 + (at % 26)));
    sent.update(image(17, { text: ScreenText.ofCells(cells) }), free);
    const changed = image(18, { text: ScreenText.ofCells(cells), fields: [], runs: [], alarms: 2 });
    expect(sent.update(changed, { lock: 'programCheck 755/2', notice: 'Hello "you"' })).to.equal(
      '{"k":"d","b":17,"r":18,"u":590,"l":"programCheck 755/2","g":2,"o":"Hello \\"you\\"","t":[],"f":[],"x":[]}',
    );
  });

  it('the revision of the last erase, where a page has not been told of it', () => {
    const sent = new SentScreen();
    expect(sent.update(image(17, { erased: 15 }), free)).to.match(/"l":0,"e":15,"t"/);
    expect(sent.update(image(18, { erased: 15 }), free)).to.not.include('"e"');
    expect(sent.update(image(20, { erased: 19 }), free)).to.equal(
      '{"k":"d","b":18,"r":20,"u":590,"l":0,"e":19,"t":[]}',
    );
  });

  for (const kind of ['w', 'i', 'c', 'g', 'a', 'r', 'e', 't', 'n', 'v']) {
    it(`of the kind ${kind}, both ways`, () => {
      const message = decodeServerMessage(example(kind));
      expect(message).to.include({ k: kind });
      expect(message && encodeMessage(message)).to.equal(example(kind));
    });
  }

  for (const kind of ['h', 'k', 'q']) {
    it(`of a page, of the kind ${kind}, both ways`, () => {
      const message = decodePageMessage(example(kind));
      expect(message).to.include({ k: kind });
      expect(message && encodeMessage(message)).to.equal(example(kind));
    });
  }

  it('about macros, both ways', () => {
    const [ofPages = '', ofServer = ''] = aboutMacros.split('\nFrom the server:\n');
    expect([...examplesOf(ofPages), ...examplesOf(ofServer)].map(([kind]) => kind).join('')).to.equal('mxmx');
    for (const [, text] of examplesOf(ofPages)) {
      const message = decodePageMessage(text);
      expect(message && encodeMessage(message)).to.equal(text);
    }
    for (const [, text] of examplesOf(ofServer)) {
      const message = decodeServerMessage(text);
      expect(message && encodeMessage(message)).to.equal(text);
    }
  });
});
