import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/source-diagnostic.js';
import type { Area, RowAndColumn, ScreenCondition } from '../tn3270/screen/screen-condition.js';

const DEEPEST_NOT = 4;

const kinds = ['text', 'not', 'fields', 'inputFields', 'cursor', 'attribute', 'blank'];

/** Checks a condition beyond its schema. A condition has one kind; several conditions are separate list items. */
export function conditionFaults(condition: ScreenCondition, path: KeyPath, depth = 0): readonly DocumentFault[] {
  const keys = Object.keys(condition);
  const named = kinds.filter((kind) => keys.includes(kind));
  if (named.length !== 1)
    return [errorAt(path, `expected one of ${kinds.join(', ')}, found ${named.join(', ') || 'none'}`)];
  if (!('text' in condition)) {
    const stray = keys.find((key) => !kinds.includes(key));
    if (stray !== undefined) return [errorAt([...path, stray], `only a text has ${stray}`)];
  }
  if ('not' in condition) {
    if (depth === DEEPEST_NOT) return [errorAt([...path, 'not'], `expected at most ${DEEPEST_NOT} nested`)];
    return conditionFaults(condition.not, [...path, 'not'], depth + 1);
  }
  if ('cursor' in condition) return placeFaults(condition.cursor, [...path, 'cursor']);
  if ('attribute' in condition) return placeFaults(condition.attribute.at, [...path, 'attribute', 'at']);
  if (!('text' in condition)) return [];
  const { row, column, area } = condition;
  if (row === 0) return [errorAt([...path, 'row'], ROWS)];
  if (area !== undefined && (row !== undefined || column !== undefined))
    return [errorAt([...path, 'area'], 'expected either "row" and "column", or "area"')];
  if (column !== undefined && row === undefined)
    return [errorAt([...path, 'column'], 'expected "row" beside "column"')];
  return area === undefined ? [] : areaFaults(area, [...path, 'area']);
}

const ROWS = 'rows count from 1; a negative row counts from the bottom';
const COLUMNS = 'columns count from 1';

export function placeFaults([row, column]: RowAndColumn, path: KeyPath): readonly DocumentFault[] {
  if (row === 0) return [errorAt([...path, '0'], ROWS)];
  return column < 1 ? [errorAt([...path, '1'], COLUMNS)] : [];
}

export function areaFaults([row, column, lastRow, lastColumn]: Area, path: KeyPath): readonly DocumentFault[] {
  const faults = rowsFaults([row, lastRow], [...path, '0'], [...path, '2']);
  if (faults.length > 0) return faults;
  if (column < 1) return [errorAt([...path, '1'], COLUMNS)];
  return lastColumn < column ? [errorAt([...path, '3'], 'the last column is before the first')] : [];
}

/** If only one of the rows counts from the bottom, their order depends on the screen size and is not checked. */
export function rowsFaults(
  [first, last]: readonly [first: number, last: number],
  firstPath: KeyPath,
  lastPath: KeyPath,
): readonly DocumentFault[] {
  if (first === 0) return [errorAt(firstPath, ROWS)];
  if (last === 0) return [errorAt(lastPath, ROWS)];
  return last < first && Math.sign(first) === Math.sign(last)
    ? [errorAt(lastPath, 'the last row is before the first')]
    : [];
}
