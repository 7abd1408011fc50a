import {
  below,
  type Fault,
  faultHere,
  isObject,
  listFault,
  member,
  nameFault,
  rangeFault,
  unexpected,
} from '../../lib/documents/json-checks.js';

/** Counted from 1. A negative row counts from the bottom: -1 is the last row. */
export type RowAndColumn = readonly [row: number, column: number];
/** Includes the last row and column. */
export type Area = readonly [row: number, column: number, lastRow: number, lastColumn: number];

/** A displayed text at a position, in a row, within an area, or in any row. It must be within one row. */
export interface TextCondition {
  readonly text: string;
  readonly row?: number;
  readonly column?: number;
  readonly area?: Area;
}

export interface AttributeCondition {
  readonly at: RowAndColumn;
  readonly protected?: boolean;
  readonly numeric?: boolean;
  readonly nonDisplayable?: boolean;
  readonly intensified?: boolean;
}

export type ScreenCondition =
  | TextCondition
  | { readonly not: ScreenCondition }
  | { readonly fields: number }
  | { readonly inputFields: number }
  | { readonly cursor: RowAndColumn }
  | { readonly attribute: AttributeCondition }
  | { readonly blank: true };

/** Alternative screens, each with conditions that must all be true. */
export type ScreenChoice = readonly (readonly ScreenCondition[])[];

const MOST_SCREENS = 10;
const MOST_CONDITIONS = 10;
/** In UTF-16 code units. */
export const LONGEST_SCREEN_TEXT = 200;
export const LARGEST_ROW_OR_COLUMN = 200;
const MOST_FIELDS = 16_384;
export const fieldAttributes = ['protected', 'numeric', 'nonDisplayable', 'intensified'] as const;
const isFlag = (value: unknown): Fault =>
  typeof value === 'boolean' ? undefined : unexpected('type.trueOrFalse', value);

type Check = (value: unknown) => Fault;
const countFault: Check = (value) => rangeFault(value, 0, MOST_FIELDS);

const checks: Readonly<Record<string, Check>> = {
  text: (text) => nameFault(text, LONGEST_SCREEN_TEXT),
  not: (inner) => {
    const isTwice = isObject(inner) && Object.hasOwn(inner, 'not');
    return isTwice ? faultHere('value.notTwice') : conditionFault(inner);
  },
  fields: countFault,
  inputFields: countFault,
  cursor: (place) => placeFault(place),
  attribute: (attribute) => {
    if (!isObject(attribute)) return unexpected('type.object', attribute);
    const named = fieldAttributes.filter((name) => member(attribute, name) !== undefined);
    const fault = below('.at', placeFault(member(attribute, 'at')));
    if (fault !== undefined) return fault;
    if (named.length === 0) return faultHere('value.oneOf', { names: fieldAttributes.join(', ') });
    for (const name of named) {
      const wrong = below(`.${name}`, isFlag(member(attribute, name)));
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  },
  blank: (value) => (value === true ? undefined : unexpected('type.true', value)),
};
const kinds = Object.keys(checks);

export function screensFault(screens: unknown): Fault {
  if (Array.isArray(screens) && screens.length === 0) return faultHere('value.noScreen');
  return listFault('', screens, MOST_SCREENS, 'items.screens', (conditions) => {
    if (Array.isArray(conditions) && conditions.length === 0) return faultHere('value.noCondition');
    return listFault('', conditions, MOST_CONDITIONS, 'items.conditions', conditionFault);
  });
}

function conditionFault(condition: unknown): Fault {
  if (!isObject(condition)) return unexpected('type.object', condition);
  const named = kinds.filter((kind) => member(condition, kind) !== undefined);
  const [kind = ''] = named;
  if (named.length !== 1) {
    const code = named.length === 0 ? 'value.oneOfFoundNone' : 'value.oneOfFoundMore';
    return faultHere(code, { names: kinds.join(', ') });
  }
  return (
    below(`.${kind}`, checks[kind]?.(member(condition, kind))) ?? (kind === 'text' ? standFault(condition) : undefined)
  );
}

export function textConditionFault(condition: unknown): Fault {
  if (!isObject(condition)) return unexpected('type.object', condition);
  return below('.text', nameFault(member(condition, 'text'), LONGEST_SCREEN_TEXT)) ?? standFault(condition);
}

function standFault(condition: object): Fault {
  const [row, column, area] = ['row', 'column', 'area'].map((name) => member(condition, name));
  if (area !== undefined) {
    const isMore = row !== undefined || column !== undefined;
    return below('.area', isMore ? faultHere('value.areaAlone') : areaFault(area));
  }
  if (row === undefined) return column === undefined ? undefined : below('.column', faultHere('value.needsRow'));
  return below('.row', rowFault(row)) ?? (column === undefined ? undefined : below('.column', columnFault(column)));
}

export function areaFault(area: unknown): Fault {
  if (!Array.isArray(area) || area.length !== 4) return faultHere('value.area');
  return numbersFault(area);
}

function placeFault(place: unknown): Fault {
  return Array.isArray(place) && place.length === 2 ? numbersFault(place) : faultHere('value.place');
}

function numbersFault(numbers: readonly unknown[]): Fault {
  for (const [at, number] of numbers.entries()) {
    const fault = below(`[${at}]`, at % 2 === 0 ? rowFault(number) : columnFault(number));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function rowFault(row: unknown): Fault {
  if (row === 0) return faultHere('value.rowZero');
  return rangeFault(row, -LARGEST_ROW_OR_COLUMN, LARGEST_ROW_OR_COLUMN);
}

function columnFault(column: unknown): Fault {
  return rangeFault(column, 1, LARGEST_ROW_OR_COLUMN);
}
