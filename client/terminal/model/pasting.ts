import { typedCharacters } from '../../../src/lib/text/typed-characters.js';
import { isNonDisplayable } from '../../../src/tn3270/datastream/field-attribute.js';
import type { Keyboard } from '../../../src/tn3270/keyboard/keyboard.js';
import type { KeyOutcome } from '../../../src/tn3270/keyboard/keyboard-terminal.js';
import { operatorErrors } from '../../../src/tn3270/keyboard/operator-errors.js';
import { shownSign } from './cell-signs.js';
import type { LocalTerminal } from './local-terminal.js';

export interface LeftOver {
  /** One line for each pasted line with a rest; undefined for text of a hidden field. */
  readonly text: string | undefined;
  /** Number of characters without blanks and line ends. */
  readonly characters: number;
  /** Position of the first of them; after the last position if it is below the screen. */
  readonly position: number;
}

export interface LackingText {
  readonly characters: readonly string[];
  /** It was pasted into a hidden field. */
  readonly isHidden: boolean;
}

export interface PasteOutcome {
  readonly outcome: KeyOutcome;
  readonly left: LeftOver | undefined;
  /** Characters because of which nothing was pasted. */
  readonly lacking?: LackingText;
}

/** Longer texts are rejected: no screen can hold them. */
export const MOST_PASTED = 100_000;

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
 * Types text laid out like another screen: each line begins in the same column, one row below the previous one. A tab
 * moves to the next field. A word that starts at a protected position is left over, unless the same word is already
 * there, as with labels. If a word does not fit into its field, its rest and the rest of the line are left over: they
 * are not meant for the next field. Pasting stops at the first operator error and at the end of the screen.
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
  // check first: a paste must not stop halfway
  if (characters.some((one) => one !== '\n' && one !== '\t' && terminal.codeOf(one) === undefined))
    return { outcome: operatorErrors.minusFunction, left: undefined, lacking: { characters, isHidden } };
  const column = buffer.cursor % columns;
  let at = buffer.cursor;
  /** Last position used: a line may continue on further rows. */
  let last = at;
  /** True after the first character of the current word was typed. */
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
        // do not wrap to the first fields of the screen
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

function endOf(characters: readonly string[], from: number, isLine: boolean): number {
  let end = from;
  while (end < characters.length && !/[\n\t]/.test(characters[end] as string)) {
    if (!isLine && characters[end] === ' ') break;
    end++;
  }
  return end;
}
