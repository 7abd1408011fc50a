import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Change } from '../../scripts/drawn-faults.mjs';
import { projectFolder } from '../support/project.js';

const script = pathToFileURL(join(projectFolder, 'scripts', 'drawn-faults.mjs')).href;
const { changesIn, drawFaults } = (await import(script)) as typeof import('../../scripts/drawn-faults.mjs');

const CODE = `function seat(guests) {
    if (guests < 10 && isOpen(guests, 'hall'))
        fail('SVC_ERR_SERVICE_BUSY');
}
`;

describe('faults that are drawn', () => {
  const applied = ({ kind, start, end, replacement }: Change) => [
    kind,
    `${CODE.slice(0, start)}${replacement}${CODE.slice(end)}`.replace(/\s+/g, ' ').trim(),
  ];

  it('are of these kinds', () => {
    const whole = (condition: string, act = "fail('SVC_ERR_SERVICE_BUSY');", first = '') =>
      `function seat(guests) { ${first}if (${condition}) ${act} }`;
    const sound = "guests < 10 && isOpen(guests, 'hall')";
    expect(changesIn(CODE).map(applied)).to.have.deep.members([
      ['early return', whole(sound, undefined, 'return; ')],
      ['condition negated', whole(`!(${sound})`)],
      ['condition dropped', whole('(guests < 10)')],
      ['condition dropped', whole("(isOpen(guests, 'hall'))")],
      ['boundary moved', whole("guests <= 10 && isOpen(guests, 'hall')")],
      ['constant changed', whole("guests < (10 + 1) && isOpen(guests, 'hall')")],
      ['arguments swapped', whole("guests < 10 && isOpen('hall', guests)")],
      ['statement removed', whole(sound, ';')],
      ['error code changed', whole(sound, "fail('SVC_ERR_SERVICE_FAILED');")],
    ]);
  });

  it('are the same for a seed, others for another one, and each is drawn once', () => {
    const files = [{ file: 'src/seat.js', room: 'ground', text: CODE }];
    const drawn = (count: number, seed: number) => drawFaults(files, count, seed).map(({ faulty }) => faulty);
    expect(drawn(9, 1)).to.deep.equal(drawn(9, 1)).and.to.not.deep.equal(drawn(9, 2));
    expect(new Set(drawn(100, 3)).size).to.equal(9);
  });
});
