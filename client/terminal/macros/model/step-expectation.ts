import { asMeant, instructionOf, type MacroStep, type ObjectStep } from '../../../../src/macros/macro-step.js';
import { words } from '../../words/words.js';
import { isAttentionStep } from './step-keys.js';

const changesField: ReadonlySet<string> = new Set(['Del', 'ErEof', 'Dup', 'FieldMark']);

/** Expectation of a step in words, for users. Of typed text it gives only the length. */
export function stepExpectation(step: MacroStep): string {
  if (typeof step === 'number') return fieldFor(1);
  if (typeof step === 'object') return objectExpectation(asMeant(step));
  const instruction = instructionOf(step);
  if (instruction?.does === 'move') return words('expect.move');
  if (instruction?.does === 'paste') return words('expect.paste');
  if (instruction?.does === 'copy') return words('expect.copy');
  if (changesField.has(step)) return words('expect.fieldForKey', { key: step });
  return words(isAttentionStep(step) ? 'expect.screenTakes' : 'expect.keyboardTakes', { key: step });
}

function objectExpectation(step: ObjectStep): string {
  if ('screen' in step) return words('expect.screen');
  if ('prompt' in step) return words('expect.hiding');
  if ('type' in step) return words('expect.text');
  return step.txt === '' ? words('expect.look') : fieldFor([...step.txt].length);
}

function fieldFor(count: number): string {
  return words('expect.fieldFor', { count });
}
