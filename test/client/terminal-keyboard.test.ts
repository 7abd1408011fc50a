import { expect } from 'chai';
import fc from 'fast-check';
import { BrowserTerminal } from '../../client/terminal/model/browser-terminal.js';
import type { FieldTuple, WholeScreenMessage } from '../../src/terminal/protocol/server-message.js';
import { aplUnitOfByte } from '../../src/tn3270/codepage/apl-character-set.js';
import { isNonDisplayable, isProtected } from '../../src/tn3270/datastream/field-attribute.js';
import type { ScreenImage } from '../../src/tn3270/screen/screen-image.js';
import { rounds } from '../support/rounds.js';
import { Terminal } from '../tn3270/screen/terminal.js';

const GRAPHIC_ESCAPED = 0x01;

const POSITIONS = 1920;
const COLUMNS = 80;

interface RandomField {
  /** How far behind the attribute before it. */
  readonly gap: number;
  readonly attribute: number;
  readonly validation: number;
  readonly coloured: boolean;
  readonly text: string;
}

interface RandomScreen {
  readonly start: number;
  readonly fields: readonly RandomField[];
  /** On an unformatted screen, a text at the start of each row. */
  readonly rows: readonly string[];
  readonly cursor: number;
}

const keys = [
  ...['Up', 'Down', 'Left', 'Right', 'Home', 'Tab', 'BackTab', 'Newline', 'FieldEnd', 'BackSpace'],
  ...[
    'NextWord',
    'PreviousWord',
    'Erase',
    'DeleteField',
    'Delete',
    'EraseEOF',
    'EraseInput',
    'Insert',
    'Dup',
    'FieldMark',
    'Reset',
  ],
];
/** No blank at its end: the protocol does not tell it from a null. */
const content = fc.stringMatching(/^(?:[a-zA-Z0-9. -]{0,5}[a-z0-9])?$/);
const field: fc.Arbitrary<RandomField> = fc.record({
  gap: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 200 })),
  attribute: fc.constantFrom(0x00, 0x00, 0x00, 0x10, 0x0c, 0x08, 0x20, 0x30, 0x2c, 0x01, 0x04),
  validation: fc.constantFrom(0, 0, 0, 0, 0, 4, 2, 6, 1),
  coloured: fc.boolean(),
  text: content,
});
const screens: fc.Arbitrary<RandomScreen> = fc.record({
  start: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1880, max: POSITIONS - 1 })),
  fields: fc.oneof({ weight: 5, arbitrary: fc.array(field, { minLength: 1, maxLength: 8 }) }, fc.constant([])),
  rows: fc.array(content, { maxLength: 4 }),
  cursor: fc.integer({ min: 0, max: 400 }),
});
const strokes = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...keys) },
    { weight: 5, arbitrary: fc.stringMatching(/^'[a-z0-9A-Z .-]{1,4}$/) },
    { weight: 5, arbitrary: fc.constantFrom("'a", "'1", "'ab", "'⍺") },
    // what follows is typed ahead
    { weight: 1, arbitrary: fc.constantFrom('Enter', 'PF3', 'PA1') },
  ),
  { maxLength: 40 },
);

/** Fields with double-byte characters between shift-out and shift-in. No blank is beside these: it would look like one of them. */
const subfieldTexts = fc
  .array(fc.constantFrom('81', '828384', '0e42c10f', '0e42c142c242c30f', '814081'), { maxLength: 5 })
  .map((parts) => parts.join(''));
const subfieldScreens = fc.array(
  fc.record({ attribute: fc.constantFrom('c0', 'c0', 'd0', '60', 'f0'), text: subfieldTexts, nulls: fc.nat(4) }),
  { minLength: 1, maxLength: 5 },
);
/** All but what writes characters: where these go beside double-byte ones is the business of each side. */
const keysThatWriteNothing = keys.filter((key) => !['Insert', 'Dup', 'FieldMark'].includes(key));

describe('local keyboard of the terminal page', () => {
  it('does what the keyboard of the server does', () => {
    fc.assert(
      fc.property(screens, strokes, (screen, pressed) => {
        const server = new Terminal({ numericLock: true });
        expect(server.host(recordOf(screen))).to.equal(undefined);
        const before = server.screen.image;
        const attentions: string[] = [];
        const model = new BrowserTerminal({ attention: (key) => attentions.push(key) });
        model.receive(messageOf(before));
        compare(model, server, 'before any key');
        for (const stroke of pressed) {
          // on a 3278 the key only turns the mode on
          if (stroke === 'Insert' && server.screen.image.insertMode) continue;
          server.press(stroke);
          if (stroke.startsWith("'")) model.type(stroke.slice(1));
          else model.press(stroke);
          compare(model, server, `after ${stroke}`);
        }
        expect(attentions.length, 'keys sent').to.equal(server.sent.length);
        compareForm(model, server, before);
      }),
      { numRuns: rounds(1500, 400) },
    );
  });

  it('does it among double-byte characters that the host sent, too', () => {
    fc.assert(
      fc.property(
        subfieldScreens,
        fc.array(fc.constantFrom(...keysThatWriteNothing), { maxLength: 30 }),
        (fields, pressed) => {
          const server = new Terminal({ codePage: 'cp939' });
          const body = fields
            .map(({ attribute, text, nulls }) => `1d${attribute}${text}${'00'.repeat(nulls)}`)
            .join('');
          expect(server.host(`f5c3 110046 ${body} 1df0 11004713`)).to.equal(undefined);
          const model = new BrowserTerminal();
          model.receive(messageOf(server.screen.image));
          compare(model, server, 'before any key');
          for (const key of pressed) {
            server.press(key);
            model.press(key);
            compare(model, server, `after ${key}`);
          }
        },
      ),
      { numRuns: rounds(300, 100) },
    );
  });

  it('types no more double-byte characters than the server has room for, with shift-out and shift-in', () => {
    const typed = fc.array(
      fc.oneof(
        fc.constantFrom('Left', 'Right', 'Delete', 'BackSpace', 'Insert', 'EraseEOF', 'Home'),
        fc.constantFrom("'漢", "'字", "'日本", "'a", "'bc", "' "),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), typed, (length, pressed) => {
        const server = new Terminal({ codePage: 'cp939' });
        const end = (11 + length).toString(16).padStart(4, '0');
        // input control lets shift codes be typed
        expect(server.host(`f5c3 11000a 2902c0c0fe01 11${end} 1df0 11000b13`)).to.equal(undefined);
        const model = new BrowserTerminal();
        model.receive(messageOf(server.screen.image));
        for (const stroke of pressed) {
          if (stroke.startsWith("'")) model.type(stroke.slice(1));
          else model.press(stroke);
          if (model.operatorError !== undefined) model.press('Reset');
          const { cursor, fields } = model.formFor();
          const refusal = server.screen.enterForm({ entries: fields, cursor, sendsFields: true, tellsNulls: true });
          expect(refusal, `${stroke} made ${JSON.stringify(fields)}`).to.equal(undefined);
        }
      }),
      { numRuns: rounds(300, 100) },
    );
  });
});

function compare(model: BrowserTerminal, server: Terminal, when: string): void {
  const { image, state, keyboard } = server.screen;
  const same = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) expect(ours, `${what} ${when}`).to.equal(theirs);
  };
  same('cursor', model.cursor, image.cursor);
  same('error', model.operatorError, image.operatorError);
  same('insert mode', model.insertMode, image.insertMode);
  same('typed ahead', model.typedAhead, keyboard.typedAhead);
  same('locked', model.lock !== 0, image.locked);
  same('cells', model.cells().join(''), image.text.cells.join(''));
  same(
    'modified',
    model.fields.map(({ isModified }) => isModified).join(),
    image.fields.map(({ attribute }) => (attribute & 1) === 1).join(),
  );
  same(
    'attributes of characters',
    model.runs.map(({ address, length, colour }) => `${address} ${length} ${colour}`).join(),
    image.runs.map(({ address, length, foreground }) => `${address} ${length} ${foreground & 15}`).join(),
  );
  same('rows', state.space.rows, model.rows);
}

/** What is sent is what the server has typed itself: every field that is other than before, with what stands in it, nulls as nulls. */
function compareForm(model: BrowserTerminal, server: Terminal, before: ScreenImage): void {
  const { fields } = model.formFor();
  const sent = new Map(fields.map(({ address, text }) => [address, text]));
  for (const { address, length, attribute } of before.fields) {
    if (isProtected(attribute) || length === 0) continue;
    const first = (address + 1) % POSITIONS;
    const positions = Array.from({ length }, (_, offset) => (first + offset) % POSITIONS);
    const isHidden = isNonDisplayable(attribute);
    const now = isHidden ? hiddenText(server, positions) : displayedText(server, positions);
    const text = sent.get(first);
    if (text === undefined) {
      expect(now.replaceAll('\u0000', ' '), `field ${first} not sent`).to.equal(
        isHidden ? '' : shownText(before, positions),
      );
    } else {
      expect(text.replaceAll('\u001c', '*').replaceAll('\u001e', ';')).to.equal(now);
    }
  }
  for (const { id, address } of before.fields.length === 0 ? [] : fields) {
    expect(id).to.match(/^V[0-9A-F]{7}$/);
    expect(Number.parseInt(id.slice(1), 16)).to.equal(address);
  }
}

const shownText = ({ text: { cells } }: ScreenImage, positions: readonly number[]) =>
  positions
    .map((at) => cells[at])
    .join('')
    .trimEnd();

function displayedText({ screen }: Terminal, positions: readonly number[]): string {
  const { cells } = screen.image.text;
  const { codes } = screen.state.space.planes;
  return withoutEnd(positions.map((at) => (codes[at] === 0 ? '\u0000' : cells[at])).join(''));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: nulls are what is compared
const withoutEnd = (text: string) => text.replace(/[ \u0000]+$/, '');

function hiddenText({ screen }: Terminal, positions: readonly number[]): string {
  const { space, codePage } = screen.state;
  const { codes, characterSets } = space.planes;
  const signs: Readonly<Record<number, string>> = { 0: '\u0000', 28: '*', 30: ';' };
  const texts = positions.map((at) => {
    const code = codes[at] as number;
    if (characterSets[at] === GRAPHIC_ESCAPED) return String.fromCharCode(aplUnitOfByte[code] as number);
    return signs[code] ?? codePage.decode(Uint8Array.of(code));
  });
  return withoutEnd(texts.join(''));
}

/** Erase/Write, keyboard restored: fields with their text, or rows of text. */
function recordOf({ start, fields, rows, cursor }: RandomScreen): string {
  const { codePage } = new Terminal().screen.state;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const setAddress = (address: number) => `11${address.toString(16).padStart(4, '0')}`;
  const places: { at: number; field: RandomField }[] = [];
  let at = start;
  for (const field of fields) {
    if (places.length > 0) at += field.gap;
    if (at - start >= POSITIONS) break;
    places.push({ at: at % POSITIONS, field });
  }
  let record = 'f5c3';
  for (const [index, { at: address, field }] of places.entries()) {
    const following = (places[index + 1] ?? places[0])?.at ?? address;
    const room = (following - address - 1 + POSITIONS) % POSITIONS;
    const { attribute, validation, coloured } = field;
    const text = attribute === 0x0c ? '' : field.text.slice(0, room).trimEnd();
    record += `${setAddress(address)}2902c0${(attribute | 0xc0).toString(16)}c1${hex(Uint8Array.of(validation))}`;
    if (coloured && text !== '') record += `2842f2${hex(codePage.encode(text))}284200`;
    else record += hex(codePage.encode(text));
  }
  if (places.length === 0) {
    for (const [row, text] of rows.entries()) record += setAddress(row * COLUMNS) + hex(codePage.encode(text));
  }
  return `${record}${setAddress(cursor)}13`;
}

/** The whole screen as docs/write/screen-protocol.md has it. */
function messageOf(image: ScreenImage): WholeScreenMessage {
  const { revision, rows, columns, cursor, text, fields, runs } = image;
  return {
    k: 's',
    r: revision,
    n: rows,
    c: columns,
    u: cursor,
    l: 0,
    t: [[0, text.cells.map((cell) => cell || '\u007f').join('')]],
    f: fields.map(({ address, attribute, validation }): FieldTuple => [address, attribute, 0, 0, 0, validation]),
    x: runs.map(({ address, length, foreground }) => [address, length, foreground & 15]),
  };
}
