import type { HostScreen } from '../../tn3270/screen/form-screen.js';
import { fieldAt, isAttribute } from '../field-lookup.js';
import { positionsOf } from '../page-declarations.js';
import type { Rendering } from '../rendering.js';
import type { TagInvocation } from '../scanner.js';
import { freeField, generateHtml } from '../screen-html.js';
import {
  bare,
  type Tag,
  type TagFamily,
  type TemplateBuilder,
  withListAndString,
  withString,
} from '../template-builder.js';
import { templateLimits } from '../template-limits.js';
import { areaOf, rectangleOf } from './area-parameters.js';
import { generateOptionsOf, onScreen } from './screen-content.js';

/** Reference 2.2: names for fields, and the cursor position. */
export const screenFieldTags: TagFamily = {
  'DEFINE-HTML-FIELD-NAME': definition(false, false),
  'DEFINE-HTML-FIELD': definition(false, true),
  'DEFINE-DFHMDF-NAME': definition(true, false),
  'DEFINE-DFHMDF-COLUMN': withListAndString((builder, tag) => {
    const area = rectangleOf(builder, tag);
    const name = fieldNameOf(builder, tag);
    if (area === undefined || name === undefined) return;
    onScreen(builder, (rendering, screen) => {
      const { page } = rendering;
      page.areas.set(name, { ...area, isBms: true, references: 0 });
      rendering.charge(area.height);
      for (let row = 0; row < area.height; row++) {
        page.name(screen, { ...area, row: area.row + row }, true, `${name}_${row + 1}`);
      }
    });
  }),
  'POSITION-OF-THE-CURSOR': inserting((_, screen) => screen.idOf(screen.cursor, isInputAt(screen, screen.cursor))),
  'FIELD-WITH-CURSOR': inserting(fieldWithCursor),
  'DEFAULT-FIELD-WITH-CURSOR': withString((builder, tag) => {
    const name = tag.strings[0] ?? '';
    onScreen(builder, ({ page }) => {
      page.defaultField = name === 'NOFIELD' ? '' : name;
    });
  }),
};

function definition(isBms: boolean, generates: boolean): Tag {
  return withListAndString((builder, tag) => {
    const area = areaOf(builder, tag);
    const name = fieldNameOf(builder, tag);
    if (area === undefined || name === undefined) return;
    const options = generateOptionsOf(builder);
    onScreen(builder, (rendering, screen) => {
      const { page } = rendering;
      page.areas.set(name, { ...area, isBms, height: 1, references: 0 });
      page.name(screen, area, isBms, name);
      if (!generates) return;
      const { from, to } = positionsOf(area, screen);
      generateHtml(rendering, from, to, options);
    });
  });
}

export function fieldNameOf(builder: TemplateBuilder, tag: TagInvocation): string | undefined {
  const name = tag.strings[0] ?? '';
  const longest = templateLimits.variableNameLength;
  if (name !== '' && name.length <= longest) return name;
  return builder.report(tag.offset, `${tag.name} needs the name of a field, of 1 to ${longest} characters`);
}

function inserting(textOf: (rendering: Rendering, screen: HostScreen) => string): Tag {
  return bare((builder) => {
    const escapeText = builder.escape;
    onScreen(builder, (rendering, screen) => {
      const text = textOf(rendering, screen);
      rendering.write(escapeText === undefined ? text : escapeText(text));
    });
  });
}

function isInputAt(screen: HostScreen, position: number): boolean {
  const field = fieldAt(screen, position);
  if (field === undefined) return true;
  return !field.isProtected && !isAttribute(screen, position);
}

/** Input with the cursor, otherwise the first one; the default of the page if the screen has no input. */
function fieldWithCursor(rendering: Rendering, screen: HostScreen): string {
  const { page } = rendering;
  const field = fieldAt(screen, screen.cursor) ?? freeField(screen);
  if (isInputAt(screen, screen.cursor)) return page.nameOf(screen, field);
  rendering.charge(screen.fields.length);
  const first = screen.fields.find(({ isProtected, length }) => !isProtected && length > 0);
  return first === undefined ? (page.defaultField ?? '') : page.nameOf(screen, first);
}
