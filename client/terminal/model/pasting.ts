import { typedCharacters } from '../../../src/lib/text/typed-characters.js';
import { isNonDisplayable } from '../../../src/tn3270/datastream/field-attribute.js';
import type { Keyboard } from '../../../src/tn3270/keyboard/keyboard.js';
import type { KeyOutcome } from '../../../src/tn3270/keyboard/keyboard-terminal.js';
import { operatorErrors } from '../../../src/tn3270/keyboard/operator-errors.js';
import { shownSign } from './cell-signs.js';
import type { LocalTerminal } from './local-terminal.js';

/** What found no place on the screen. */
export interface LeftOver {
  /** With a line for each of the pasted ones that something is left of; undefined where it was meant to be hidden. */
  readonly text: string | undefined;
  /** How many characters, blanks and ends of lines apart. */
  readonly characters: number;
  /** Where the first of them would have come to stand; beyond the last position where that is below the screen. */
  readonly position: number;
}

/** A text that has characters that the host's code page lacks. */
export interface LackingText {
  readonly characters: readonly string[];
  /** It was meant for a field that is not displayed. */
  readonly isHidden: boolean;
}

export interface PasteOutcome {
  readonly outcome: KeyOutcome;
  readonly left: LeftOver | undefined;
  /** Nothing was pasted because of these. */
  readonly lacking?: LackingText;
}

/** Longer texts are refused: no screen has room for them. */
export const MOST_PASTED = 100_000;

/** What is left over, in the order of the text. */
class Remainder {
  #text = '';
  #characters = 0;
  #position = -1;
  #isHidden = false;

  add(text: string, position: number, isHidden: boolean): void {
    const characters = [...text.replaceAll(/\s/g, '')].length;
    if (characters === 0) return;
    if (this.#position < 0) this.#position = position;
    this.#characters += characters;
    this.#isHidden ||= isHidden;
    this.#text += (this.#text === '' ? '' : '\n') + text.replace(/^\n+/, '').trimEnd();
  }

  get left(): LeftOver | undefined {
    if (this.#characters === 0) return undefined;
    return {
      text: this.#isHidden ? undefined : this.#text,
      characters: this.#characters,
      position: this.#position,
    };
  }
}

/**
 * Types text as it stood on another screen: each of its lines begins at the same column, one row below the line before;
 * a tab goes to the next field. A word that begins where nothing can be typed is left over, unless it stands there already,
 * as labels do; of a word that its field has no room for, the rest is left over with the rest of its line: it is for that field,
 * and not for the next one. Ends at the first operator error, and at the end of the screen.
 */
export function pasteText(terminal: LocalTerminal, keyboard: Keyboard<string>, text: string): PasteOutcome {
  const { buffer } = terminal;
  const { columns, positions } = buffer;
  const remainder = new Remainder();
  const characters = typedCharacters(text.replaceAll(/\r\n?/g, '\n'), (one) => terminal.codeOf(one) !== undefined);
  const isHiddenAt = (at: number) => buffer.formatted && isNonDisplayable(buffer.attributeOf(at));
  const isHidden = isHiddenAt(buffer.cursor);
  const end = (outcome: KeyOutcome, index: number, at: number): PasteOutcome => {
    remainder.add(characters.slice(index).join(''), at, isHidden || isHiddenAt(Math.min(at, positions - 1)));
    return { outcome, left: remainder.left };
  };
  if (keyboard.locked) return end('dropped', 0, buffer.cursor);
  // a paste that would break off in the middle is not begun
  if (characters.some((one) => one !== '\n' && one !== '\t' && terminal.codeOf(one) === undefined))
    return { outcome: operatorErrors.minusFunction, left: undefined, lacking: { characters, isHidden } };
  const column = buffer.cursor % columns;
  let at = buffer.cursor;
  /** The last position that was taken: a line may run on to further rows. */
  let last = at;
  /** Of the text: what is typed of the present word has its field by now. */
  let hasBegun = false;
  let outcome: KeyOutcome = 'done';
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string;
    if (character === '\n') {
      at = (Math.floor(last / columns) + 1) * columns + column;
      last = at;
      hasBegun = false;
      continue;
    }
    if (character === '\t') {
      if (at < positions && buffer.formatted) {
        const next = buffer.nextUnprotected(at);
        // round the end are the first fields, which are not what comes next
        at = next > at ? next : positions;
      }
      last = at;
      hasBegun = false;
      continue;
    }
    const isBlank = character === ' ';
    if (isBlank) hasBegun = false;
    if (at < positions && buffer.canBeTypedAt(at)) {
      outcome = keyboard.typeAt(at, character);
      if (outcome !== 'done') return end(outcome, index, at);
      if (keyboard.locked) return end(outcome, index + 1, at + 1);
      hasBegun = !isBlank;
    } else if (!isBlank && (hasBegun || at >= positions || shownSign(buffer.cells[at] as string) !== character)) {
      const isRest = hasBegun || at >= positions;
      const stop = endOf(characters, index, isRest);
      const rest = characters.slice(index, stop);
      remainder.add(rest.join(''), at, isHiddenAt(Math.min(last, positions - 1)));
      for (const one of rest) at += terminal.widthOf(one);
      if (!isRest) last = at - 1;
      index = stop - 1;
      continue;
    }
    const width = terminal.widthOf(character);
    last = at + width - 1;
    at += width;
  }
  return { outcome, left: remainder.left };
}

/** Behind a line, or a word of it. */
function endOf(characters: readonly string[], from: number, isLine: boolean): number {
  let end = from;
  while (end < characters.length && !/[\n\t]/.test(characters[end] as string)) {
    if (!isLine && characters[end] === ' ') break;
    end++;
  }
  return end;
}
