import type { EarlyStroke } from '../early-strokes.js';
import { addressInName } from './input-name.js';

const FORM = 'screen-form';
const FUNCTION_KEY = /^F(\d+)$/;
const MOST_UNSHIFTED = 12;

/**
 * Plays early strokes into the page as a form: characters, Tab, Backspace, and the keys that have a button. Playing ends after a key that submits the form, and after a key that leads to a field disabled by the page.
 */
export function playIntoForm(strokes: readonly EarlyStroke[]): void {
  const form = document.getElementById(FORM);
  if (!(form instanceof HTMLFormElement) || strokes.length === 0) return;
  const inputs = [...form.querySelectorAll<HTMLInputElement>('#screen input')];
  const named = form.querySelector<HTMLInputElement>('input[name="focusField"]')?.value;
  let at = Math.max(
    inputs.findIndex(({ name }) => name === named),
    0,
  );
  for (const stroke of strokes) {
    if (stroke.did === 'placed') {
      const { address, rows } = stroke.place;
      if (rows === 0) at = inputs.findIndex(({ name }) => addressInName(name) === address);
    } else if (stroke.did !== 'pressed') insert(inputs[at], stroke.text);
    else {
      const { key, shiftKey, ctrlKey, altKey, modifierAltGraph } = stroke.press;
      if (stroke.isModifier || ((ctrlKey || altKey) && !modifierAltGraph)) continue;
      const button = form.querySelector<HTMLButtonElement>(`button[name="pf"][value="${sentBy(key, shiftKey)}"]`);
      if (button !== null) {
        form.requestSubmit(button);
        return;
      }
      if (key === 'Tab') at = (at + (shiftKey ? inputs.length - 1 : 1)) % inputs.length;
      else if (key === 'Backspace') removeBefore(inputs[at]);
      else if ([...key].length === 1) insert(inputs[at], key);
    }
    if (inputs[at]?.disabled !== false) return;
    inputs[at]?.focus();
  }
}

/** Value of the button for a key; `-` if there is no such button. */
function sentBy(key: string, isShifted: boolean): string {
  if (key === 'Enter') return 'ENTER';
  const number = FUNCTION_KEY.exec(key)?.[1];
  if (number === undefined || Number(number) > MOST_UNSHIFTED) return '-';
  return `PF${String(Number(number) + (isShifted ? MOST_UNSHIFTED : 0)).padStart(2, '0')}`;
}

function insert(input: HTMLInputElement | undefined, text: string): void {
  if (input === undefined || input.disabled) return;
  const end = input.selectionEnd ?? input.value.length;
  input.setRangeText(text, input.selectionStart ?? end, end, 'end');
}

function removeBefore(input: HTMLInputElement | undefined): void {
  const end = input?.selectionEnd ?? 0;
  if (input === undefined || input.disabled || end === 0) return;
  const start = input.selectionStart === end ? end - 1 : (input.selectionStart ?? end);
  input.setRangeText('', start, end, 'end');
}
