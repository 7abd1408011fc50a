import { expect } from 'chai';
import { ScenarioAbendError } from '../../src/scenarios/scenario-abend-error.js';
import { DeclaredOnPage } from '../../src/scenarios/session-effects.js';

const choices = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => ({ value: String(at).padStart(length, '0'), label: '' }));
const area = { row: 1, column: 1, length: 1, condition: undefined, action: { kind: 'key', key: 'PF3' } } as const;

/** docs/write/scenarios.md: 500 areas, 500 fields, 1,000 choices for a field and 100,000 characters. */
describe('what one run may declare', () => {
  const abends = (declare: () => void, words: string) => expect(declare, words).to.throw(ScenarioAbendError, words);

  it('is 500 fields, a further choice for one of them being none', () => {
    const declared = new DeclaredOnPage();
    for (let at = 0; at < 500; at++) declared.setControl(1 + (at % 24), 1 + Math.floor(at / 24), { kind: 'hidden' });
    declared.setControl(1, 1, { kind: 'hidden' });
    declared.addChoices(2, 1, choices(1, 1));
    expect(declared.fields).to.have.length(500);
    abends(() => declared.setControl(24, 80, { kind: 'hidden' }), 'more than 500 fields');
    abends(() => declared.addChoices(24, 80, choices(1, 1)), 'more than 500 fields');
    expect(declared.fields).to.have.length(500);
  });

  it('is 500 areas', () => {
    const declared = new DeclaredOnPage();
    for (let at = 0; at < 500; at++) declared.addArea(area, 0);
    abends(() => declared.addArea(area, 0), 'more than 500 areas');
    expect(declared.areas).to.have.length(500);
  });

  it('is 1,000 choices for a field, in however many instructions, and as many for another', () => {
    const declared = new DeclaredOnPage();
    declared.addChoices(1, 1, choices(999, 4));
    declared.addChoices(1, 1, choices(1, 4));
    abends(() => declared.addChoices(1, 1, choices(1, 4)), 'more than 1000 choices');
    declared.addChoices(2, 1, choices(1_000, 4));
    expect(declared.fields.map(({ control }) => control.kind === 'choice' && control.choices.length)).to.deep.equal([
      1_000, 1_000,
    ]);
    abends(() => new DeclaredOnPage().addChoices(1, 1, choices(1_001, 4)), 'more than 1000 choices');
  });

  it('is 100,000 characters of values, labels and areas together', () => {
    const declared = new DeclaredOnPage();
    declared.addArea(area, 1_000);
    declared.addChoices(1, 1, choices(980, 100));
    declared.addChoices(2, 1, [{ value: 'v'.repeat(500), label: 'l'.repeat(500) }]);
    abends(() => declared.addChoices(3, 1, [{ value: '', label: 'l' }]), 'more than 100000 characters');
    abends(() => new DeclaredOnPage().addArea(area, 100_001), 'more than 100000 characters');
  });
});
