import { fieldIndexAt, type HostScreen } from '../host-screen.js';
import type { Rendering, TemplateNode } from '../rendering.js';
import { areaOf, positionsOf, rectangleOf } from '../screen-area.js';
import { generateHtml } from '../screen-html.js';
import type { NamedArea, ScreenPage } from '../screen-page.js';
import type { Tag, TagFamily } from '../tag.js';
import { templateLimits } from '../template-limits.js';
import { generateOptionsOf } from './screen-content.js';

class ScreenNode implements TemplateNode {
  constructor(readonly act: (rendering: Rendering, screen: HostScreen) => void) {}

  render(rendering: Rendering): void {
    rendering.charge(1);
    const { screen } = rendering.context;
    if (screen !== undefined) this.act(rendering, screen);
  }
}

/** Reference 2.2: names for fields, and where the cursor is. */
export const screenFieldTags: TagFamily = {
  'DEFINE-HTML-FIELD-NAME': definition(false, false),
  'DEFINE-HTML-FIELD': definition(false, true),
  'DEFINE-DFHMDF-NAME': definition(true, false),
  'DEFINE-DFHMDF-COLUMN': {
    parameters: 'required',
    string: 'required',
    compile: (builder, tag) => {
      const area = rectangleOf(builder, tag);
      const name = tag.strings[0] ?? '';
      if (area === undefined || !isName(name)) return;
      builder.append(
        new ScreenNode(({ page }, screen) => {
          page.areas.set(name, { ...area, isBms: true, references: 0 });
          for (let row = 0; row < area.height; row++) {
            const place = { row: area.row + row, column: area.column + 1, length: area.length };
            page.name(positionsOf(place, screen).from, `${name}_${row + 1}`);
          }
        }),
      );
    },
  },
  'POSITION-OF-THE-CURSOR': inserting((_, screen) => screen.idOf(screen.cursor, isInputAt(screen, screen.cursor))),
  'FIELD-WITH-CURSOR': inserting(fieldWithCursor),
  'DEFAULT-FIELD-WITH-CURSOR': {
    parameters: 'none',
    string: 'required',
    compile: (builder, tag) => {
      const name = tag.strings[0] ?? '';
      builder.append(
        new ScreenNode(({ page }) => {
          page.defaultField = name === 'NOFIELD' ? '' : name;
        }),
      );
    },
  },
};

function definition(isBms: boolean, generates: boolean): Tag {
  return {
    parameters: 'required',
    string: 'required',
    compile: (builder, tag) => {
      const area = areaOf(builder, tag);
      const name = tag.strings[0] ?? '';
      if (!isName(name)) builder.report(tag.offset, `${tag.name} needs the name of a field`);
      if (area === undefined || !isName(name)) return;
      const options = generateOptionsOf(builder);
      builder.append(
        new ScreenNode((rendering, screen) => {
          const { page } = rendering;
          const named: NamedArea = { ...area, isBms, height: 1, references: 0 };
          page.areas.set(name, named);
          page.name(positionsOf({ ...area, column: area.column + (isBms ? 1 : 0) }, screen).from, name);
          if (!generates) return;
          const { from, to } = positionsOf(area, screen);
          generateHtml(rendering, from, to, options);
        }),
      );
    },
  };
}

function isName(name: string): boolean {
  return name !== '' && name.length <= templateLimits.variableNameLength;
}

function inserting(textOf: (page: ScreenPage, screen: HostScreen) => string): Tag {
  return {
    parameters: 'none',
    string: 'none',
    compile: (builder) => {
      const escapeText = builder.escape;
      builder.append(
        new ScreenNode((rendering, screen) => {
          const text = textOf(rendering.page, screen);
          rendering.write(escapeText === undefined ? text : escapeText(text));
        }),
      );
    },
  };
}

function isInputAt(screen: HostScreen, position: number): boolean {
  const field = screen.fields[fieldIndexAt(screen, position)];
  if (field === undefined) return screen.fields.length === 0;
  return !field.isProtected && field.start !== (position + 1) % (screen.rows * screen.columns);
}

/** The input that the cursor is in, else the page's default, else the first input there is. */
function fieldWithCursor(page: ScreenPage, screen: HostScreen): string {
  if (screen.fields.length === 0) return screen.idOf(screen.cursor, true);
  const field = screen.fields[fieldIndexAt(screen, screen.cursor)];
  if (field !== undefined && isInputAt(screen, screen.cursor)) return page.nameOf(screen, field);
  const first = screen.fields.find(({ isProtected, length }) => !isProtected && length > 0);
  return page.defaultField ?? (first === undefined ? '' : page.nameOf(screen, first));
}
