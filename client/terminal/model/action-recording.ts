import { isNonDisplayable, isProtected } from '../../../src/tn3270/datastream/field-attribute.js';
import type { KeyboardAction, KeyOutcome } from '../../../src/tn3270/keyboard/keyboard-terminal.js';
import type { CursorPlace, PerformedAction } from './performed-action.js';
import type { PresentationBuffer } from './presentation-buffer.js';

export function performRecorded(
  { buffer }: { readonly buffer: PresentationBuffer },
  action: KeyboardAction,
  act: () => KeyOutcome,
  record: (performed: PerformedAction) => void,
): KeyOutcome {
  const from = placeOf(buffer);
  const goal = buffer.formatted ? buffer.nextUnprotected(from.position) : undefined;
  const outcome = act();
  const to = placeOf(buffer);
  record({
    action: action.did === 'typed' && from.isHidden ? { did: 'typed', character: undefined } : action,
    from,
    to,
    isRefused: outcome !== 'done',
    goesToNextField: to.position === goal,
  });
  return outcome;
}

function placeOf(buffer: PresentationBuffer): CursorPlace {
  const field = buffer.fieldOf(buffer.cursor);
  const attribute = buffer.attributeOf(buffer.cursor);
  return {
    position: buffer.cursor,
    field,
    start: field === undefined ? 0 : buffer.next(field),
    isHidden: field !== undefined && isNonDisplayable(attribute) && !isProtected(attribute),
  };
}
