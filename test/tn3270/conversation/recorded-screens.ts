import { join } from 'node:path';
import type { ScreenDefinition } from '../../../src/tn3270/conversation/screen-definition.js';
import type { ScreenCondition } from '../../../src/tn3270/screen/screen-condition.js';
import type { ScreenImage } from '../../../src/tn3270/screen/screen-image.js';
import { projectFolder } from '../../support/project.js';
import { picture } from './pictures.js';

/** Recorded host sessions lie beside the project, where they lie at all: they are others' and are not copied. */
export const recordedSessions = join(projectFolder, '..', 'shared', 'traces');

/** What s3270 shows. */
export interface RecordedScreen {
  readonly rows: number;
  readonly cols: number;
  readonly cursor: readonly [number, number];
  readonly text: readonly string[];
  readonly fields: readonly { readonly at: number; readonly fa: string }[];
}

export function imageOf({ rows, cols, cursor, text, fields }: RecordedScreen): ScreenImage {
  return picture({
    rows,
    columns: cols,
    text,
    cursor: cursor[0] * cols + cursor[1],
    fields: fields.map(({ at, fa }) => ({ address: at, attribute: Number.parseInt(fa, 16) & 0x3f })),
  });
}

/** Every text, its place, and how many fields there are. */
export function definitionOf(image: ScreenImage, at: number): ScreenDefinition {
  const { rows, columns, fields, cursor } = image;
  const { cells } = image.text;
  const conditions: ScreenCondition[] = [
    { fields: fields.length },
    { cursor: [Math.floor(cursor / columns) + 1, (cursor % columns) + 1] },
  ];
  for (let row = 0; row < rows; row++) {
    const line = cells.slice(row * columns, (row + 1) * columns);
    // a row may begin with the right half of a character
    const column = line.findIndex((cell) => cell !== '') + 1;
    conditions.push({ text: line.join(''), row: row + 1, column });
  }
  return { name: String(at), conditions };
}
