import type { ReceivedScreen } from '../../../src/terminal/protocol/received-screen.js';
import type { LockCode } from '../../../src/terminal/protocol/server-message.js';
import { isNonDisplayable } from '../../../src/tn3270/datastream/field-attribute.js';
import { isShortReadKey } from '../../../src/tn3270/keyboard/attention-keys.js';
import { findUnsentField } from '../../../src/tn3270/keyboard/field-validation.js';
import type { Keyboard } from '../../../src/tn3270/keyboard/keyboard.js';
import type { OperatorError } from '../../../src/tn3270/keyboard/operator-errors.js';
import { loadedBuffer } from './buffer-loading.js';
import { BLANK, NULL, shownSign } from './cell-signs.js';
import { copiedText } from './copying.js';
import { type EditSnapshot, takeSnapshot } from './edit-snapshot.js';
import { textOfCells } from './entry-text.js';
import type { LocalTerminal } from './local-terminal.js';
import { type ModelField, modelField } from './model-field.js';
import type { CharacterStyle } from './presentation-buffer.js';
import { type StyleRun, styleRuns } from './style-runs.js';
import { fieldEntries, pieceEntries, type SubmissionForm } from './submission-form.js';

/** A submit that the host has not answered. */
interface PendingSubmit {
  readonly key: string;
  carriedOut: boolean;
}

/** What a terminal shows, and what has been typed on it: the host's screen with the typing of its user. */
export abstract class ShownTerminal {
  protected abstract readonly local: LocalTerminal;
  protected abstract readonly keyboard: Keyboard<string>;
  protected host: ReceivedScreen | undefined;
  protected pending: PendingSubmit | undefined;

  get rows(): number {
    return this.local.buffer.rows;
  }

  get columns(): number {
    return this.local.buffer.columns;
  }

  get cursor(): number {
    return this.local.buffer.cursor;
  }

  get isFormatted(): boolean {
    return this.local.buffer.formatted;
  }

  /** Of the host's screen; undefined before there is one. */
  get revision(): number | undefined {
    return this.host?.revision;
  }

  get alarms(): number {
    return this.host?.alarms ?? 0;
  }

  get notice(): string {
    return this.host?.notice ?? '';
  }

  get insertMode(): boolean {
    return this.local.insertMode;
  }

  get operatorError(): string | undefined {
    return this.local.operatorError;
  }

  /** How many keystrokes wait for the host to free the keyboard. */
  get typedAhead(): number {
    return this.keyboard.typedAhead;
  }

  /** 0 the keyboard is free, 1 the host has it, 2 nobody to type for, or the name of an operator error. */
  get lock(): LockCode {
    if (this.hasNoPartner) return 2;
    return this.local.operatorError ?? (this.isWaiting ? 1 : 0);
  }

  get fields(): readonly ModelField[] {
    return (this.host?.fields ?? []).map((field) => modelField(field, this.local.buffer));
  }

  /** What each position shows: a character, '' for the right half of a double-byte one, a blank for what is not displayed. */
  cells(): readonly string[] {
    const { buffer } = this.local;
    const shown = buffer.cells.map(shownSign);
    for (let field = 0; field < buffer.positions; field++) {
      const attribute = buffer.fieldAttributes[field] as number;
      if (attribute === 0 || !isNonDisplayable(attribute)) continue;
      for (const at of buffer.positionsOf(field)) if (shown[at] !== '') shown[at] = ' ';
    }
    return shown;
  }

  /** The attributes that the character at a position has of its own. */
  styleAt(position: number): CharacterStyle | undefined {
    return this.local.buffer.styles[position];
  }

  /** Characters side by side that have attributes of their own. */
  get runs(): readonly StyleRun[] {
    return styleRuns(this.local.buffer);
  }

  /** What was typed into a non-displayable field, nulls as blanks. @param field the address of its attribute */
  hiddenText(field: number): string {
    const { buffer } = this.local;
    if (!isNonDisplayable(buffer.fieldAttributes[field] ?? 0)) return '';
    return textOfCells(Array.from(buffer.positionsOf(field), (at) => buffer.cells[at] as string)).replaceAll(
      NULL,
      BLANK,
    );
  }

  /** The text between two positions, both included. @param box the rectangle that they are corners of */
  copyText(from: number, to: number, box = false): string {
    return copiedText({ columns: this.columns, cells: this.cells() }, from, to, box);
  }

  /** The fields that were typed into since the last submit; none for a key that sends none. */
  formFor(key = 'ENTER'): SubmissionForm {
    const { buffer, edited } = this.local;
    if (isShortReadKey(key) || this.host === undefined) return { cursor: buffer.cursor, fields: [] };
    const fields = buffer.formatted ? fieldEntries(buffer, edited) : pieceEntries(buffer, loadedBuffer(this.host));
    return { cursor: buffer.cursor, fields };
  }

  /** The first field, by the address of its first character, that must be entered or filled and is not. */
  firstUnsent(): { readonly address: number; readonly refusal: OperatorError } | undefined {
    const { buffer } = this.local;
    const unsent = findUnsentField(buffer);
    return unsent && { address: buffer.next(unsent.field), refusal: unsent.refusal };
  }

  /** Whether something was typed that no key has sent. */
  get hasUnsent(): boolean {
    return this.local.edited.size > 0;
  }

  /** What was typed and not sent, to be stored; without what is not displayed. */
  snapshot(): EditSnapshot | undefined {
    if (this.host === undefined) return undefined;
    const { buffer, edited } = this.local;
    return takeSnapshot(this.host.revision, buffer, edited, loadedBuffer(this.host));
  }

  protected get isWaiting(): boolean {
    return this.pending !== undefined || this.host?.lock === 1;
  }

  protected get hasNoPartner(): boolean {
    return this.host === undefined || this.host.lock === 2;
  }

  /** Whether the host has, or may have, anything in a field. */
  protected isFilledByHost(field: number): boolean {
    const { buffer } = this.local;
    if (isNonDisplayable(buffer.fieldAttributes[field] as number)) return true;
    for (const at of buffer.positionsOf(field)) if (this.host?.cells[at] !== ' ') return true;
    return false;
  }
}
