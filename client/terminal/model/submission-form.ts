import { isNonDisplayable } from '../../../src/tn3270/datastream/field-attribute.js';
import { textOfCells, withoutEnd } from './entry-text.js';
import type { PresentationBuffer } from './presentation-buffer.js';

export interface SubmittedField {
  /** V and the address of the first character in 7 upper-case hexadecimal digits. */
  readonly id: string;
  /** Address of the first character. */
  readonly address: number;
  /** Nulls before text are U+0000: they are not sent to the host. */
  readonly text: string;
  readonly nonDisplayable: boolean;
}

export interface SubmissionForm {
  readonly cursor: number;
  readonly fields: readonly SubmittedField[];
}

const ID_DIGITS = 7;

/** Complete content of each edited field, in screen order. */
export function fieldEntries(buffer: PresentationBuffer, edited: Iterable<number>): SubmittedField[] {
  return [...edited]
    .sort((one, other) => one - other)
    .map((field) => {
      const cells = Array.from(buffer.positionsOf(field), (at) => buffer.cells[at] as string);
      return entry(
        buffer.next(field),
        withoutEnd(textOfCells(cells)),
        isNonDisplayable(buffer.fieldAttributes[field] as number),
      );
    });
}

/** For unformatted screens: pieces that differ from the host's, with blanks, as no field end limits them. */
export function pieceEntries(buffer: PresentationBuffer, host: PresentationBuffer): SubmittedField[] {
  return changedPieces(buffer, host).map(({ address, cells }) => entry(address, textOfCells(cells), false));
}

interface ChangedPiece {
  readonly address: number;
  readonly cells: readonly string[];
}

export function changedPieces(buffer: PresentationBuffer, other: PresentationBuffer): ChangedPiece[] {
  const pieces: ChangedPiece[] = [];
  for (let at = 0; at < buffer.positions; at++) {
    const start = at;
    while (at < buffer.positions && buffer.cells[at] !== other.cells[at]) at++;
    if (at > start) pieces.push({ address: start, cells: buffer.cells.slice(start, at) });
  }
  return pieces;
}

function entry(address: number, text: string, nonDisplayable: boolean): SubmittedField {
  return { id: `V${address.toString(16).toUpperCase().padStart(ID_DIGITS, '0')}`, address, text, nonDisplayable };
}
