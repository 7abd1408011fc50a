import { isNonDisplayable } from '../datastream/field-attribute.js';
import { MOST_PRINT_POSITIONS, type Paper } from './paper.js';
import { type PrintCell, type PrintCells, plainField } from './print-cells.js';

/** Where the carriage stands on the paper. */
export interface Carriage {
  column: number;
}

/**
 * Prints a buffer whose lines are ended by NL, CR, FF and EM, or by the edge of the paper. Nulls take no place. The paper goes on to the
 * next line at the end.
 */
export function printUnformatted(cells: PrintCells, paper: Paper, carriage: Carriage): void {
  let field = plainField;
  const newLine = () => {
    paper.goTo(paper.line + 1);
    carriage.column = 0;
  };
  for (let at = 0; at < cells.used; at++) {
    const cell = cells.at(at);
    switch (cell.kind) {
      case 'null':
        break;
      case 'newLine':
        newLine();
        break;
      case 'carriageReturn':
        carriage.column = 0;
        break;
      case 'formFeed':
        paper.newPage();
        carriage.column = 0;
        break;
      case 'endOfMedium':
        if (carriage.column > 0) newLine();
        return;
      default:
        if (cell.kind === 'attribute') field = cell;
        if (carriage.column >= MOST_PRINT_POSITIONS) newLine();
        printCell(cell, field, paper, carriage.column);
        carriage.column++;
    }
  }
  newLine();
}

/** Prints a buffer as lines of one length. A line with nothing but nulls and attributes takes no room on the paper. */
export function printFormatted(cells: PrintCells, length: number, paper: Paper): void {
  let field = plainField;
  for (let start = 0; start < cells.used; start += length) {
    let isPrinted = false;
    for (let column = 0; column < length; column++) {
      const cell = cells.at(start + column);
      if (cell.kind === 'attribute') field = cell;
      else if (cell.kind === 'formFeed') paper.newPage();
      else if (cell.kind !== 'null') isPrinted = true;
      printCell(cell, field, paper, column);
    }
    if (isPrinted) paper.goTo(paper.line + 1);
  }
}

function printCell(cell: PrintCell, field: typeof plainField, paper: Paper, column: number): void {
  if (cell.kind !== 'character' || isNonDisplayable(field.attribute)) return;
  paper.print(column, cell.character, cell.style ?? field.style);
}
