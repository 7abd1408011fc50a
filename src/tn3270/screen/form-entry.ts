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

/** What one field of a form holds. */
export interface FormEntry {
  /** Of the first character of the field; on an unformatted screen any position. */
  readonly address: BufferAddress;
  readonly text: string;
  /** Typed even if the field already has this content. */
  readonly modifies?: boolean;
}

export interface FormRefusal {
  readonly address: BufferAddress;
  readonly reason: 'unknownField' | 'tooLong' | 'untypable' | OperatorError;
  /** The first character of the text that the code page lacks; never one for a field that is not displayed. */
  readonly character?: string | undefined;
}

/** All but U+001C and U+001E, which the terminal page sends for DUP and FIELD MARK. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
export const controls = /[\u0000-\u001b\u001d\u001f\u007f-\u009f]/;

/** What a form asks of the terminal. */
export interface Form {
  readonly entries: readonly FormEntry[];
  /** Where the cursor is when the key is pressed; undefined: where it was. */
  readonly cursor: BufferAddress | undefined;
  /** The key to be checked for: keys that send fields need the fields that must be entered. */
  readonly sendsFields: boolean;
  /** Texts have U+0000 for positions that nobody has typed into. */
  readonly tellsNulls?: boolean;
}

/**
 * Characters of a form times the positions each looks at: some 0.2 s at most. One field as large as a screen of 160 x 62 is within
 * it, with double-byte characters one of 132 x 27.
 */
const MOST_WORK = 100_000_000;
const MOST_DOUBLE_BYTE_WORK = 16_000_000;

/** What is left of a form's bounds. */
interface Room {
  /** Characters. */
  left: number;
  work: number;
}

/**
 * Types what a form brought into the fields it names, all of it or nothing. A field whose content is the same already, blanks at
 * its end apart, stays as it is and unmodified (reference 2.8, MDT-IF-RECEIVED).
 * @returns the first field that cannot hold its text; nothing has changed then
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
  // what does not overlap is not longer than the screen; what does would cost without end
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
  // the sender of a form has seen the terminal's messages: it acts as Reset, too
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
  room: Room,
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
  // each character looks at the field it is typed into; without fields, double-byte ones at the whole screen
  const looksAt = field !== undefined ? space.fieldLength(field) : state.doubleByte ? space.positions : 1;
  room.work -= text.length * looksAt;
  if (room.left < 0 || room.work < 0) return 'tooLong';
  space.cursor = address;
  if (space.formatted) eraseToEndOfField(terminal);
  return typeText(state, terminal, address, text);
}

/**
 * Types a text from the cursor on. Shift-out and shift-in show as blanks: a blank where one of them comes to stand is that one,
 * so that a text that is entered as it looked does not grow.
 * @param address of the first character of the field
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

/** The position at the cursor holds nothing, and the next one is typed at. */
function leaveNull({ buffer, subfields }: ScreenEntry): undefined {
  const at = buffer.cursor;
  buffer.erase(at);
  buffer.cursor = buffer.next(at);
  subfields?.settle(at);
}

/** Behind the last position the cursor has left the field, or has come round to its first; a shift-in there stays the last. */
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

/** As the terminal takes them: two code points may be one. */
function charactersOf(terminal: ScreenEntry, text: string): readonly string[] {
  return typedCharacters(text, (sequence) => terminal.codeOf(sequence) !== undefined);
}

/** Whether typing a character at the cursor begins a subfield there. */
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

function withoutLastBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\u3000')) end--;
  return text.slice(0, end);
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
