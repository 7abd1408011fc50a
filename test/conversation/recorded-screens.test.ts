import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { differences, indistinct, type ScreenDefinition } from '../../src/conversation/screen-definition.js';
import type { ScreenCondition } from '../../src/screen/screen-condition.js';
import type { ScreenImage } from '../../src/screen/screen-image.js';
import { skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';
import { picture } from './pictures.js';

/** What s3270 shows of recorded host sessions, beside the project where it is at all. */
const expected = join(projectFolder, '..', 'shared', 'traces', 'expected');

interface RecordedScreen {
  readonly rows: number;
  readonly cols: number;
  readonly cursor: readonly [number, number];
  readonly text: readonly string[];
  readonly fields: readonly { readonly at: number; readonly fa: string }[];
}

interface Recorded {
  readonly screen?: RecordedScreen;
  readonly steps?: readonly { readonly screen?: RecordedScreen }[];
}

describe('definitions of recorded screens', () => {
  it('hold on their own screens, and on another where nothing that is displayed differs', function () {
    this.timeout(60_000);
    skipUnless(this, existsSync(expected), 'there are no recorded sessions in ../shared/traces');
    let screens = 0;
    for (const file of filesBelow(expected)) {
      const { screen, steps = [] } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
      const recorded = [...steps.map((step) => step.screen), screen].filter((one) => one !== undefined);
      const images = recorded.map(imageOf);
      const definitions = images.map(definitionOf);
      screens += images.length;
      for (const [at, definition] of definitions.entries()) {
        expect(differences(definition, images[at] as ScreenImage), `${file} ${at}`).to.deep.equal([]);
      }
      for (const { names, image } of indistinct(definitions, images)) {
        const [one, other] = names.map((name) => images[Number(name)] as ScreenImage) as [ScreenImage, ScreenImage];
        // the definition says every text and all counts: only blank rows are not in it
        const held = images[image] as ScreenImage;
        expect([differsFrom(one, held), differsFrom(other, held)], `${file} ${names}`).to.deep.equal([false, false]);
      }
    }
    expect(screens).to.be.greaterThan(20);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

function imageOf({ rows, cols, cursor, text, fields }: RecordedScreen): ScreenImage {
  return picture({
    rows,
    columns: cols,
    text,
    cursor: cursor[0] * cols + cursor[1],
    fields: fields.map(({ at, fa }) => ({ address: at, attribute: Number.parseInt(fa, 16) & 0x3f })),
  });
}

function definitionOf(image: ScreenImage, at: number): ScreenDefinition {
  const { rows, columns, cells, fields, cursor } = image;
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

function differsFrom(one: ScreenImage, other: ScreenImage): boolean {
  return one.cells.join('').trimEnd() !== other.cells.join('').trimEnd() || one.cursor !== other.cursor;
}
