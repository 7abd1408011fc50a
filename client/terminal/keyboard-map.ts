/** What a key of the keyboard means: a key of the terminal by its name, or an attention key. */
type KeyMeaning = { readonly press: string } | { readonly send: string };

const plain: Readonly<Record<string, KeyMeaning>> = {
  Enter: { send: 'ENTER' },
  Tab: { press: 'Tab' },
  ArrowUp: { press: 'Up' },
  ArrowDown: { press: 'Down' },
  ArrowLeft: { press: 'Left' },
  ArrowRight: { press: 'Right' },
  Home: { press: 'Home' },
  End: { press: 'FieldEnd' },
  Backspace: { press: 'BackSpace' },
  Delete: { press: 'Delete' },
  Insert: { press: 'Insert' },
  Escape: { press: 'Reset' },
  PageUp: { send: 'PF07' },
  PageDown: { send: 'PF08' },
  Pause: { send: 'CLEAR' },
};
const withShift: Readonly<Record<string, KeyMeaning>> = {
  Tab: { press: 'BackTab' },
  Enter: { press: 'Newline' },
  Insert: { press: 'Dup' },
  Home: { press: 'FieldMark' },
  Delete: { press: 'EraseEOF' },
  Escape: { send: 'ATTN' },
};
const withControl: Readonly<Record<string, KeyMeaning>> = {
  Enter: { press: 'Newline' },
  Delete: { press: 'EraseInput' },
  End: { press: 'EraseEOF' },
  Home: { send: 'CLEAR' },
  Backspace: { press: 'EraseEOF' },
};
const withAlt: Readonly<Record<string, KeyMeaning>> = {
  1: { send: 'PA1' },
  2: { send: 'PA2' },
  3: { send: 'PA3' },
  c: { send: 'CLEAR' },
  r: { press: 'Reset' },
  a: { send: 'ATTN' },
  s: { send: 'SYSREQ' },
  i: { press: 'EraseInput' },
  e: { press: 'EraseEOF' },
  d: { press: 'Dup' },
  f: { press: 'FieldMark' },
  Insert: { press: 'FieldMark' },
};

/** @returns undefined where the key is the browser's */
export function meaningOf(event: KeyboardEvent): KeyMeaning | undefined {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
  if (metaKey || event.isComposing) return undefined;
  // AltGr writes characters
  if (event.getModifierState('AltGraph')) return undefined;
  const number = /^F(\d{1,2})$/.exec(key)?.[1];
  if (number !== undefined && !ctrlKey && !altKey) {
    const pf = Number(number) + (shiftKey ? 12 : 0);
    return pf >= 1 && pf <= 24 ? { send: `PF${String(pf).padStart(2, '0')}` } : undefined;
  }
  if (altKey && !ctrlKey) return withAlt[key.toLowerCase()] ?? withAlt[key];
  if (ctrlKey && !altKey) return withControl[key];
  if (shiftKey) return withShift[key] ?? plain[key];
  return plain[key];
}
