import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { differences, indistinct } from '../../../src/tn3270/conversation/screen-definition.js';
import type { ScreenImage } from '../../../src/tn3270/screen/screen-image.js';
import { skipUnless } from '../../support/need.js';
import { definitionOf, imageOf, type RecordedScreen, recordedSessions } from './recorded-screens.js';

const expected = join(recordedSessions, 'expected');

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

function differsFrom(one: ScreenImage, other: ScreenImage): boolean {
  return one.text.shown.trimEnd() !== other.text.shown.trimEnd() || one.cursor !== other.cursor;
}
