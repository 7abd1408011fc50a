import type { BufferAddress } from '../datastream/buffer-address.js';
import { isNonDisplayable, isProtected } from '../datastream/field-attribute.js';
import { type EntryRules, enterCodePoint } from './character-entry.js';
import { editingKeys } from './editing-keys.js';
import { findUnsentField } from './field-validation.js';
import { type OperatorError, operatorErrors } from './operator-information.js';
import { rememberScreen } from './screen-backup.js';
import { characterAt } from './screen-contents.js';
import type { ScreenState } from './screen-state.js';

/** What one field of a form holds. */
export interface FormEntry {
  /** Of the first character of the field; on an unformatted screen any position. */
  readonly address: BufferAddress;
  readonly text: string;
  /** Typed even where the field holds the same already. */
  readonly modifies?: boolean;
}

export interface FormRefusal {
  readonly address: BufferAddress;
  readonly reason: 'unknownField' | 'tooLong' | 'untypable' | OperatorError;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const controls = /[\u0000-\u001f\u007f-\u009f]/;

/** What a form asks of the terminal. */
export interface Form {
  readonly entries: readonly FormEntry[];
  /** Where the cursor is when the key is pressed; undefined: where it was. */
  readonly cursor: BufferAddress | undefined;
  /** The key to be checked for: keys that send fields need the fields that must be entered. */
  readonly sendsFields: boolean;
}

/**
 * Types what a form brought into the fields it names, all of it or nothing. A field whose content is the same already, blanks at
 * its end apart, stays as it is and unmodified (reference 2.8, MDT-IF-RECEIVED).
 * @returns the first field that cannot hold its text; nothing has changed then
 */
export function enterForm(
  state: ScreenState,
  { entries, cursor, sendsFields }: Form,
  rules: EntryRules,
): FormRefusal | undefined {
  const restore = rememberScreen(state);
  const { operator, space } = state;
  const target = cursor ?? space.cursor;
  operator.insertMode = false;
  let refusal = target < space.positions ? undefined : ({ address: target, reason: 'unknownField' } as FormRefusal);
  for (const entry of entries) {
    if (refusal !== undefined) break;
    const reason = enterField(state, entry, rules);
    if (reason !== undefined) refusal = { address: entry.address, reason };
  }
  const unsent = refusal === undefined && sendsFields ? findUnsentField(space) : undefined;
  if (unsent !== undefined) refusal = { address: space.next(unsent.field), reason: unsent.refusal };
  if (refusal !== undefined) {
    restore();
    return refusal;
  }
  space.cursor = target;
  operator.operatorError = undefined;
  state.revision++;
  return undefined;
}

function enterField(
  state: ScreenState,
  { address, text, modifies = false }: FormEntry,
  rules: EntryRules,
): FormRefusal['reason'] | undefined {
  const { space } = state;
  if (address >= space.positions) return 'unknownField';
  const field = space.fieldOf(address);
  if (space.formatted && (field === undefined || space.next(field) !== address || space.isFieldAttribute(address))) {
    return 'unknownField';
  }
  if (isProtected(space.attributeOf(address))) return operatorErrors.protected;
  if (!modifies && fieldText(state, address).trimEnd() === text.trimEnd()) return undefined;
  if (controls.test(text)) return 'untypable';
  space.cursor = address;
  if (space.formatted) editingKeys.EraseEOF(state);
  let full = false;
  for (const character of text) {
    if (full) return 'tooLong';
    const before = space.cursor;
    const refusal = enterCodePoint(state, character.codePointAt(0) as number, rules);
    if (refusal !== undefined) return refusal === operatorErrors.minusFunction ? 'untypable' : refusal;
    // behind the last position the cursor has left the field, or has come round to its first
    full = space.formatted
      ? space.fieldOf(space.cursor) !== field || space.cursor === address || space.isFieldAttribute(space.cursor)
      : space.cursor < before;
  }
  return undefined;
}

/** What a field shows, or would show were it not non-displayable. */
function fieldText(state: ScreenState, address: BufferAddress): string {
  const { space } = state;
  const field = space.fieldOf(address);
  if (field === undefined) return '';
  const set = space.planes.characterSets[field] as number;
  let text = '';
  for (let at = address; !space.isFieldAttribute(at); at = space.next(at)) text += characterAt(state, at, set);
  return text;
}

/** The unprotected displayable fields that hold something and are none of those named: a form that lost them empties them. */
export function unnamedFields(
  state: ScreenState,
  offered: Iterable<BufferAddress>,
  named: ReadonlySet<BufferAddress>,
): BufferAddress[] {
  const { space } = state;
  const unnamed: BufferAddress[] = [];
  for (const address of offered) {
    if (named.has(address) || address >= space.positions) continue;
    const field = space.fieldOf(address);
    if (field === undefined || space.next(field) !== address || space.isFieldAttribute(address)) continue;
    const attribute = space.attributeOf(address);
    if (!isProtected(attribute) && !isNonDisplayable(attribute)) unnamed.push(address);
  }
  return unnamed;
}

/** Whether what stands at a position is not displayed. */
export function isHiddenPosition({ space }: ScreenState, address: BufferAddress): boolean {
  return space.formatted && address < space.positions && isNonDisplayable(space.attributeOf(address));
}
