import { instructionOf } from '../../../../src/macro/instruction.js';
import type { MacroStep } from '../../../../src/macro/macro-set.js';
import { isAttentionStep } from './step-keys.js';

/** Keys that change the field that the cursor is in. */
const changesField: ReadonlySet<string> = new Set(['Del', 'ErEof', 'Dup', 'FieldMark']);

/** What a step takes for granted, in words for the one whose screen is another; of what it types, only how long it is. */
export function stepExpectation(step: MacroStep): string {
  if (typeof step === 'number') return fieldFor(1);
  if (typeof step === 'object') {
    if (step.screen !== undefined) return 'the screen that was recorded';
    return step.prompt === undefined ? fieldFor([...step.txt].length) : 'a field that hides what is typed';
  }
  const instruction = instructionOf(step);
  if (instruction?.does === 'move') return 'a place that the cursor may go to';
  if (instruction?.does === 'paste') return 'fields for what was copied';
  if (instruction?.does === 'copy') return 'a screen to copy from';
  if (changesField.has(step)) return `a field for ${step}`;
  return `a ${isAttentionStep(step) ? 'screen' : 'keyboard'} that takes ${step}`;
}

function fieldFor(characters: number): string {
  return `a field for ${characters} character${characters === 1 ? '' : 's'}`;
}
