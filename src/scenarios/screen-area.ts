import type { Assembly } from './assembly.js';
import { integerOf } from './operand-reader.js';
import { ScenarioAbendError } from './scenario-abend-error.js';
import type { ScenarioRun } from './scenario-run.js';
import type { ScenarioScreen, ScreenRegion } from './scenario-screen.js';
import type { Operand } from './syntax.js';

/** Maximum row, column, length and height; the largest screens are 62 x 160. */
const LARGEST_COORDINATE = 255;
const LONGEST_AREA = 32_767;

export type AreaSource = (run: ScenarioRun, screen: ScenarioScreen) => ScreenRegion;

interface AreaForm {
  readonly length: 'required' | 'optional';
  readonly takesHeight?: boolean;
}

/**
 * Reads `(row,column,length[,height])`, counted from 1, or CURRENT-SCREEN-POSITION. Undefined after a reported error.
 */
export function readArea(assembly: Assembly, operand: Operand, form: AreaForm): AreaSource | undefined {
  if (operand.kind === 'word' && operand.word === 'CURRENT-SCREEN-POSITION') return currentPosition;
  const items = operand.kind === 'list' ? operand.items : [];
  const [row, column, length, height] = items.map((item) => integerOf(item));
  const most = form.takesHeight === true ? 4 : 3;
  const isCoordinate = (value: number | undefined): value is number =>
    value !== undefined && value >= 1 && value <= LARGEST_COORDINATE;
  const lengthIsRight =
    items.length < 3 ? form.length === 'optional' : length !== undefined && length >= 1 && length <= LONGEST_AREA;
  const heightIsRight = items.length < 4 || isCoordinate(height);
  if (!isCoordinate(row) || !isCoordinate(column) || items.length > most || !lengthIsRight || !heightIsRight) {
    const tail = form.length === 'required' ? ',length' : '[,length]';
    const shape = `(row,column${tail}${most === 4 ? '[,height]' : ''})`;
    return assembly.report(
      operand,
      `a place on the screen is ${shape} in whole numbers from 1, or CURRENT-SCREEN-POSITION`,
    );
  }
  return (_run, screen) => {
    if (row > screen.rows || column > screen.columns) {
      throw new ScenarioAbendError(
        `row ${row}, column ${column} is outside of a screen of ${screen.rows} x ${screen.columns}`,
      );
    }
    return { position: (row - 1) * screen.columns + column - 1, length, height };
  };
}

const currentPosition: AreaSource = (run) => {
  if (run.screenPosition === undefined) throw new ScenarioAbendError('no screen position was set before');
  return run.screenPosition;
};

export function textsOfArea(screen: ScenarioScreen, { position, length = 1, height }: ScreenRegion): string[] {
  const end = rowOf(screen, position, height ?? 1) + length;
  const isWithinRow = (position % screen.columns) + length <= screen.columns;
  if (end > screen.rows * screen.columns || (height !== undefined && !isWithinRow)) {
    throw new ScenarioAbendError(`the area goes beyond a screen of ${screen.rows} x ${screen.columns}`);
  }
  return Array.from({ length: height ?? 1 }, (_, row) => screen.textAt(rowOf(screen, position, row + 1), length));
}

export function textOfArea(screen: ScenarioScreen, area: ScreenRegion): string {
  return textsOfArea(screen, area).join('');
}

export function rowsOfArea(screen: ScenarioScreen, area: ScreenRegion): ScreenRegion[] {
  const { position, length, height = 1 } = area;
  return Array.from({ length: height }, (_, row) => ({
    position: rowOf(screen, position, row + 1),
    length,
    height: undefined,
  }));
}

function rowOf({ columns }: ScenarioScreen, position: number, row: number): number {
  return position + (row - 1) * columns;
}
