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

interface PendingSubmit {
  readonly key: string;
  carriedOut: boolean;
}

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

  /** Of the host's screen; undefined before the first screen. */
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

  get typedAhead(): number {
    return this.keyboard.typedAhead;
  }

  /** 0: unlocked. 1: locked by the host. 2: no session. Otherwise the name of an operator error. */
  get lock(): LockCode {
    if (this.hasNoPartner) return 2;
    return this.local.operatorError ?? (this.isWaiting ? 1 : 0);
  }

  get fields(): readonly ModelField[] {
    return (this.host?.fields ?? []).map((field) => modelField(field, this.local.buffer));
  }

  /** Displayed characters: `''` for the right half of a double-byte character, a blank for hidden positions. */
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

  styleAt(position: number): CharacterStyle | undefined {
    return this.local.buffer.styles[position];
  }

  get runs(): readonly StyleRun[] {
    return styleRuns(this.local.buffer);
  }

  /** Text typed into a hidden field, nulls as blanks. @param field address of its attribute */
  hiddenText(field: number): string {
    const { buffer } = this.local;
    if (!isNonDisplayable(buffer.fieldAttributes[field] ?? 0)) return '';
    return textOfCells(Array.from(buffer.positionsOf(field), (at) => buffer.cells[at] as string)).replaceAll(
      NULL,
      BLANK,
    );
  }

  /** Text between two positions, both included. @param box the rectangle between them */
  copyText(from: number, to: number, box = false): string {
    return copiedText({ columns: this.columns, cells: this.cells() }, from, to, box);
  }

  /** Fields edited since the last submit; empty for keys that send no fields. */
  formFor(key = 'ENTER'): SubmissionForm {
    const { buffer, edited } = this.local;
    if (isShortReadKey(key) || this.host === undefined) return { cursor: buffer.cursor, fields: [] };
    const fields = buffer.formatted ? fieldEntries(buffer, edited) : pieceEntries(buffer, loadedBuffer(this.host));
    return { cursor: buffer.cursor, fields };
  }

  /** The first mandatory field, by the address of its first character, that is not entered or filled. */
  firstUnsent(): { readonly address: number; readonly refusal: OperatorError } | undefined {
    const { buffer } = this.local;
    const unsent = findUnsentField(buffer);
    return unsent && { address: buffer.next(unsent.field), refusal: unsent.refusal };
  }

  get hasUnsent(): boolean {
    return this.local.edited.size > 0;
  }

  /** Unsent input in a form that may be stored: without hidden fields. */
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

  /** True if the field has, or may have, content at the host. */
  protected isFilledByHost(field: number): boolean {
    const { buffer } = this.local;
    if (isNonDisplayable(buffer.fieldAttributes[field] as number)) return true;
    for (const at of buffer.positionsOf(field)) if (this.host?.cells[at] !== ' ') return true;
    return false;
  }
}
