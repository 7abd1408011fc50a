import type { BufferAddress } from '../datastream/buffer-address.js';
import { type PrintStyle, printStyles } from './print-style.js';

/** Room for what any BIND gives a printer; addresses of it have 14 bits. */
export const PRINT_POSITIONS = 132 * 120;

/** What stands in a position of the buffer. `rightHalf`: of the double-byte character before. */
export type PrintCell =
  | { readonly kind: 'null' | 'newLine' | 'carriageReturn' | 'formFeed' | 'endOfMedium' | 'rightHalf' }
  | { readonly kind: 'attribute'; readonly attribute: number; readonly style: PrintStyle }
  | { readonly kind: 'character'; readonly character: string; readonly style: PrintStyle | undefined };

export const nullCell: PrintCell = { kind: 'null' };

/** The buffer of a printer. Nothing stands behind `used`. */
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

  /** The attribute of the field that a position is in; undefined: there is no field. */
  fieldBefore(address: BufferAddress): Extract<PrintCell, { kind: 'attribute' }> | undefined {
    for (let at = Math.min(address, this.#used) - 1; at >= 0; at--) {
      const cell = this.at(at);
      if (cell.kind === 'attribute') return cell;
    }
    return undefined;
  }
}

export const plainField: Extract<PrintCell, { kind: 'attribute' }> = {
  kind: 'attribute',
  attribute: 0,
  style: printStyles.plain,
};
