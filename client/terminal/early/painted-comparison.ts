export interface PaintedScreen {
  /** Text of each row; positions of inputs contain `INPUT`. */
  readonly rows: readonly string[];
  /** Address of the first character of each input, and its size on that row. */
  readonly inputs: readonly (readonly [address: number, size: number])[];
}

export interface ComparedScreen {
  readonly rows: number;
  readonly columns: number;
  readonly isFormatted: boolean;
  readonly fields: readonly { readonly address: number; readonly isProtected: boolean; readonly length: number }[];
  cells(): readonly string[];
}

export const INPUT = '\0';

/**
 * True if the terminal shows the screen that the page was painted with: same text outside the inputs, same inputs.
 * Strokes made on another screen must not reach this one.
 */
export function isStillPainted(painted: PaintedScreen, shown: ComparedScreen): boolean {
  const { rows, columns, isFormatted } = shown;
  const cells = [...shown.cells()];
  if (isFormatted) {
    const open = shown.fields.filter((field) => !field.isProtected && field.length > 0);
    const starts = new Set(open.map(({ address }) => (address + 1) % cells.length));
    if (starts.size !== painted.inputs.length || painted.inputs.some(([address]) => !starts.has(address))) return false;
    // the painted rows after the first row of a field contain blanks in its place
    for (const { address, length } of open) {
      for (let offset = 1; offset <= length; offset++) cells[(address + offset) % cells.length] = ' ';
    }
  }
  for (const [address, size] of painted.inputs) {
    for (let at = address; at < address + size; at++) cells[at] = INPUT;
  }
  const rowAt = (at: number) => cells.slice(at * columns, (at + 1) * columns);
  return rows === painted.rows.length && painted.rows.every((row, at) => row === rowAt(at).join('').trimEnd());
}
