import type { HostField, HostRun, HostScreen } from '../tn3270/screen/form-screen.js';
import { escapes } from './escapes.js';
import { fieldAt, fieldValue, runIndexAt } from './field-lookup.js';
import {
  areaKeyField,
  type Choice,
  type ClickableArea,
  type FieldControl,
  type OfferedChoice,
  type PageDeclarations,
  positionsOf,
} from './page-declarations.js';
import type { Rendering, Segment } from './rendering.js';
import { fieldKeywords, matching, type StyleRule } from './screen-page.js';

/** Options of the page at the tag (reference 2.8). */
export interface GenerateOptions {
  readonly withId: boolean;
  readonly withMaxLength: boolean;
  readonly addsToLists: boolean;
  readonly addsToCheckBoxes: boolean;
}

const escapeHtml = escapes.get('HTML-ESCAPES') ?? ((text: string) => text);
const LONGEST_LABEL = 60;
const LEADERS = ' .:=>_-';

export function generateHtml(rendering: Rendering, from: number, to: number, options: GenerateOptions): void {
  const { page, context } = rendering;
  if (context.screen === undefined) return;
  if (page.isGenerating) rendering.fail('a text inserted by GENERATE-HTML contains GENERATE-HTML');
  page.isGenerating = true;
  new HtmlWriter(rendering, context.screen, options).write(from, to);
  page.isGenerating = false;
}

/** Escapes host text for any position in a page, including both kinds of quotes. */
export function escapeHostText(text: string): string {
  return escapeHtml(text).replaceAll("'", '&#39;');
}

/** Marks fields that the browser encrypts or encodes: nondisplay fields, and fields declared ENCRYPTED. */
export function encryptionMark({ page, context }: Rendering): (field: HostField) => 'VCRYPT' | '' {
  if (context.encryptsFields !== true) return () => '';
  const declared = context.encryptedFields?.(page.fieldNames);
  return ({ isNonDisplayable, start }) => (isNonDisplayable || declared?.has(start) === true ? 'VCRYPT' : '');
}

class HtmlWriter {
  readonly #encryptionOf: ReturnType<typeof encryptionMark>;
  #text = '';
  #field: HostField | undefined;
  #run: HostRun | undefined;
  #nextRun = 0;
  #area: ClickableMarkup | undefined;
  readonly #areas: DeclaredAreas;
  readonly #controls: ReadonlyMap<number, FieldControl>;

  constructor(
    readonly rendering: Rendering,
    readonly screen: HostScreen,
    readonly options: GenerateOptions,
  ) {
    this.#encryptionOf = encryptionMark(rendering);
    const { areas = [], fields = [] } = rendering.context.declarations ?? {};
    const isSecret = (field: HostField) => field.isNonDisplayable || this.#encryptionOf(field) !== '';
    this.#areas = new DeclaredAreas(rendering, screen, areas);
    this.#controls = declaredControls(screen, fields, isSecret);
  }

  write(from: number, to: number): void {
    const { screen, rendering } = this;
    const positions = screen.rows * screen.columns;
    rendering.charge(to - from);
    this.#nextRun = runIndexAt(screen, from);
    const free = screen.fields.length === 0 ? freeField(screen) : undefined;
    for (let at = from; at < to; ) {
      if (at > from && at % screen.columns === 0) {
        this.#endArea();
        this.#text += '\n';
      }
      const field = free !== undefined && at === free.start ? free : fieldAt(screen, at);
      if (field !== free && field?.start === (at + 1) % positions) {
        this.#endField();
        this.#text += ' ';
        at++;
        continue;
      }
      if (field !== this.#field) this.#beginField(field);
      if (field === undefined || field.isProtected) this.#character(at++);
      else at = this.#inputPart(field, at, to);
    }
    this.#endField();
    this.#flush();
  }

  /** Creates an input where its field starts or first appears; further rows are blank. @returns end of the part */
  #inputPart(field: HostField, at: number, to: number): number {
    const { columns } = this.screen;
    const rowEnd = (Math.floor(at / columns) + 1) * columns;
    const end = Math.min(to, rowEnd, at + remaining(this.screen, field, at));
    const isStillToCome = field.start > at && field.start < to;
    const isMadeAlready = at !== field.start && this.rendering.page.hasMade(field.start);
    if (isStillToCome || isMadeAlready) this.#text += ' '.repeat(end - at);
    else this.#input(field, end - at);
    return end;
  }

  #character(at: number): void {
    const area = this.#areas.markupAt(at);
    if (area !== this.#area) this.#beginArea(area);
    const run = this.#runOf(at);
    if (run !== this.#run) {
      this.#endRun();
      if (run !== undefined) {
        this.#flush();
        this.#run = run;
        this.#begin(this.rendering.page.beforeCharacters, runWords(run));
      }
    }
    this.#text += this.screen.cells[at] ?? '';
  }

  /** Requires ascending positions. */
  #runOf(at: number): HostRun | undefined {
    let run = this.screen.runs[this.#nextRun];
    while (run !== undefined && run.start + run.length <= at) run = this.screen.runs[++this.#nextRun];
    return run !== undefined && run.start <= at ? run : undefined;
  }

  /** Clickable text stays within a row and a field, and contains its own runs of characters. */
  #beginArea(area: ClickableMarkup | undefined): void {
    this.#endArea();
    if (area === undefined) return;
    this.#endRun();
    this.#flush();
    this.#area = area;
    this.rendering.write(area.begin);
  }

  #endArea(): void {
    if (this.#area === undefined) return;
    this.#endRun();
    this.#flush();
    this.rendering.write(this.#area.end);
    this.#area = undefined;
  }

  #beginField(field: HostField | undefined): void {
    this.#endField();
    this.#field = field;
    if (field === undefined) return;
    this.#flush();
    this.#begin(this.rendering.page.before, fieldKeywords(field));
  }

  #endField(): void {
    this.#endArea();
    this.#endRun();
    if (this.#field === undefined) return;
    this.#flush();
    this.#end(this.rendering.page.after, fieldKeywords(this.#field));
    this.#field = undefined;
  }

  #endRun(): void {
    if (this.#run === undefined) return;
    this.#flush();
    this.#end(this.rendering.page.afterCharacters, runWords(this.#run));
    this.#run = undefined;
  }

  #input(field: HostField, size: number): void {
    const { rendering, screen } = this;
    const { page } = rendering;
    this.#flush();
    rendering.charge(page.inputs.size + field.length + (field.start % screen.columns));
    const control = this.#controls.get(field.start);
    const value = fieldValue(screen, field);
    if (control === undefined || control.kind === 'hidden') page.offered.add(field.start);
    else page.choices.set(field.start, offeredOf(control, page.nameOf(screen, field), value));
    if (control === undefined) this.#textInput(field, value, size);
    else if (control.kind === 'choice') this.#list(control, field, value);
    else if (control.kind === 'binary') this.#checkBox(control, field, value, size);
    else {
      rendering.write(`<input type="hidden" name="${this.#nameOf(field)}" value="${escapeHostText(value)}">`);
      this.#text += ' '.repeat(size);
    }
  }

  #textInput(field: HostField, value: string, size: number): void {
    const { options } = this;
    const type = field.isNonDisplayable ? 'password' : 'text';
    this.#open('input', field, true, [
      `type="${type}" name="${this.#nameOf(field)}" size="${size}"`,
      options.withId ? `id="${this.#nameOf(field)}"` : '',
      options.withMaxLength ? `maxlength="${field.length}"` : '',
      value === '' ? '' : `value="${escapeHostText(value)}"`,
      field.isNumeric ? 'inputmode="decimal"' : '',
      this.#encryptionOf(field),
      `aria-label="${escapeHostText(labelOf(this.screen, field))}" autocomplete="off" spellcheck="false"`,
    ]);
  }

  #list(control: Control<'choice'>, field: HostField, value: string): void {
    const { rendering, options } = this;
    this.#open('select', field, options.addsToLists, this.#controlAttributes(field));
    for (const choice of choicesWith(control, value)) {
      rendering.charge(1 + choice.label.length);
      const selected = choice.value === value ? ' selected' : '';
      const label = choice.label === '' ? '' : escapeHostText(choice.label);
      rendering.write(`<option value="${escapeHostText(choice.value)}"${selected}>${label}</option>`);
    }
    rendering.write('</select>');
  }

  #checkBox({ on }: Control<'binary'>, field: HostField, value: string, size: number): void {
    this.#open('input', field, this.options.addsToCheckBoxes, [
      `type="checkbox" value="${escapeHostText(on)}"`,
      value === on ? 'checked' : '',
      ...this.#controlAttributes(field),
    ]);
    this.#text += ' '.repeat(size - 1);
  }

  #controlAttributes(field: HostField): string[] {
    const name = this.#nameOf(field);
    const label = escapeHostText(labelOf(this.screen, field));
    return [`name="${name}"`, this.options.withId ? `id="${name}"` : '', `aria-label="${label}" autocomplete="off"`];
  }

  #nameOf(field: HostField): string {
    return escapeHostText(this.rendering.page.nameOf(this.screen, field));
  }

  #open(element: 'input' | 'select', field: HostField, addsToIt: boolean, attributes: readonly string[]): void {
    const { rendering } = this;
    rendering.write(`<${element} `);
    for (const { body } of addsToIt ? matching(rendering.page.inputs, fieldKeywords(field)) : []) {
      rendering.renderAll(body);
      rendering.write(' ');
    }
    rendering.write(`${attributes.filter((attribute) => attribute !== '').join(' ')}>`);
  }

  /** Evaluates the rules of the page from last to first. */
  #begin(rules: ReadonlySet<StyleRule<readonly Segment[]>>, words: ReadonlySet<string>): void {
    this.rendering.charge(rules.size);
    for (const { body } of matching([...rules].reverse(), words)) this.rendering.renderAll(body);
  }

  /** Evaluates rules in the same order and writes in reverse, so that markup nests. */
  #end(rules: ReadonlySet<StyleRule<readonly Segment[]>>, words: ReadonlySet<string>): void {
    this.rendering.charge(rules.size);
    for (const { body } of matching([...rules].reverse(), words).reverse()) this.rendering.renderAll(body);
  }

  #flush(): void {
    if (this.#text !== '') this.rendering.write(escapeHostText(this.#text));
    this.#text = '';
  }
}

/** Input of an unformatted screen: from the cursor to the end of its row. */
export function freeField({ cursor, columns }: HostScreen): HostField {
  return {
    start: cursor,
    length: columns - (cursor % columns),
    isProtected: false,
    isNumeric: false,
    isNonDisplayable: false,
    isIntensified: false,
    isDetectable: false,
    isModified: false,
    colour: 'NOCOLOR',
    highlighting: 'NOHILIGHT',
  };
}

/** Protected text before a field on its row, without leader characters, as label for screen readers. */
export function labelOf(screen: HostScreen, { start }: HostField): string {
  const row = Math.floor(start / screen.columns);
  let text = '';
  for (let at = row * screen.columns; at < start; at++) {
    const field = fieldAt(screen, at);
    if (field?.start === at + 1) text += ' ';
    else if (field === undefined || field.isProtected) text += screen.cells[at] ?? '';
    else text = '';
  }
  let end = text.length;
  while (end > 0 && LEADERS.includes(text[end - 1] ?? '')) end--;
  const words = text.slice(0, end).replaceAll(/\s+/g, ' ').trim();
  const column = (start % screen.columns) + 1;
  return words === '' ? `Row ${row + 1}, column ${column}` : words.slice(-LONGEST_LABEL);
}

function remaining(screen: HostScreen, { start, length }: HostField, at: number): number {
  const positions = screen.rows * screen.columns;
  return length - ((at - start + positions) % positions);
}

function runWords({ colour, highlighting }: HostRun): Set<string> {
  return new Set([colour, highlighting]);
}

type Control<Kind extends FieldControl['kind']> = Extract<FieldControl, { readonly kind: Kind }>;

/**
 * Controls of input fields by their first character.
 * @param isSecret true for nondisplay and encrypted fields, which stay plain inputs
 */
function declaredControls(
  screen: HostScreen,
  fields: PageDeclarations['fields'],
  isSecret: (field: HostField) => boolean,
): ReadonlyMap<number, FieldControl> {
  const controls = new Map<number, FieldControl>();
  for (const { row, column, control } of fields) {
    if (row > screen.rows || column > screen.columns) continue;
    const field = fieldAt(screen, (row - 1) * screen.columns + column - 1);
    if (field !== undefined && !field.isProtected && !isSecret(field)) controls.set(field.start, control);
  }
  return controls;
}

/** Choices of a list, including the current content of the field, so that opening the page changes nothing. */
function choicesWith({ choices }: Control<'choice'>, value: string): readonly Choice[] {
  return choices.some((choice) => choice.value === value) ? choices : [{ value, label: value }, ...choices];
}

function offeredOf(control: Control<'choice' | 'binary'>, name: string, value: string): OfferedChoice {
  if (control.kind === 'choice') {
    const values = new Set([value, ...control.choices.map((choice) => choice.value)]);
    return { name, values, whenMissing: undefined };
  }
  const { on, off } = control;
  return { name, values: new Set([value, on, off]), whenMissing: value === on ? off : undefined };
}

interface ClickableMarkup {
  readonly begin: string;
  readonly end: string;
}

class DeclaredAreas {
  readonly #markup: ClickableMarkup[] = [];
  /** Number of the area at each position; 0 for none. */
  readonly #at: Uint16Array | undefined;

  constructor(rendering: Rendering, screen: HostScreen, areas: PageDeclarations['areas']) {
    if (areas.length === 0) return;
    this.#at = new Uint16Array(screen.rows * screen.columns);
    for (const area of areas) {
      const { from, to } = positionsOf(area, screen);
      rendering.charge(1 + to - from);
      const shown = screen.cells.slice(from, to).join('').trimEnd();
      if (to === from || !holds(area, shown)) continue;
      this.#markup.push(markupOf(area, shown === ''));
      this.#at.fill(this.#markup.length, from, to);
    }
  }

  markupAt(position: number): ClickableMarkup | undefined {
    const number = this.#at?.[position] ?? 0;
    return number === 0 ? undefined : this.#markup[number - 1];
  }
}

function holds({ condition }: ClickableArea, shown: string): boolean {
  return condition === undefined || (shown === condition.text.trimEnd()) === condition.isEqual;
}

/** If the area displays nothing, its text describes the action. */
function markupOf({ action }: ClickableArea, isBlank: boolean): ClickableMarkup {
  const labelled = (text: string) => (isBlank ? ` aria-label="${escapeHostText(text)}"` : '');
  const button = (name: string, value: string) => ({
    begin: `<button type="submit" class="svc-area" name="${escapeHostText(name)}" value="${escapeHostText(value)}"${labelled(value)}>`,
    end: '</button>',
  });
  if (action.kind === 'key') return button(areaKeyField, action.key);
  if (action.kind === 'parameter') return button(action.name, action.value);
  return {
    begin: `<a class="svc-area" href="${escapeHostText(action.url)}" rel="noreferrer"${labelled(action.url)}>`,
    end: '</a>',
  };
}
