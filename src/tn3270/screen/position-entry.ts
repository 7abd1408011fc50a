import type { BufferAddress } from '../datastream/buffer-address.js';
import { isProtected } from '../datastream/field-attribute.js';
import { eraseToEndOfField } from '../keyboard/editing-keys.js';
import { operatorErrors } from '../keyboard/operator-errors.js';
import type { EntryRules } from './entry-rules.js';
import { charactersOf, controls, type FormRefusal, typeText } from './form-entry.js';
import { rememberScreen } from './screen-backup.js';
import { ScreenEntry } from './screen-entry.js';
import type { ScreenState } from './screen-state.js';

/** Text typed by a program at a position, as by an operator who first moves the cursor there. */
export interface PositionEntry {
  readonly address: BufferAddress;
  readonly text: string;
  /** Positions that it may take; undefined: as many as the field has from there on. */
  readonly length: number | undefined;
  /** The whole field is emptied before. */
  readonly erasesField: boolean;
  /** Whether the cursor moves to the end of the text, or does not move. */
  readonly movesCursor: boolean;
}

/**
 * Types a text at a position, and cuts off what does not fit into the field.
 * @returns why nothing was typed
 */
export function enterAtPosition(
  state: ScreenState,
  { address, text, length, erasesField, movesCursor }: PositionEntry,
  rules: EntryRules,
): FormRefusal['reason'] | undefined {
  const { space } = state;
  if (address >= space.positions) return 'unknownField';
  if (space.isFieldAttribute(address) || isProtected(space.attributeOf(address))) return operatorErrors.protected;
  // no screen has room for more, and each character looks at its field
  const fitting = text.slice(0, space.positions);
  if (controls.test(fitting)) return 'untypable';
  const { restore } = rememberScreen(state);
  const terminal = new ScreenEntry(state, rules);
  const before = space.cursor;
  const field = space.fieldOf(address);
  const first = field === undefined ? address : space.next(field);
  state.operator.insertMode = false;
  if (erasesField) {
    space.cursor = first;
    eraseToEndOfField(terminal);
  }
  space.cursor = address;
  const refusal = typeText(state, terminal, first, partOf(terminal, fitting, length));
  if (refusal !== undefined && refusal !== 'tooLong') {
    restore();
    return refusal;
  }
  if (!movesCursor) space.cursor = before;
  state.revision++;
  return undefined;
}

/** As much of a text as so many positions take. */
function partOf(terminal: ScreenEntry, text: string, length: number | undefined): string {
  if (length === undefined) return text;
  let left = length;
  let part = '';
  for (const character of charactersOf(terminal, text)) {
    const code = terminal.codeOf(character);
    left -= code === undefined ? 1 : terminal.widthOf(code);
    if (left < 0) break;
    part += character;
  }
  return part;
}
