import type { CodePage } from '../../tn3270/codepage/code-page.js';
import { attributeTypes, colours, highlightings } from '../../tn3270/datastream/attributes.js';
import { type AttributePair, type WriteControl, WriteEncoder } from '../../tn3270/datastream/encoder.js';
import { displays, fieldAttributeBits } from '../../tn3270/datastream/field-attribute.js';

export type Colour = 'blue' | 'red' | 'pink' | 'green' | 'turquoise' | 'yellow' | 'neutralWhite';

export interface TextStyle {
  readonly colour?: Colour;
  readonly intensified?: boolean;
  readonly highlighting?: Exclude<keyof typeof highlightings, 'default' | 'normal'>;
}

interface InputStyle extends TextStyle {
  readonly length: number;
  readonly value?: string;
  readonly hidden?: boolean;
  readonly numeric?: boolean;
  readonly validation?: number;
}

/** Rows and columns count from 1. The field attribute is one column before the item. */
type PanelItem = { readonly row: number; readonly column: number } & (
  | { readonly kind: 'text'; readonly codes: Uint8Array; readonly style: TextStyle }
  | { readonly kind: 'graphic'; readonly codes: readonly number[] }
  | { readonly kind: 'input'; readonly name: string; readonly style: InputStyle }
);

export class Panel {
  readonly #items: PanelItem[] = [];
  readonly #codePage: CodePage;
  #cursor: string | undefined;

  constructor(codePage: CodePage) {
    this.#codePage = codePage;
  }

  /** Protected text. Characters that the code page lacks become SUB. */
  text(row: number, column: number, text: string, style: TextStyle = {}): this {
    return this.codes(row, column, this.#codePage.encode(text), style);
  }

  /** Protected text as bytes of the data stream, for example in another code page. */
  codes(row: number, column: number, codes: Uint8Array, style: TextStyle = {}): this {
    this.#items.push({ kind: 'text', row, column, codes, style });
    return this;
  }

  /** Message and keys in the last rows of the smallest screen. */
  footed(message: string, keys: string): this {
    return this.text(22, 2, message, { colour: 'yellow' }).text(24, 2, keys, { colour: 'blue' });
  }

  graphic(row: number, column: number, codes: readonly number[]): this {
    this.#items.push({ kind: 'graphic', row, column, codes });
    return this;
  }

  /** An input field. The cursor is in the first one, unless `cursorAt` sets another. */
  input(name: string, row: number, column: number, style: InputStyle): this {
    this.#items.push({ kind: 'input', row, column, name, style });
    return this;
  }

  cursorAt(name: string): this {
    this.#cursor = name;
    return this;
  }

  fieldNames(columns: number): Map<number, string> {
    const names = new Map<number, string>();
    for (const item of this.#items) {
      if (item.kind === 'input') names.set((item.row - 1) * columns + item.column - 1, item.name);
    }
    return names;
  }

  initialValues(): Record<string, string> {
    const values: Record<string, string> = {};
    for (const item of this.#items) if (item.kind === 'input') values[item.name] = item.style.value ?? '';
    return values;
  }

  /** @param erase false to write over the current screen */
  encode(terminal: PanelTerminal, control: WriteControl, erase = true): Uint8Array {
    const { rows, columns, isLarge } = terminal;
    const command = erase ? (isLarge ? 'eraseWriteAlternate' : 'eraseWrite') : 'write';
    const encoder = new WriteEncoder(command, control, rows * columns);
    const cursor = this.#cursor ?? this.#items.find((item) => item.kind === 'input')?.name;
    for (const item of this.#items) {
      if (item.row > rows || item.column > columns) continue;
      const place = (item.row - 1) * columns + item.column - 1;
      encoder.setBufferAddress((place - 1 + rows * columns) % (rows * columns));
      if (item.kind === 'input') this.#encodeInput(encoder, item, terminal, item.name === cursor, place);
      else if (item.kind === 'graphic') encodeGraphic(encoder, item.codes);
      else {
        startField(encoder, fieldAttributeBits.protected | intensity(item.style), item.style, terminal);
        encoder.text(item.codes.subarray(0, columns - item.column + 1));
      }
    }
    return encoder.finish();
  }

  #encodeInput(
    encoder: WriteEncoder,
    { style }: Extract<PanelItem, { kind: 'input' }>,
    terminal: PanelTerminal,
    hasCursor: boolean,
    place: number,
  ): void {
    const display = style.hidden === true ? displays.nonDisplayable : intensity(style);
    startField(encoder, display | (style.numeric === true ? fieldAttributeBits.numeric : 0), style, terminal);
    if (hasCursor) encoder.insertCursor();
    encoder.text(this.#codePage.encode(style.value ?? '').subarray(0, style.length));
    const positions = terminal.rows * terminal.columns;
    encoder.setBufferAddress((place + style.length) % positions);
    encoder.startField(fieldAttributeBits.protected | fieldAttributeBits.numeric);
  }
}

export interface PanelTerminal {
  readonly rows: number;
  readonly columns: number;
  readonly isLarge: boolean;
  readonly extended: boolean;
}

function intensity({ intensified }: TextStyle): number {
  return intensified === true ? displays.intensified : displays.normal;
}

function encodeGraphic(encoder: WriteEncoder, codes: readonly number[]): void {
  encoder.startField(fieldAttributeBits.protected);
  for (const code of codes) encoder.graphicEscape(code);
}

function startField(
  encoder: WriteEncoder,
  attribute: number,
  style: TextStyle & { readonly validation?: number },
  { extended }: PanelTerminal,
): void {
  const pairs: AttributePair[] = [];
  if (style.colour !== undefined) pairs.push([attributeTypes.foreground, colours[style.colour]]);
  if (style.highlighting !== undefined) pairs.push([attributeTypes.highlighting, highlightings[style.highlighting]]);
  if (style.validation !== undefined) pairs.push([attributeTypes.validation, style.validation]);
  if (pairs.length === 0 || !extended) encoder.startField(attribute);
  else encoder.startFieldExtended([[attributeTypes.field, attribute | 0xc0], ...pairs]);
}
