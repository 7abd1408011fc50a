import {
  below,
  type Fault,
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
const isFlag = (value: unknown): Fault => (typeof value === 'boolean' ? undefined : unexpected('true or false', value));

type Check = (value: unknown) => Fault;
const countFault: Check = (value) => rangeFault(value, 0, MOST_FIELDS);

const checks: Readonly<Record<string, Check>> = {
  text: (text) => nameFault(text, LONGEST_SCREEN_TEXT),
  not: (inner) => {
    const isTwice = isObject(inner) && Object.hasOwn(inner, 'not');
    return isTwice ? ': expected a condition other than "not"' : conditionFault(inner);
  },
  fields: countFault,
  inputFields: countFault,
  cursor: (place) => placeFault(place),
  attribute: (attribute) => {
    if (!isObject(attribute)) return unexpected('an object', attribute);
    const named = fieldAttributes.filter((name) => member(attribute, name) !== undefined);
    const fault = below('.at', placeFault(member(attribute, 'at')));
    if (fault !== undefined) return fault;
    if (named.length === 0) return `: expected one of ${fieldAttributes.join(', ')}`;
    for (const name of named) {
      const wrong = below(`.${name}`, isFlag(member(attribute, name)));
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  },
  blank: (value) => (value === true ? undefined : ': expected true'),
};
const kinds = Object.keys(checks);

export function screensFault(screens: unknown): Fault {
  if (Array.isArray(screens) && screens.length === 0) return ': expected at least one screen';
  return listFault('', screens, MOST_SCREENS, 'screens', (conditions) => {
    if (Array.isArray(conditions) && conditions.length === 0) return ': expected at least one condition';
    return listFault('', conditions, MOST_CONDITIONS, 'conditions', conditionFault);
  });
}

function conditionFault(condition: unknown): Fault {
  if (!isObject(condition)) return unexpected('an object', condition);
  const named = kinds.filter((kind) => member(condition, kind) !== undefined);
  const [kind = ''] = named;
  if (named.length !== 1) return `: expected one of ${kinds.join(', ')}, found ${named.length === 0 ? 'none' : 'more'}`;
  return (
    below(`.${kind}`, checks[kind]?.(member(condition, kind))) ?? (kind === 'text' ? standFault(condition) : undefined)
  );
}

export function textConditionFault(condition: unknown): Fault {
  if (!isObject(condition)) return unexpected('an object', condition);
  return below('.text', nameFault(member(condition, 'text'), LONGEST_SCREEN_TEXT)) ?? standFault(condition);
}

function standFault(condition: object): Fault {
  const [row, column, area] = ['row', 'column', 'area'].map((name) => member(condition, name));
  if (area !== undefined) {
    const isMore = row !== undefined || column !== undefined;
    return isMore ? '.area: expected no "row" and no "column" beside it' : below('.area', areaFault(area));
  }
  if (row === undefined) return column === undefined ? undefined : '.column: expected a "row" beside it';
  return below('.row', rowFault(row)) ?? (column === undefined ? undefined : below('.column', columnFault(column)));
}

export function areaFault(area: unknown): Fault {
  if (!Array.isArray(area) || area.length !== 4) return ': expected first row and column, last row and column';
  return numbersFault(area);
}

function placeFault(place: unknown): Fault {
  return Array.isArray(place) && place.length === 2 ? numbersFault(place) : ': expected row and column';
}

function numbersFault(numbers: readonly unknown[]): Fault {
  for (const [at, number] of numbers.entries()) {
    const fault = below(`[${at}]`, at % 2 === 0 ? rowFault(number) : columnFault(number));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function rowFault(row: unknown): Fault {
  if (row === 0) return ': expected a row from 1, or from -1 up from the bottom, found 0';
  return rangeFault(row, -LARGEST_ROW_OR_COLUMN, LARGEST_ROW_OR_COLUMN);
}

function columnFault(column: unknown): Fault {
  return rangeFault(column, 1, LARGEST_ROW_OR_COLUMN);
}
