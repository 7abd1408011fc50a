import { DrawnFields } from './drawn-fields.js';
import { fieldLabel } from './field-label.js';
import { lineDrawing } from './line-drawing.js';
import type { CharacterStyle } from './model/presentation-buffer.js';
import { styleClasses } from './style-classes.js';
import type { ShownField } from './terminal-port.js';
import { words } from './words/words.js';

export interface ShownScreen {
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly cells: readonly string[];
  readonly fields: readonly ShownField[];
  readonly styleAt: (position: number) => CharacterStyle | undefined;
  readonly isFormatted: boolean;
  readonly hiddenText: (field: ShownField) => string;
}

interface TextSegment {
  readonly kind: 'text';
  readonly start: number;
  readonly style: string;
  text: string;
}

interface InputSegment {
  readonly kind: 'input';
  readonly start: number;
  readonly length: number;
  readonly field: ShownField;
  readonly style: string;
  /** Styled content if characters have their own attributes; otherwise empty. */
  readonly pieces: readonly TextSegment[];
}

type Segment = TextSegment | InputSegment;

interface ShownRow {
  readonly element: HTMLElement;
  structure: string;
  nodes: (HTMLElement | Text)[];
  texts: (string | undefined)[];
}

/**
 * The screen as DOM: one row of text for each line, with an input for each unprotected part of a field. So browsers can
 * select, search, read aloud and fill it in. Rows with an unchanged layout keep their elements.
 */
export class ScreenView {
  readonly #place: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #cursor: HTMLElement;
  readonly #crossHair: HTMLElement;
  #rows: ShownRow[] = [];
  columns = 0;
  /** Without a screen there are no fields. */
  isFormatted = true;
  #position = 0;
  #revealed = -1;
  readonly #drawn = new DrawnFields();
  #composed: HTMLInputElement | undefined;
  /** Inputs by their first position. */
  readonly inputs = new Map<number, HTMLInputElement>();
  readonly fieldOfInput = new WeakMap<HTMLInputElement, { readonly field: ShownField; readonly start: number }>();

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#grid = place.closest<HTMLElement>('.console') ?? place;
    this.#cursor = ornament('cursor');
    this.#crossHair = ornament('cross-hair');
    // the page shows the painted screen until the first screen arrives
    for (const child of place.children) child.toggleAttribute('inert', true);
    place.append(this.#drawn.element, this.#crossHair, this.#cursor);
  }

  /** Input in which an input method is composing: its content must not change. */
  get composed(): HTMLInputElement | undefined {
    return this.#composed;
  }

  set composed(input: HTMLInputElement | undefined) {
    this.#composed = input;
    if (input !== undefined) this.#drawn.draw(input, [], this.columns);
  }

  show(screen: ShownScreen): void {
    if (screen.rows !== this.#rows.length || screen.columns !== this.columns) this.#begin(screen);
    const segments = rowSegments(screen);
    for (const [at, row] of this.#rows.entries()) this.#showRow(screen, row, segments[at] ?? []);
    this.#drawn.forgetOthers();
    this.#showCursor(screen, segments);
    this.isFormatted = screen.isFormatted;
  }

  /** Position at window coordinates; undefined outside the screen. */
  positionAt(clientX: number, clientY: number): number | undefined {
    const [first] = this.#rows;
    if (first === undefined) return undefined;
    const box = first.element.getBoundingClientRect();
    const column = Math.floor(((clientX - box.left) / box.width) * this.columns);
    const row = Math.floor((clientY - box.top) / box.height);
    if (column < 0 || column >= this.columns || row < 0 || row >= this.#rows.length) return undefined;
    return row * this.columns + column;
  }

  inputAt(position: number): { readonly element: HTMLInputElement; readonly start: number } | undefined {
    const lineStart = Math.floor(position / this.columns) * this.columns;
    for (let start = position; start >= lineStart; start--) {
      const element = this.inputs.get(start);
      if (element === undefined) continue;
      return position < start + element.size ? { element, start } : undefined;
    }
    return undefined;
  }

  /** Scrolls nothing if the cursor has not moved, as the user may have scrolled. @param isAnew scroll anyway */
  revealCursor(isAnew = false): void {
    if (this.#position === this.#revealed && !isAnew) return;
    this.#revealed = this.#position;
    const place = this.#place;
    place.scrollLeft = 0;
    const field = this.inputAt(this.#position)?.element;
    const inSight = { block: 'nearest', inline: 'nearest' } as const;
    if (field !== undefined && field.offsetWidth < place.clientWidth / 2) field.scrollIntoView(inSight);
    this.#cursor.scrollIntoView(inSight);
  }

  #begin({ rows, columns }: ShownScreen): void {
    this.columns = columns;
    this.inputs.clear();
    this.#rows = Array.from({ length: rows }, () => {
      const element = document.createElement('div');
      element.className = 'row';
      return { element, structure: '', nodes: [], texts: [] };
    });
    this.#place.replaceChildren(
      ...this.#rows.map(({ element }) => element),
      ...[this.#drawn.element, this.#crossHair, this.#cursor],
    );
    this.#grid.style.setProperty('--columns', String(columns));
    this.#grid.style.setProperty('--rows', String(rows));
  }

  #showRow(screen: ShownScreen, row: ShownRow, segments: readonly Segment[]): void {
    const structure = segments.map(structureOf).join('|');
    if (structure !== row.structure) this.#buildRow(row, segments, structure);
    let isLabelChanged = false;
    for (const [at, segment] of segments.entries()) {
      const node = row.nodes[at];
      if (node === undefined) continue;
      if (segment.kind === 'input') {
        const input = node as HTMLInputElement;
        this.fieldOfInput.set(input, segment);
        if (isLabelChanged || !input.hasAttribute('aria-label')) nameInput(screen, input, segment);
        const text = inputText(screen, segment);
        if (input.value !== text && input !== this.composed) input.value = text;
        this.#drawn.draw(input, input === this.composed ? [] : segment.pieces, screen.columns);
      } else if (row.texts[at] !== segment.text) {
        firstTextNode(node).data = segment.text;
        row.texts[at] = segment.text;
        isLabelChanged = true;
      }
    }
  }

  /** Elements that also exist in the new structure keep their place. */
  #buildRow(row: ShownRow, segments: readonly Segment[], structure: string): void {
    const { element, nodes: old } = row;
    row.structure = structure;
    row.nodes = segments.map((segment, at) => {
      if (segment.kind === 'input') return this.#input(segment);
      const kept = keptNode(old[at], segment.style);
      if (kept === undefined) row.texts[at] = undefined;
      return kept ?? textNode(segment.style);
    });
    for (const [at, node] of row.nodes.entries()) {
      const before = old[at];
      if (before === undefined) element.append(node);
      else if (before !== node) before.replaceWith(node);
    }
    for (const node of old.slice(segments.length)) node.remove();
    row.texts.length = segments.length;
    for (const node of old) {
      if (!(node instanceof HTMLInputElement)) continue;
      const start = this.fieldOfInput.get(node)?.start ?? -1;
      if (this.inputs.get(start) === node) this.inputs.delete(start);
    }
  }

  #input({ field, start, length, style }: InputSegment): HTMLInputElement {
    const input = document.createElement('input');
    input.type = field.isNonDisplayable ? 'password' : 'text';
    input.className = style;
    input.size = length;
    input.style.setProperty('--characters', String(length));
    input.autocomplete = field.isNonDisplayable ? 'current-password' : 'off';
    input.setAttribute('autocapitalize', 'off');
    input.setAttribute('autocorrect', 'off');
    input.spellcheck = false;
    if (field.isNumeric) input.inputMode = 'decimal';
    this.inputs.set(start, input);
    return input;
  }

  #showCursor({ cursor, columns, cells }: ShownScreen, segments: readonly (readonly Segment[])[]): void {
    this.#position = cursor;
    // a block cursor repeats its character in reverse; a two-column character is seen through it
    const isWide = cells[cursor] === '' || cells[cursor + 1] === '';
    this.#cursor.dataset.sign = isWide ? '' : (cells[cursor] ?? '');
    const segment = segments[Math.floor(cursor / columns)]?.findLast(({ start }) => start <= cursor);
    const piece = segment?.kind === 'input' ? segment.pieces.findLast(({ start }) => start <= cursor) : undefined;
    const under = piece ?? segment;
    this.#cursor.classList.toggle('over-reverse', under?.style.split(' ').includes('reverse'));
    // not on the screen element: the browser would restyle the whole screen with each key
    for (const { style } of [this.#cursor, this.#crossHair]) {
      style.setProperty('--row', String(Math.floor(cursor / columns)));
      style.setProperty('--column', String(cursor % columns));
    }
  }
}

function ornament(name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  element.setAttribute('aria-hidden', 'true');
  return element;
}

function structureOf(segment: Segment): string {
  const { start, style } = segment;
  if (segment.kind === 'text') return `${start}${style}`;
  const { isNonDisplayable, isNumeric } = segment.field;
  return `${start}i${segment.length}${style}${isNonDisplayable ? 'p' : ''}${isNumeric ? 'n' : ''}`;
}

function textNode(style: string): HTMLElement | Text {
  const text = document.createTextNode('');
  if (style === '') return text;
  const span = document.createElement('span');
  span.className = style;
  span.append(text);
  return span;
}

function keptNode(node: HTMLElement | Text | undefined, style: string): HTMLElement | Text | undefined {
  if (node === undefined || node instanceof HTMLInputElement) return undefined;
  if (node instanceof Text) return style === '' ? node : undefined;
  if (style === '') return undefined;
  if (node.className !== style) node.className = style;
  return node;
}

function firstTextNode(node: HTMLElement | Text): Text {
  return (node instanceof Text ? node : node.firstChild) as Text;
}

function nameInput(screen: ShownScreen, input: HTMLInputElement, { field, start }: InputSegment): void {
  const label = fieldLabel(screen, field);
  const isContinued = start !== (field.address + 1) % screen.cells.length;
  const row = Math.floor(start / screen.columns) + 1;
  input.setAttribute('aria-label', isContinued ? words('field.continued', { label, row }) : label);
}

function inputText({ cells, hiddenText, rows, columns }: ShownScreen, segment: InputSegment): string {
  const { field, start, length } = segment;
  if (field.isNonDisplayable) {
    const offset = (start - field.address - 1 + rows * columns) % (rows * columns);
    return hiddenText(field)
      .slice(offset, offset + length)
      .trimEnd();
  }
  return cells
    .slice(start, start + length)
    .join('')
    .trimEnd();
}

export function rowSegments(screen: ShownScreen): Segment[][] {
  const { rows, columns, cells, fields } = screen;
  const result: Segment[][] = Array.from({ length: rows }, () => []);
  const byAttribute = new Map(fields.map((field) => [field.address, field]));
  let field = fields.at(-1);
  let fieldStyle = styleClasses(field);
  let own: CharacterStyle | undefined;
  let ownStyle = '';
  for (let at = 0; at < rows * columns; ) {
    const row = result[Math.floor(at / columns)] as Segment[];
    const begun = byAttribute.get(at);
    if (begun !== undefined) {
      field = begun;
      fieldStyle = styleClasses(begun);
      own = undefined;
      append(row, at, '', ' ', false);
      at++;
      continue;
    }
    const rowEnd = (Math.floor(at / columns) + 1) * columns;
    if (field !== undefined && !field.isProtected) {
      let end = at + 1;
      while (end < rowEnd && !byAttribute.has(end)) end++;
      const pieces = field.isNonDisplayable ? [] : piecesOf(screen, at, end, field);
      row.push({ kind: 'input', start: at, length: end - at, field, style: fieldStyle, pieces });
      at = end;
      continue;
    }
    const cell = cells[at] ?? ' ';
    const isWide = cells[at + 1] === '' && cell !== '' && (at + 1) % columns !== 0;
    const next = screen.styleAt(at);
    if (next !== undefined && next !== own) ownStyle = styleClasses(field, next);
    own = next;
    if (cell !== '') append(row, at, own === undefined ? fieldStyle : ownStyle, cell, isWide);
    at++;
  }
  return result;
}

/** Styled parts of an input; empty if all have the style of the field. */
function piecesOf({ cells, styleAt }: ShownScreen, from: number, to: number, field: ShownField): TextSegment[] {
  const pieces: TextSegment[] = [];
  let hasOwn = false;
  for (let at = from; at < to && !hasOwn; at++) hasOwn = styleAt(at) !== undefined;
  if (!hasOwn) return pieces;
  const isUnderscored = styleClasses(field).split(' ').includes('underscore');
  for (let at = from; at < to; at++) {
    const cell = cells[at] ?? ' ';
    if (cell === '') continue;
    const style = styleClasses(field, styleAt(at));
    // the input already has an underline
    append(
      pieces,
      at,
      isUnderscored ? style.replace('underscore', '').trim() : style,
      cell,
      cells[at + 1] === '' && at + 1 < to,
    );
  }
  return pieces;
}

function append(row: Segment[], start: number, style: string, text: string, wide: boolean): void {
  const last = row.at(-1);
  const unusual = wide || (text.codePointAt(0) ?? 0) > 0x17f;
  if (!unusual && last?.kind === 'text' && last.style === style) last.text += text;
  // a character that may come from another font gets its own cell
  else row.push({ kind: 'text', start, style: unusual ? cellStyle(style, text, wide) : style, text });
}

function cellStyle(style: string, text: string, wide: boolean): string {
  return wide ? `${style} cell2` : `${style} cell1${lineDrawing(text)}`;
}
