import type { HostField, HostRun, HostScreen } from '../tn3270/screen/form-screen.js';

/** Index of the field at a position, attributes included; -1 on an unformatted screen. */
export function fieldIndexAt({ fields, rows, columns }: HostScreen, position: number): number {
  const positions = rows * columns;
  // the attribute is one position before the start; the first positions may belong to the last field
  const found = lastUpTo(position, fields.length, (at) => {
    return ((fields[at] as HostField).start - 1 + positions) % positions;
  });
  return found < 0 ? fields.length - 1 : found;
}

export function fieldAt(screen: HostScreen, position: number): HostField | undefined {
  return screen.fields[fieldIndexAt(screen, position)];
}

/** Index of the first run that ends after a position, or the number of runs. */
export function runIndexAt({ runs }: HostScreen, position: number): number {
  const found = lastUpTo(position, runs.length, (at) => (runs[at] as HostRun).start);
  const run = runs[found];
  return run !== undefined && position < run.start + run.length ? found : found + 1;
}

/** Binary search: index of the last position up to the given one in an ascending list; -1 if there is none. */
function lastUpTo(position: number, count: number, positionOf: (index: number) => number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (positionOf(middle) <= position) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

export function isAttribute(screen: HostScreen, position: number): boolean {
  const field = fieldAt(screen, position);
  return field !== undefined && field.start === (position + 1) % (screen.rows * screen.columns);
}

export function fieldValue({ cells }: HostScreen, { start, length, isNonDisplayable }: HostField): string {
  if (isNonDisplayable) return '';
  let text = '';
  for (let offset = 0; offset < length; offset++) text += cells[(start + offset) % cells.length] ?? '';
  return text.trimEnd();
}
