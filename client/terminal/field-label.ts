import type { ShownField } from './terminal-port.js';
import { words } from './words/words.js';

interface LabelledScreen {
  readonly columns: number;
  readonly cells: readonly string[];
  readonly fields: readonly ShownField[];
}

interface LabelledModel {
  readonly columns: number;
  readonly fields: readonly ShownField[];
  cells(): readonly string[];
}

const LONGEST = 60;

export function labelAt(model: LabelledModel, address: number): string {
  const { columns, fields } = model;
  const field = fields.find((one) => one.address === address);
  return field === undefined ? '' : fieldLabel({ columns, cells: model.cells(), fields }, field);
}

/** Replaces the form name of a field in a server message by its label, and removes the text before the name. */
export function withFieldLabel(model: LabelledModel & { readonly rows: number }, message: string): string {
  return message.replace(/^.*?\bV([0-9A-F]{7})\b/, (_, digits: string) => {
    const start = Number.parseInt(digits, 16);
    const { rows, columns } = model;
    const place = words('field.place', { row: Math.floor(start / columns) + 1, column: (start % columns) + 1 });
    return labelAt(model, (start + rows * columns - 1) % (rows * columns)) || place;
  });
}

/** Label for screen readers: the protected text before a field on its row, without leader dots. */
export function fieldLabel({ columns, cells, fields }: LabelledScreen, { address }: ShownField): string {
  const start = (address + 1) % cells.length;
  const row = Math.floor(start / columns);
  let begin = row * columns;
  for (const field of fields) {
    const isBefore = field.address >= begin && field.address < address;
    if (isBefore && !field.isProtected) begin = Math.min(field.address + field.length + 1, start);
  }
  const label = cells
    .slice(begin, start)
    .join('')
    .replace(/(?:\s*[.:=>_-])+\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return label === '' ? words('field.place', { row: row + 1, column: (start % columns) + 1 }) : label.slice(-LONGEST);
}
