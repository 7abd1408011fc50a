import type { BufferAddress } from '../datastream/buffer-address.js';
import { isNonDisplayable } from '../datastream/field-attribute.js';
import { MOST_PRINT_POSITIONS, type Paper } from './paper.js';
import { type PrintStyle, printStyles } from './printed-page.js';

/** Largest buffer that a BIND can define for a printer; its addresses have 14 bits. */
export const PRINT_POSITIONS = 132 * 120;

/** Content of a buffer position. `rightHalf`: second position of a double-byte character. */
export type PrintCell =
  | { readonly kind: 'null' | 'newLine' | 'carriageReturn' | 'formFeed' | 'endOfMedium' | 'rightHalf' }
  | { readonly kind: 'attribute'; readonly attribute: number; readonly style: PrintStyle }
  | { readonly kind: 'character'; readonly character: string; readonly style: PrintStyle | undefined };

export const nullCell: PrintCell = { kind: 'null' };

/** Buffer of a printer. All positions from `used` on are empty. */
export class PrintCells {
  readonly #cells = new Array<PrintCell>(PRINT_POSITIONS).fill(nullCell);
  #used = 0;

  get used(): number {
    return this.#used;
  }

  at(address: BufferAddress): PrintCell {
    return this.#cells[address] ?? nullCell;
  }

  put(address: BufferAddress, cell: PrintCell): void {
    this.#cells[address] = cell;
    if (address >= this.#used) this.#used = address + 1;
  }

  clear(): void {
    this.#cells.fill(nullCell, 0, this.#used);
    this.#used = 0;
  }

  fieldBefore(address: BufferAddress): Extract<PrintCell, { kind: 'attribute' }> | undefined {
    for (let at = Math.min(address, this.#used) - 1; at >= 0; at--) {
      const cell = this.at(at);
      if (cell.kind === 'attribute') return cell;
    }
    return undefined;
  }
}

const plainField: Extract<PrintCell, { kind: 'attribute' }> = {
  kind: 'attribute',
  attribute: 0,
  style: printStyles.plain,
};

export interface Carriage {
  column: number;
}

/**
 * Prints a buffer whose lines end at NL, CR, FF, EM or the edge of the paper. Nulls take no space. Ends on a new line.
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

/** Prints a buffer in lines of one length. Lines that have only nulls and attributes are not printed. */
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
