import type { HostField, HostScreen } from '../../tn3270/screen/form-screen.js';
import { fieldAt, fieldIndexAt, fieldValue, isAttribute, runIndexAt } from '../field-lookup.js';
import { type OneBasedArea, positionsOf, type Stretch } from '../page-declarations.js';
import type { Rendering, TemplateNode } from '../rendering.js';
import type { TagInvocation } from '../scanner.js';
import {
  encryptionMark,
  escapeHostText,
  freeField,
  type GenerateOptions,
  generateHtml,
  labelOf,
} from '../screen-html.js';
import type { Series } from '../series.js';
import { type TagFamily, type TemplateBuilder, withListAndString } from '../template-builder.js';
import { templateLimits } from '../template-limits.js';
import { areaOf, rectangleOf } from './area-parameters.js';

const TAG_WORK = 16;

class ScreenNode implements TemplateNode {
  constructor(readonly act: (rendering: Rendering, screen: HostScreen) => void) {}

  render(rendering: Rendering): void {
    rendering.charge(TAG_WORK);
    const { screen } = rendering.context;
    if (screen !== undefined) this.act(rendering, screen);
  }
}

export function onScreen(builder: TemplateBuilder, act: ScreenNode['act']): void {
  builder.append(new ScreenNode(act));
}

class AppendedSeries implements Series {
  readonly #appended: string[] = [];

  constructor(readonly before: Series) {}

  get length(): number {
    return this.before.length + this.#appended.length;
  }

  at(index: number): string | undefined {
    const { length } = this.before;
    return index < length ? this.before.at(index) : this.#appended[index - length];
  }

  append(value: string): void {
    this.#appended.push(value);
  }
}

/** Values of GENERATE-VARIABLES for each field (reference 2.2). */
const fieldFacts: Readonly<
  Record<string, (screen: HostScreen, field: HostField, rendering: Rendering) => string | number>
> = {
  NAME: (screen, field, { page }) => (field.isProtected ? '' : page.nameOf(screen, field)),
  LINE: ({ columns }, { start }) => Math.floor(start / columns) + 1,
  COLUMN: ({ columns }, { start }) => (start % columns) + 1,
  LENGTH: (_, { length }) => length,
  ATTRB: (_, field) => attributeWords(field),
  COLOR: (_, { colour }) => colour,
  HILIGHT: (_, { highlighting }) => highlighting,
  VALUE: (screen, field) => fieldValue(screen, field),
};

/** Reference 2.2: content of the host screen. */
export const screenContentTags: TagFamily = {
  'GENERATE-HTML': {
    parameters: 'optional',
    string: 'optional',
    compile: (builder, tag) => {
      const options = generateOptionsOf(builder);
      appendForArea(builder, tag, 'html', (rendering, _, from, to) => generateHtml(rendering, from, to, options));
    },
  },
  'COPY-FROM': {
    parameters: 'optional',
    string: 'optional',
    compile: (builder, tag) => {
      const risk = builder.position.riskUnder(builder.escapeOption);
      if (risk !== undefined) builder.report(tag.offset, risk, 'warning');
      const escapeText = builder.escape;
      const blanksNulls = builder.uses.hostOptions.get('BLANK-BINARY-ZEROES') === true;
      appendForArea(builder, tag, 'text', (rendering, screen, from, to) => {
        let text = '';
        for (let at = from; at < to; at++) {
          if (blanksNulls || !isDropped(screen, at)) text += screen.cells[at] ?? '';
        }
        rendering.write(escapeText === undefined ? text : escapeText(text));
      });
    },
  },
  'CREATE-VARIABLE-FROM': {
    parameters: 'required',
    string: 'optional',
    compile: (builder, tag) => {
      if (tag.parameters?.length === 4) compileRectangle(builder, tag);
      else if (tag.strings.length === 0) compileNamedByScreen(builder, tag);
      else compileWord(builder, tag);
    },
  },
  'GENERATE-VARIABLES': withListAndString((builder, tag) => {
    const area = areaOf(builder, tag);
    if (area === undefined) return;
    const prefix = tag.strings[0] ?? '';
    const longest = templateLimits.variableNameLength - Math.max(...Object.keys(fieldFacts).map((fact) => fact.length));
    if (prefix.length > longest)
      return builder.report(tag.offset, `${tag.name} takes a prefix of at most ${longest} characters`);
    const variables = Object.entries(fieldFacts).map(
      ([fact, factOf]) => [builder.variableNamed(prefix + fact), factOf] as const,
    );
    onScreen(builder, (rendering, screen) => {
      const fields = fieldsIn(rendering, screen, area);
      rendering.charge(fields.reduce((work, { length }) => work + length + variables.length, 0));
      for (const [variable, factOf] of variables) {
        rendering.define(
          variable,
          fields.map((field) => String(factOf(screen, field, rendering))),
        );
      }
    });
  }),
  'GENERATE-SVC3270': withListAndString((builder, tag) => {
    const area = areaOf(builder, tag);
    if (area === undefined) return;
    const fragments = builder.unspokenVariable(tag);
    onScreen(builder, (rendering, screen) => {
      const writer = new SpanWriter(rendering, screen);
      if (screen.fields.length === 0) writer.unformatted(positionsOf(area, screen));
      else for (const field of fieldsIn(rendering, screen, area)) writer.field(field);
      rendering.define(fragments, writer.hidden);
    });
  }),
};

export function generateOptionsOf({ uses }: TemplateBuilder): GenerateOptions {
  const has = (option: string) => uses.hostOptions.get(option) === true;
  return {
    withId: has('ID'),
    withMaxLength: has('MAXLENGTH'),
    addsToLists: !has('NO-ADD-TO-LISTBOX'),
    addsToCheckBoxes: !has('NO-ADD-TO-CHECKBOX'),
  };
}

/** `(row,col,len)`, or an area named earlier in the page. */
function appendForArea(
  builder: TemplateBuilder,
  tag: TagInvocation,
  kind: 'html' | 'text',
  act: (rendering: Rendering, screen: HostScreen, from: number, to: number) => void,
): void {
  const [name] = tag.strings;
  if ((name === undefined) === (tag.parameters === undefined)) {
    builder.report(tag.offset, `${tag.name} takes (row,column,length) or the "name" of a field`);
    return;
  }
  const area = name === undefined ? areaOf(builder, tag) : undefined;
  if (name === undefined && area === undefined) return;
  onScreen(builder, (rendering, screen) => {
    const { from, to } =
      area === undefined ? namedStretch(rendering, screen, name ?? '', kind) : positionsOf(area, screen);
    rendering.charge(to - from);
    act(rendering, screen, from, to);
  });
}

/** Nulls are dropped. Attributes and nondisplay content are shown as blanks instead. */
function isDropped(screen: HostScreen, at: number): boolean {
  if (!screen.isNull(at)) return false;
  return !isAttribute(screen, at) && fieldAt(screen, at)?.isNonDisplayable !== true;
}

/** BMS areas begin at their attribute: generated HTML includes it, copied text does not. */
function namedStretch({ page }: Rendering, screen: HostScreen, name: string, kind: 'html' | 'text'): Stretch {
  const area = page.areas.get(name);
  if (area === undefined) return { from: 0, to: 0 };
  const row = area.row + (area.references % area.height);
  area.references++;
  const { from, to } = positionsOf({ ...area, row, length: area.length + (area.isBms ? 1 : 0) }, screen);
  return { from: area.isBms && kind === 'text' ? Math.min(from + 1, to) : from, to };
}

/** Appends one value to the variable: data up to an attribute, letters and digits in upper case. */
function compileWord(builder: TemplateBuilder, tag: TagInvocation): void {
  const area = areaOf(builder, tag);
  if (area === undefined) return;
  const variable = builder.unspokenVariable(tag);
  onScreen(builder, (rendering, screen) => {
    const series = rendering.series(variable);
    const grown = series instanceof AppendedSeries ? series : new AppendedSeries(series);
    grown.append(wordIn(rendering, screen, positionsOf(area, screen)));
    rendering.define(variable, grown);
  });
}

/** The text on the screen names the variable, the next field contains its value. */
function compileNamedByScreen(builder: TemplateBuilder, tag: TagInvocation): void {
  const area = areaOf(builder, tag);
  if (area === undefined) return;
  onScreen(builder, (rendering, screen) => {
    const stretch = positionsOf(area, screen);
    const name = wordIn(rendering, screen, stretch);
    rendering.charge(rendering.variables.length);
    const exact = rendering.variables.indexOf(name);
    const variable = exact < 0 ? rendering.variables.findIndex((known) => known.toUpperCase() === name) : exact;
    if (variable < 0) return;
    const next = screen.fields[fieldIndexAt(screen, stretch.from) + 1];
    rendering.charge(next?.length ?? 0);
    const value = next === undefined ? '' : fieldValue(screen, next);
    rendering.define(variable, [value === '' ? 'EMPTY' : value]);
  });
}

/** One value for each line of a rectangle, with blanks for attributes. */
function compileRectangle(builder: TemplateBuilder, tag: TagInvocation): void {
  const area = rectangleOf(builder, tag);
  if (area === undefined) return;
  const variable = builder.unspokenVariable(tag);
  onScreen(builder, (rendering, screen) => {
    const lines: string[] = [];
    for (let row = area.row; row < area.row + area.height && row <= screen.rows; row++) {
      const { from, to } = positionsOf({ ...area, row }, screen);
      const end = Math.max(from, Math.min(to, row * screen.columns));
      rendering.charge(1 + end - from);
      lines.push(screen.cells.slice(from, end).join(''));
    }
    rendering.define(variable, lines);
  });
}

function wordIn(rendering: Rendering, screen: HostScreen, { from, to }: Stretch): string {
  rendering.charge(to - from);
  let text = '';
  for (let at = from; at < to && !isAttribute(screen, at); at++) text += screen.cells[at] ?? '';
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}

function fieldsIn(rendering: Rendering, screen: HostScreen, area: OneBasedArea): HostField[] {
  const { from, to } = positionsOf(area, screen);
  rendering.charge(screen.fields.length);
  return screen.fields.filter(({ start }) => start >= from && start < to);
}

function attributeWords(field: HostField): string {
  const skips = field.isProtected && field.isNumeric;
  const words = [
    skips ? 'ASKIP' : field.isProtected ? 'PROT' : 'UNPROT',
    field.isNumeric && !skips ? 'NUM' : '',
    field.isNonDisplayable ? 'DRK' : field.isIntensified ? 'BRT' : 'NORM',
    field.isDetectable ? 'DET' : '',
    field.isModified ? 'MDT' : '',
  ];
  return words.filter((word) => word !== '').join(',');
}

/** Spans of the standard terminal of the reference: one for each attribute, one for each line of a field. */
class SpanWriter {
  readonly hidden: string[] = [];
  readonly #encryptionOf: ReturnType<typeof encryptionMark>;

  constructor(
    readonly rendering: Rendering,
    readonly screen: HostScreen,
  ) {
    this.#encryptionOf = encryptionMark(rendering);
  }

  field(field: HostField): void {
    const positions = this.screen.rows * this.screen.columns;
    const attribute = (field.start - 1 + positions) % positions;
    this.#open('A', attribute, 1, '', styleOf(field, field.isIntensified));
    this.rendering.write(' </span>');
    this.#lines(field, field.start, field.length);
    if (!field.isProtected && field.length > 0) this.#hide(field);
  }

  unformatted({ from, to }: Stretch): void {
    const free = freeField(this.screen);
    const text = { ...free, isProtected: true };
    const isFree = free.start >= from && free.start < to;
    this.#lines(text, from, (isFree ? free.start : to) - from);
    if (!isFree) return;
    this.#lines(free, free.start, free.length);
    this.#hide(free);
    const rest = free.start + free.length;
    this.#lines(text, rest, Math.max(0, to - rest));
  }

  #lines(field: HostField, start: number, total: number): void {
    const { rendering, screen } = this;
    const { columns } = screen;
    const style = styleOf(field, field.isIntensified);
    const name = field.isProtected ? '' : ` vn="${escapeHostText(rendering.page.nameOf(screen, field))}"`;
    rendering.charge(total);
    for (let done = 0; done < total; ) {
      const at = (start + done) % (screen.rows * columns);
      const length = Math.min(total - done, columns - (at % columns));
      done += length;
      this.#open(field.isProtected ? 'O' : 'I', at, length, name + (done < total ? ' continuing="YES"' : ''), style);
      if (field.isProtected) this.#characters(field, at, at + length);
      else this.#text(at, at + length);
      rendering.write('</span>');
    }
  }

  #characters(field: HostField, from: number, to: number): void {
    const { runs } = this.screen;
    let at = from;
    for (let index = runIndexAt(this.screen, from); at < to; index++) {
      const run = runs[index];
      const start = Math.min(to, Math.max(at, run?.start ?? to));
      this.#text(at, start);
      at = start;
      if (run === undefined || at >= to) break;
      const end = Math.min(to, run.start + run.length);
      const own = {
        colour: run.colour === 'NOCOLOR' ? field.colour : run.colour,
        highlighting: run.highlighting === 'NOHILIGHT' ? field.highlighting : run.highlighting,
      };
      this.#open('C', at, end - at, '', styleOf(own, field.isIntensified));
      this.#text(at, end);
      this.rendering.write('</span>');
      at = end;
    }
  }

  #open(type: 'A' | 'O' | 'I' | 'C', at: number, length: number, further: string, style: string): void {
    const { columns } = this.screen;
    const row = Math.floor(at / columns) + 1;
    const column = (at % columns) + 1;
    this.rendering.write(
      `<span vt="${type}" vr="${row}" vc="${column}" vp="${at}" vl="${length}"${further} class="${style}">`,
    );
  }

  #text(from: number, to: number): void {
    if (from < to) this.rendering.write(escapeHostText(this.screen.cells.slice(from, to).join('')));
  }

  #hide(field: HostField): void {
    const { rendering, screen, hidden } = this;
    const { page } = rendering;
    rendering.charge(field.length + (field.start % screen.columns));
    page.offered.add(field.start);
    const name = escapeHostText(page.nameOf(screen, field));
    const value = escapeHostText(fieldValue(screen, field));
    const label = escapeHostText(labelOf(screen, field));
    const crypt = this.#encryptionOf(field);
    hidden.push(
      `<input type="hidden" name="${name}" value="${value}" title="${label}"${crypt === '' ? '' : ` ${crypt}`}>`,
    );
  }
}

/** N, B, R or U for the highlighting, then the color, then 2 if intensified: NGREEN2. */
function styleOf({ colour, highlighting }: Pick<HostField, 'colour' | 'highlighting'>, isIntensified: boolean): string {
  const highlight = highlighting === 'NOHILIGHT' ? 'N' : (highlighting[0] ?? 'N');
  return `${highlight}${colour === 'NOCOLOR' ? '' : colour}${isIntensified ? '2' : ''}`;
}
