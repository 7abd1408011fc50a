import type { Subfields } from '../../../src/tn3270/keyboard/keyboard-terminal.js';
import { SHIFT_IN, SHIFT_OUT } from './cell-signs.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** Subfields sent by the host. Typed characters are in no subfield: the host inserts the shift codes. */
export class CellSubfields implements Subfields {
  readonly #buffer: () => PresentationBuffer;

  constructor(buffer: () => PresentationBuffer) {
    this.#buffer = buffer;
  }

  reach(address: number): boolean {
    const buffer = this.#buffer();
    for (let at = buffer.previous(address); at !== address; at = buffer.previous(at)) {
      const cell = buffer.cells[at];
      if (buffer.isFieldAttribute(at) || cell === SHIFT_IN) return false;
      if (cell === SHIFT_OUT) return true;
      if (at === 0 && !buffer.formatted) return false;
    }
    return false;
  }

  end(address: number): void {
    this.#buffer().setCell(address, SHIFT_IN);
  }

  settle(): void {
    // each cell contains its own type
  }
}
