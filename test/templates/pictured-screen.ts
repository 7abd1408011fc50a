import { expect } from 'chai';
import fc from 'fast-check';
import { SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { ServiceError } from '../../src/lib/errors.js';
import { compileTemplate } from '../../src/templates/compile.js';
import type { RenderedPage } from '../../src/templates/render.js';
import type { RenderLimits } from '../../src/templates/rendering.js';
import type { HostField, HostRun, HostScreen } from '../../src/tn3270/screen/form-screen.js';
import { contextOf, renderAtOnce } from './context-of.js';

export const declaration = '<!--SVC start="{{{" end="}}}" -->';
/** In pictures of screens: an attribute, and a binary zero. */
export const ATTRIBUTE = '§';
export const NULL = '°';

export const text: FieldInput = { isProtected: true };
export const input: FieldInput = {};
export const hidden: FieldInput = { isNonDisplayable: true };

export type FieldInput = Partial<Omit<HostField, 'start' | 'length'>>;

/** 4 rows of 20: a label, an input, a password, an input over two rows. */
export const signOn = screenOf(
  ['§User:§joe°°°§      ', '§Password:§        §', '§Note:§first of two ', 'rows     §end       '],
  [text, input, text, text, hidden, text, text, input, { ...text, isNumeric: true }],
  { cursor: 8 },
);
export const noteAt = 47;

export interface Further {
  readonly variables?: Readonly<Record<string, readonly string[]>>;
  readonly encryptsFields?: boolean;
  readonly limits?: Partial<RenderLimits>;
}

export function rendered(
  page: string,
  screen: HostScreen | undefined,
  { variables, encryptsFields, limits = {} }: Further = {},
): RenderedPage {
  const context = contextOf(variables === undefined ? {} : { variables });
  const further = encryptsFields === undefined ? {} : { encryptsFields };
  const template = compileTemplate(declaration + page, { file: 'a.html' });
  return renderAtOnce(template, { ...context, screen, ...further }, { limits });
}

export function expectFailure(page: string, screen: HostScreen, detail: string, further: Further = {}): void {
  expect(() => rendered(page, screen, further))
    .to.throw(ServiceError, detail)
    .with.property('code', 'SVC_ERR_TEMPLATE_RENDERING');
}

export function expectRefused(page: string): void {
  expect(() => compileTemplate(declaration + page, { file: 'a.html' }), page).to.throw(SourceError);
}

/** A screen of a picture: the fields belong to its attributes in their order. Attributes are zeros in the buffer, too. */
export function screenOf(
  rows: readonly string[],
  fields: readonly FieldInput[],
  { cursor = 0, runs = [] }: { readonly cursor?: number; readonly runs?: readonly HostRun[] } = {},
): HostScreen {
  const columns = rows[0]?.length ?? 0;
  for (const row of rows) expect(row.length, `width of "${row}"`).to.equal(columns);
  const picture = rows.join('');
  const attributes = [...picture].flatMap((character, at) => (character === ATTRIBUTE ? [at] : []));
  expect(attributes.length, 'attributes').to.equal(fields.length);
  const hostFields = attributes.map((attribute, index): HostField => {
    const next = attributes[index + 1] ?? (attributes[0] as number) + picture.length;
    return {
      start: (attribute + 1) % picture.length,
      length: next - attribute - 1,
      isProtected: false,
      isNumeric: false,
      isNonDisplayable: false,
      isIntensified: false,
      isDetectable: false,
      isModified: false,
      colour: 'NOCOLOR',
      highlighting: 'NOHILIGHT',
      ...fields[index],
    };
  });
  const cells = [...picture].map((character) => (character === ATTRIBUTE || character === NULL ? ' ' : character));
  for (const { start, length, isNonDisplayable } of hostFields) {
    if (!isNonDisplayable) continue;
    for (let offset = 0; offset < length; offset++) cells[(start + offset) % cells.length] = ' ';
  }
  return {
    revision: 1,
    rows: rows.length,
    columns,
    cursor,
    cells,
    fields: hostFields,
    runs,
    isNull: (position) => picture[position] === NULL || picture[position] === ATTRIBUTE,
    idOf: (position, isInput) => (isInput ? idOf(position) : idOf(position).replace('V', 'P')),
  };
}

export function idOf(position: number): string {
  return `V${position.toString(16).toUpperCase().padStart(7, '0')}`;
}

/** For each position its field, by walking along the screen. */
export function ownersOf({ cells, fields }: HostScreen): (HostField | 'attribute' | undefined)[] {
  const owners = new Array<HostField | 'attribute' | undefined>(cells.length).fill(undefined);
  for (const field of fields) {
    owners[(field.start - 1 + cells.length) % cells.length] = 'attribute';
    for (let offset = 0; offset < field.length; offset++) owners[(field.start + offset) % cells.length] = field;
  }
  return owners;
}

/** 5 rows of 12, with any fields and hostile text. */
export function anyScreen(): fc.Arbitrary<HostScreen> {
  const character = fc.oneof(fc.constantFrom(...'<>&"\' a/='), fc.constantFrom(ATTRIBUTE, NULL));
  const field = fc.record({ isProtected: fc.boolean(), isNonDisplayable: fc.boolean() });
  return fc
    .tuple(fc.array(character, { minLength: 60, maxLength: 60 }), fc.array(field, { minLength: 60, maxLength: 60 }))
    .map(([characters, fields]) => {
      const picture = characters.join('');
      const rows = [0, 12, 24, 36, 48].map((at) => picture.slice(at, at + 12));
      return screenOf(rows, fields.slice(0, characters.filter((one) => one === ATTRIBUTE).length));
    });
}

export type Attributes = Readonly<Record<string, string | undefined>>;

export function inputsOf(html: string): Attributes[] {
  return [...html.matchAll(/<input ([^<>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes));
}

export function spansOf(html: string): Attributes[] {
  return [...html.matchAll(/<span ([^<>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes));
}

export function attributesOf(written: string): Attributes {
  return Object.fromEntries(
    [...written.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  );
}

/** What a page shows, blanks for inputs. */
export function layoutOf(html: string): string {
  return decoded(html.replaceAll(/<input [^<>]*size="(\d+)"[^<>]*>/g, (_, size) => ' '.repeat(Number(size))));
}

export function decoded(html: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return html.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code === undefined ? (named[name] ?? '?') : String.fromCodePoint(Number(code)),
  );
}
