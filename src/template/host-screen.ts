/** A field of a host screen, as the tags speak of it. Addresses count positions from 0. */
export interface HostField {
  /** Of its first character; its attribute stands before it. */
  readonly start: number;
  readonly length: number;
  readonly isProtected: boolean;
  readonly isNumeric: boolean;
  readonly isNonDisplayable: boolean;
  readonly isIntensified: boolean;
  readonly isDetectable: boolean;
  readonly isModified: boolean;
  /** NOCOLOR, BLUE, RED, PINK, GREEN, TURQUOISE, YELLOW, WHITE. */
  readonly colour: string;
  /** NOHILIGHT, BLINK, REVERSE, UNDERSCORE. */
  readonly highlighting: string;
}

/** Characters side by side with attributes of their own. */
export interface HostRun {
  readonly start: number;
  readonly length: number;
  readonly colour: string;
  readonly highlighting: string;
}

/** What a template is shown of a host screen: nothing of non-displayable fields is in it. */
export interface HostScreen {
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  /** One for each position: a character, '' for the right half of a double-byte one, a blank for what is not shown. */
  readonly cells: readonly string[];
  /** In the order of their positions; none on an unformatted screen. */
  readonly fields: readonly HostField[];
  /** In the order of their positions, none across an attribute. */
  readonly runs: readonly HostRun[];
  /** Whether a position holds a binary zero. */
  readonly isNull: (position: number) => boolean;
  /** The name of a position in forms: V and 7 hex digits, or P and 7 hex digits where nothing can be typed. */
  readonly idOf: (position: number, isInput: boolean) => string;
}

/** The index of the field that a position belongs to, its attribute included; -1 on an unformatted screen. */
export function fieldIndexAt({ fields, rows, columns }: HostScreen, position: number): number {
  const positions = rows * columns;
  // the attribute stands one before the start; the first positions may belong to the last field
  const found = lastUpTo(position, fields.length, (at) => {
    return ((fields[at] as HostField).start - 1 + positions) % positions;
  });
  return found < 0 ? fields.length - 1 : found;
}

/** The field that a position belongs to, its attribute included; undefined on an unformatted screen. */
export function fieldAt(screen: HostScreen, position: number): HostField | undefined {
  return screen.fields[fieldIndexAt(screen, position)];
}

/** The index of the first run that ends behind a position, or how many runs there are. */
export function runIndexAt({ runs }: HostScreen, position: number): number {
  const found = lastUpTo(position, runs.length, (at) => (runs[at] as HostRun).start);
  const run = runs[found];
  return run !== undefined && position < run.start + run.length ? found : found + 1;
}

/** The index of the last of some ascending positions that is not behind the one given; -1 where there is none. */
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

/** Whether a position holds a field attribute. */
export function isAttribute(screen: HostScreen, position: number): boolean {
  const field = fieldAt(screen, position);
  return field !== undefined && field.start === (position + 1) % (screen.rows * screen.columns);
}

/** What a field shows, without blanks at its end. */
export function fieldValue({ cells }: HostScreen, { start, length, isNonDisplayable }: HostField): string {
  if (isNonDisplayable) return '';
  let text = '';
  for (let offset = 0; offset < length; offset++) text += cells[(start + offset) % cells.length] ?? '';
  return text.trimEnd();
}
