import { isModified } from '../../../src/tn3270/datastream/field-attribute.js';
import type { LocalTerminal } from './local-terminal.js';
import type { CharacterStyle } from './presentation-buffer.js';

interface ChangedCell {
  readonly at: number;
  readonly before: string;
  readonly style: CharacterStyle | undefined;
  readonly after: string;
}

interface ChangedPart {
  /** Address of the attribute. */
  readonly field: number | undefined;
  readonly wasModified: boolean;
  readonly wasEdited: boolean;
  readonly cells: readonly ChangedCell[];
}

interface Paste {
  readonly cursor: number;
  readonly parts: readonly ChangedPart[];
}

/** Number of parts that were restored, and of parts left alone because they were changed after the paste. */
export interface UndonePaste {
  readonly undone: number;
  readonly kept: number;
}

const MOST_PASTES = 20;

export class PasteUndo {
  #pastes: Paste[] = [];

  get isPossible(): boolean {
    return this.#pastes.length > 0;
  }

  forget(): void {
    this.#pastes = [];
  }

  during<Outcome>(local: LocalTerminal, paste: () => Outcome): Outcome {
    const { buffer } = local;
    const { cursor } = buffer;
    const cells = [...buffer.cells];
    const styles = [...buffer.styles];
    const attributes = Uint8Array.from(buffer.fieldAttributes);
    const edited = new Set(local.edited);
    const outcome = paste();
    // the host has written a new screen
    if (local.buffer !== buffer) return outcome;
    const parts = new Map<number, ChangedPart & { readonly cells: ChangedCell[] }>();
    let field: number | undefined = buffer.fieldOf(0);
    for (let at = 0; at < buffer.positions; at++) {
      if (attributes[at] !== 0) field = at;
      const [before, after] = [cells[at] as string, buffer.cells[at] as string];
      if (before === after) continue;
      const key = field ?? at;
      const wasModified = field !== undefined && isModified(attributes[field] as number);
      const part = parts.get(key) ?? { field, wasModified, wasEdited: edited.has(key), cells: [] };
      part.cells.push({ at, before, style: styles[at], after });
      parts.set(key, part);
    }
    if (parts.size > 0) this.#pastes = [...this.#pastes, { cursor, parts: [...parts.values()] }].slice(-MOST_PASTES);
    return outcome;
  }

  undo(local: LocalTerminal): UndonePaste | undefined {
    const paste = this.#pastes.pop();
    if (paste === undefined) return undefined;
    const { buffer } = local;
    const asPasted = paste.parts.filter(
      ({ field, cells }) =>
        (field === undefined || buffer.isFieldAttribute(field)) &&
        cells.every(({ at, after }) => buffer.cells[at] === after && buffer.canBeTypedAt(at)),
    );
    for (const { field, wasModified, wasEdited, cells } of asPasted) {
      for (const { at, before, style } of cells) {
        buffer.cells[at] = before;
        buffer.styles[at] = style;
      }
      if (field === undefined) continue;
      buffer.setModified(field, wasModified);
      if (wasEdited) local.edited.add(field);
      else local.edited.delete(field);
    }
    if (asPasted.length > 0) buffer.cursor = paste.cursor;
    return { undone: asPasted.length, kept: paste.parts.length - asPasted.length };
  }
}
