import { NULL_SIGN, typedCharacters } from '../../lib/text/typed-characters.js';
import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { isNonDisplayable, isProtected } from '../datastream/field-attribute.js';
import { formatControls } from '../datastream/orders.js';
import { enterCharacter, eraseToEndOfField } from '../keyboard/editing-keys.js';
import { findUnsentField } from '../keyboard/field-validation.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { rememberScreen } from './screen-backup.js';
import { type EntryRules, ScreenEntry } from './screen-entry.js';
import { characterAt } from './screen-image.js';
import type { ScreenState } from './screen-state.js';

export interface FormEntry {
  /** Address of the field's first character; any position on an unformatted screen. */
  readonly address: BufferAddress;
  readonly text: string;
  /** True to type the text even if the field already contains it. */
  readonly modifies?: boolean;
}

export interface FormRefusal {
  readonly address: BufferAddress;
  readonly reason: 'unknownField' | 'tooLong' | 'untypable' | OperatorError;
  /** The first character that the code page lacks; undefined for a non-displayable field. */
  readonly character?: string | undefined;
}

/** Except U+001C and U+001E, which the terminal page sends for DUP and FIELD MARK. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
export const controls = /[\u0000-\u001b\u001d\u001f\u007f-\u009f]/;

export interface Form {
  readonly entries: readonly FormEntry[];
  readonly cursor: BufferAddress | undefined;
  /** True if the key that follows sends fields, so that mandatory fields are checked. */
  readonly sendsFields: boolean;
  /** True if texts contain U+0000 for nulls. */
  readonly tellsNulls?: boolean;
}

/**
 * Characters of a form times positions examined for each, at most about 0.2 s. Sufficient for one field of 160 x 62
 * positions, or 132 x 27 with double-byte characters.
 */
const MOST_WORK = 100_000_000;
const MOST_DOUBLE_BYTE_WORK = 16_000_000;

interface FieldRoom {
  left: number;
  work: number;
}

/**
 * All or nothing. A field with the same content, apart from trailing blanks, stays unmodified (reference 2.8,
 * MDT-IF-RECEIVED).
 * @returns the first field that cannot hold its text; the screen is then unchanged
 */
export function enterForm(
  state: ScreenState,
  { entries, cursor, sendsFields, tellsNulls = false }: Form,
  rules: EntryRules,
): FormRefusal | undefined {
  const { restore } = rememberScreen(state);
  const terminal = new ScreenEntry(state, rules);
  const { operator, space } = state;
  const target = cursor ?? space.cursor;
  operator.insertMode = false;
  let refusal = target < space.positions ? undefined : ({ address: target, reason: 'unknownField' } as FormRefusal);
  // texts of different fields fit on one screen; repeated fields would make the work unlimited
  const room = { left: space.positions, work: state.doubleByte ? MOST_DOUBLE_BYTE_WORK : MOST_WORK };
  for (const entry of entries) {
    if (refusal !== undefined) break;
    const hasControls = controls.test(tellsNulls ? entry.text.replaceAll(NULL_SIGN, ' ') : entry.text);
    const reason = enterField(state, terminal, entry, hasControls, room);
    if (reason !== undefined) {
      const character = reason === 'untypable' ? lackingCharacter(state, terminal, entry) : undefined;
      refusal = { address: entry.address, reason, ...(character !== undefined && { character }) };
    }
  }
  const unsent = refusal === undefined && sendsFields ? findUnsentField(space) : undefined;
  if (unsent !== undefined) refusal = { address: space.next(unsent.field), reason: unsent.refusal };
  if (refusal !== undefined) {
    restore();
    return refusal;
  }
  space.cursor = target;
  // the sender of a form has seen the terminal's messages, so the form also resets errors
  operator.programCheck = undefined;
  operator.operatorError = undefined;
  state.revision++;
  return undefined;
}

function enterField(
  state: ScreenState,
  terminal: ScreenEntry,
  { address, text, modifies = false }: FormEntry,
  hasControls: boolean,
  room: FieldRoom,
): FormRefusal['reason'] | undefined {
  const { space } = state;
  if (address >= space.positions) return 'unknownField';
  const field = space.fieldOf(address);
  if (space.formatted && (field === undefined || space.next(field) !== address || space.isFieldAttribute(address))) {
    return 'unknownField';
  }
  if (isProtected(space.attributeOf(address))) return operatorErrors.protected;
  if (!modifies && withoutLastBlanks(fieldText(state, address)) === withoutLastBlanks(text)) return undefined;
  if (hasControls) return 'untypable';
  room.left -= text.length;
  // each typed character examines its field; without fields, a double-byte one the whole screen
  const looksAt = field !== undefined ? space.fieldLength(field) : state.doubleByte ? space.positions : 1;
  room.work -= text.length * looksAt;
  if (room.left < 0 || room.work < 0) return 'tooLong';
  space.cursor = address;
  if (space.formatted) eraseToEndOfField(terminal);
  return typeText(state, terminal, address, text);
}

/**
 * Shift codes are displayed as blanks. A blank at the position of a shift code stands for that code, so a text typed as
 * displayed keeps its length.
 */
function typeText(
  state: ScreenState,
  terminal: ScreenEntry,
  address: BufferAddress,
  text: string,
): FormRefusal['reason'] | undefined {
  const { space } = state;
  const field = space.fieldOf(address);
  const characters = charactersOf(terminal, text);
  let full = false;
  for (const [at, character] of characters.entries()) {
    const isEmpty = character === ' ' || character === NULL_SIGN;
    if (isEmpty && isShiftIn(state, space.cursor)) {
      space.cursor = space.next(space.cursor);
      continue;
    }
    if (full) return 'tooLong';
    if (isEmpty && beginsSubfield(state, terminal, field, characters[at + 1])) continue;
    const before = space.cursor;
    const refusal = character === NULL_SIGN ? leaveNull(terminal) : enterCharacter(terminal, character);
    if (refusal === operatorErrors.minusFunction) return 'untypable';
    if (refusal === operatorErrors.overflow) return 'tooLong';
    if (refusal !== undefined) return refusal;
    full = space.formatted ? isBehindField(state, field, address) : space.cursor < before;
  }
  return undefined;
}

function leaveNull({ buffer, subfields }: ScreenEntry): undefined {
  const at = buffer.cursor;
  buffer.erase(at);
  buffer.cursor = buffer.next(at);
  subfields?.settle(at);
}

/** True if the cursor left the field, wrapped around to its start, or is at a shift-in in its last position. */
function isBehindField(state: ScreenState, field: BufferAddress | undefined, address: BufferAddress): boolean {
  const { space } = state;
  const { cursor } = space;
  if (space.fieldOf(cursor) !== field || cursor === address || space.isFieldAttribute(cursor)) return true;
  return isShiftIn(state, cursor) && space.isFieldAttribute(space.next(cursor));
}

function isShiftIn({ doubleByte, space }: ScreenState, address: BufferAddress): boolean {
  return doubleByte && space.planes.codes[address] === formatControls.shiftIn;
}

function lackingCharacter(state: ScreenState, terminal: ScreenEntry, { address, text }: FormEntry): string | undefined {
  if (isNonDisplayable(state.space.attributeOf(address))) return undefined;
  return charactersOf(terminal, text).find((one) => !controls.test(one) && terminal.codeOf(one) === undefined);
}

function charactersOf(terminal: ScreenEntry, text: string): readonly string[] {
  return typedCharacters(text, (sequence) => terminal.codeOf(sequence) !== undefined);
}

function beginsSubfield(
  { space }: ScreenState,
  terminal: ScreenEntry,
  field: BufferAddress | undefined,
  following = '',
): boolean {
  if (following === '' || field === undefined || space.planes.inputControls[field] === 0) return false;
  if (space.planes.characterSets[field] === characterSets.doubleByte) return false;
  const code = terminal.codeOf(following);
  return code !== undefined && terminal.widthOf(code) === 2;
}

function fieldText(state: ScreenState, address: BufferAddress): string {
  const { space } = state;
  const field = space.fieldOf(address);
  if (field === undefined) return '';
  const set = space.planes.characterSets[field] as number;
  let text = '';
  for (let at = address; !space.isFieldAttribute(at); at = space.next(at)) text += characterAt(state, at, set);
  return text;
}

function withoutLastBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\u3000')) end--;
  return text.slice(0, end);
}

/** Unprotected displayable fields among those offered that a form omits; the caller clears them. */
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

export function isHiddenPosition({ space }: ScreenState, address: BufferAddress): boolean {
  return space.formatted && address < space.positions && isNonDisplayable(space.attributeOf(address));
}

export interface PositionEntry {
  readonly address: BufferAddress;
  readonly text: string;
  /** Maximum number of positions; undefined for the rest of the field. */
  readonly length: number | undefined;
  readonly erasesField: boolean;
  readonly movesCursor: boolean;
}

/** Truncates a text that does not fit. Returns the reason if nothing was typed. */
export function enterAtPosition(
  state: ScreenState,
  { address, text, length, erasesField, movesCursor }: PositionEntry,
  rules: EntryRules,
): FormRefusal['reason'] | undefined {
  const { space } = state;
  if (address >= space.positions) return 'unknownField';
  if (space.isFieldAttribute(address) || isProtected(space.attributeOf(address))) return operatorErrors.protected;
  // limits the work: no screen can hold more, and each character examines its field
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
