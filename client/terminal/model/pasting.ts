import type { Keyboard } from '../../../src/keyboard/keyboard.js';
import type { KeyOutcome } from '../../../src/keyboard/keyboard-terminal.js';
import type { LocalTerminal } from './local-terminal.js';

/**
 * Types text as it stood on another screen: each of its lines begins at the same column, one row below the line before;
 * what would come to stand where nothing can be typed is left out; a tab goes to the next field. Ends at the first
 * operator error, and at the end of the screen.
 */
export function pasteText(terminal: LocalTerminal, keyboard: Keyboard<string>, text: string): KeyOutcome {
  if (keyboard.locked) return 'dropped';
  const { buffer } = terminal;
  const { columns, positions } = buffer;
  const column = buffer.cursor % columns;
  let at = buffer.cursor;
  /** The last position that was taken: a line may run on to further rows. */
  let last = at;
  let outcome: KeyOutcome = 'done';
  for (const character of text.replaceAll(/\r\n?/g, '\n')) {
    if (character === '\n') {
      at = (Math.floor(last / columns) + 1) * columns + column;
      last = at;
      continue;
    }
    if (at >= positions) continue;
    if (character === '\t') {
      at = buffer.formatted ? buffer.nextUnprotected(at) : at;
      last = at;
      continue;
    }
    const width = terminal.widthOf(character);
    if (buffer.canBeTypedAt(at)) {
      outcome = keyboard.typeAt(at, character);
      if (outcome !== 'done' || keyboard.locked) return outcome;
    }
    last = at + width - 1;
    at += width;
  }
  return outcome;
}
