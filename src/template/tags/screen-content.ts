import { escapes } from '../escapes.js';
import { fieldIndexAt, fieldValue, type HostField, type HostScreen, isAttribute } from '../host-screen.js';
import type { Rendering, TemplateNode } from '../rendering.js';
import { areaOf, positionsOf, rectangleOf, type ScreenArea } from '../screen-area.js';
import { type GenerateOptions, generateHtml, labelOf } from '../screen-html.js';
import type { Series } from '../series.js';
import type { TagFamily } from '../tag.js';
import type { TagInvocation } from '../tag-invocation.js';
import type { TemplateBuilder } from '../template-builder.js';

class ScreenNode implements TemplateNode {
  constructor(readonly act: (rendering: Rendering, screen: HostScreen) => void) {}

  render(rendering: Rendering): void {
    const { screen } = rendering.context;
    if (screen !== undefined) this.act(rendering, screen);
  }
}

const escapeHtml = escapes.get('HTML-ESCAPES') ?? ((text: string) => text);

/** Values that GENERATE-VARIABLES gives for each field (reference 2.2). */
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

/** Reference 2.2: the content of the host's screen. */
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
      const escapeText = builder.escape;
      const blanksNulls = builder.uses.hostOptions.get('BLANK-BINARY-ZEROES') === true;
      appendForArea(builder, tag, 'text', (rendering, screen, from, to) => {
        let text = '';
        for (let at = from; at < to; at++) {
          if (!screen.isNull(at) || blanksNulls) text += screen.cells[at] ?? '';
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
  'GENERATE-VARIABLES': {
    parameters: 'required',
    string: 'required',
    compile: (builder, tag) => {
      const area = areaOf(builder, tag);
      if (area === undefined) return;
      const variables = Object.entries(fieldFacts).map(
        ([fact, factOf]) => [builder.variableNamed((tag.strings[0] ?? '') + fact), factOf] as const,
      );
      builder.append(
        new ScreenNode((rendering, screen) => {
          const fields = fieldsIn(screen, area);
          rendering.charge(fields.length * variables.length);
          for (const [variable, factOf] of variables) {
            rendering.define(
              variable,
              fields.map((field) => String(factOf(screen, field, rendering))),
            );
          }
        }),
      );
    },
  },
  'GENERATE-SVC3270': {
    parameters: 'required',
    string: 'required',
    compile: (builder, tag) => {
      const area = areaOf(builder, tag);
      if (area === undefined) return;
      const fragments = builder.unspokenVariable(tag);
      builder.append(
        new ScreenNode((rendering, screen) => {
          const hidden: string[] = [];
          for (const field of fieldsIn(screen, area)) hidden.push(...writeSpans(rendering, screen, field));
          rendering.define(fragments, hidden);
        }),
      );
    },
  },
};

export function generateOptionsOf({ uses }: TemplateBuilder): GenerateOptions {
  return { withId: uses.hostOptions.get('ID') === true, withMaxLength: uses.hostOptions.get('MAXLENGTH') === true };
}

/** For `(row,col,len)`, or for an area that the page named before. */
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
  builder.append(
    new ScreenNode((rendering, screen) => {
      const place = area ?? namedPlace(rendering, name ?? '', kind);
      if (place === undefined) return;
      const { from, to } = positionsOf(place, screen);
      rendering.charge(Math.max(0, to - from));
      act(rendering, screen, from, to);
    }),
  );
}

/** BMS areas begin at their attribute: HTML is made with it, text copied without. */
function namedPlace({ page }: Rendering, name: string, kind: 'html' | 'text'): ScreenArea | undefined {
  const area = page.areas.get(name);
  if (area === undefined) return undefined;
  const row = area.row + (area.references % area.height);
  area.references++;
  if (!area.isBms) return { row, column: area.column, length: area.length };
  return kind === 'html'
    ? { row, column: area.column, length: area.length + 1 }
    : { row, column: area.column + 1, length: area.length };
}

/** Data up to an attribute: letters and digits, upper case; one more value of the variable. */
function compileWord(builder: TemplateBuilder, tag: TagInvocation): void {
  const area = areaOf(builder, tag);
  if (area === undefined) return;
  const variable = builder.unspokenVariable(tag);
  builder.append(
    new ScreenNode((rendering, screen) => {
      const { from, to } = positionsOf(area, screen);
      rendering.define(variable, [...valuesOf(rendering.series(variable)), wordIn(screen, from, to)]);
    }),
  );
}

/** The text is the name of the variable, the field that follows its value. */
function compileNamedByScreen(builder: TemplateBuilder, tag: TagInvocation): void {
  const area = areaOf(builder, tag);
  if (area === undefined) return;
  builder.append(
    new ScreenNode((rendering, screen) => {
      const { from, to } = positionsOf(area, screen);
      const name = wordIn(screen, from, to);
      const variable = rendering.variables.findIndex((known) => known.toUpperCase() === name);
      if (variable < 0) return;
      const next = screen.fields[fieldIndexAt(screen, from) + 1];
      const value = next === undefined ? '' : fieldValue(screen, next);
      rendering.define(variable, [value === '' ? 'EMPTY' : value]);
    }),
  );
}

/** One value for each line of a rectangle, attributes blank. */
function compileRectangle(builder: TemplateBuilder, tag: TagInvocation): void {
  const area = rectangleOf(builder, tag);
  if (area === undefined) return;
  if (tag.strings.length === 0) builder.report(tag.offset, `${tag.name} (row,column,width,height) needs a variable`);
  const variable = builder.unspokenVariable(tag);
  builder.append(
    new ScreenNode((rendering, screen) => {
      const lines: string[] = [];
      for (let row = area.row; row < area.row + area.height && row <= screen.rows; row++) {
        const { from, to } = positionsOf({ ...area, row }, screen);
        lines.push(screen.cells.slice(from, Math.min(to, row * screen.columns)).join(''));
      }
      rendering.charge(lines.length);
      rendering.define(variable, lines);
    }),
  );
}

function valuesOf(series: Series): string[] {
  return Array.from({ length: series.length }, (_, at) => series.at(at) ?? '');
}

function wordIn(screen: HostScreen, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to && !isAttribute(screen, at); at++) text += screen.cells[at] ?? '';
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}

/** Those that begin in an area. */
function fieldsIn(screen: HostScreen, area: ScreenArea): HostField[] {
  const { from, to } = positionsOf(area, screen);
  return screen.fields.filter(({ start }) => start - 1 >= from - 1 && start - 1 < to);
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

/** Spans of the reference's standard terminal: one for the attribute, one for each line of the field. */
function writeSpans(rendering: Rendering, screen: HostScreen, field: HostField): string[] {
  const { columns } = screen;
  const positions = screen.rows * columns;
  const kind = field.isProtected ? 'O' : 'I';
  const name = rendering.page.nameOf(screen, field);
  const highlight = field.highlighting === 'NOHILIGHT' ? 'N' : (field.highlighting[0] ?? 'N');
  const colour = field.colour === 'NOCOLOR' ? '' : field.colour;
  const style = `${highlight}${colour}${field.isIntensified ? '2' : ''}`;
  const span = (type: string, at: number, length: number, text: string, further = '') =>
    rendering.write(
      `<span vt="${type}" vr="${Math.floor(at / columns) + 1}" vc="${(at % columns) + 1}" vp="${at}" vl="${length}"` +
        `${further} class="${style}">${escapeHtml(text)}</span>`,
    );
  span('A', (field.start - 1 + positions) % positions, 1, ' ');
  rendering.charge(field.length);
  for (let done = 0; done < field.length; ) {
    const at = (field.start + done) % positions;
    const length = Math.min(field.length - done, columns - (at % columns));
    const text = screen.cells.slice(at, at + length).join('');
    const isLast = done + length >= field.length;
    const further = `${field.isProtected ? '' : ` vn="${escapeHtml(name)}"`}${isLast ? '' : ' continuing="YES"'}`;
    span(kind, at, length, text, further);
    done += length;
  }
  if (field.isProtected) return [];
  rendering.page.offered.add(field.start);
  const crypt = field.isNonDisplayable && rendering.context.encryptsFields === true ? ' VCRYPT' : '';
  const label = escapeHtml(labelOf(screen, field));
  return [
    `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(fieldValue(screen, field))}" title="${label}"${crypt}>`,
  ];
}
