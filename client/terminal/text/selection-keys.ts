import { chordsOf } from '../keys/chord.js';
import type { KeyMap } from '../keys/key-map.js';
import type { TextSelection } from './text-selection.js';

const MODIFIERS: readonly string[] = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'];

/** Esc only drops the selection. Any other input drops it before it takes effect. */
export function dropSelectionByKeys(selection: TextSelection, keyMap: KeyMap): void {
  const look = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    const isElsewhere = target instanceof Element && target.closest('dialog, [role="search"]') !== null;
    if (selection.area === undefined || event.defaultPrevented || isElsewhere || MODIFIERS.includes(key)) return;
    // commands act on the selection
    const isCommand = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
    if (isCommand || keyMap.actionOf(chordsOf(event))?.startsWith('select') === true) return;
    if (key === 'Escape') event.preventDefault();
    selection.drop();
  };
  document.addEventListener('keydown', look, { capture: true });
}
