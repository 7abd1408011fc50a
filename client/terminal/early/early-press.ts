import type { KeyPress } from '../keys/chord.js';

const FUNCTION_KEY = /^F\d+$/;
const ARROW = /^Arrow/;
/** Keys that go to the host in the shipped key maps. A key that is held sends them once. */
const SENT_ONCE = /^(?:Enter|Escape|Pause|PageUp|PageDown|F\d+)$/;
/** These keys write nothing by themselves. */
const NO_STROKES: readonly string[] = ['Dead', 'Process', 'Unidentified', 'AltGraph', 'NumLock', 'CapsLock', 'Fn', ''];

export interface EarlyPress {
  readonly key: string;
  readonly code: string;
  readonly location: number;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly modifierAltGraph: boolean;
}

type EarlyUse = 'kept' | 'dropped' | 'browser';

/** Decides about a key that is not a modifier. Browser commands stay with the browser. */
export function useOfEarlyPress(press: KeyPress & { readonly repeat: boolean }): EarlyUse {
  const { key, ctrlKey, altKey, metaKey } = press;
  if (press.isComposing || NO_STROKES.includes(key)) return 'browser';
  const isCharacter = [...key].length === 1;
  // AltGr types characters, and some systems report it as Ctrl with Alt
  const isCommand = (ctrlKey || altKey || metaKey) && !press.getModifierState('AltGraph');
  if (isCommand) {
    const isOfBrowser = metaKey || (ctrlKey && isCharacter) || FUNCTION_KEY.test(key) || (altKey && ARROW.test(key));
    if (isOfBrowser) return 'browser';
  }
  return press.repeat && SENT_ONCE.test(key) ? 'dropped' : 'kept';
}

export function pressOf(press: KeyPress): EarlyPress {
  const { key, code, location, ctrlKey, altKey, shiftKey, metaKey } = press;
  const modifierAltGraph = press.getModifierState('AltGraph');
  return { key, code, location, ctrlKey, altKey, shiftKey, metaKey, modifierAltGraph };
}
