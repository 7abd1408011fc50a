import { type EarlyPlace, type EarlyRelease, type EarlyStroke, RELEASE_STROKES } from '../early-strokes.js';
import { modifierOf } from '../keys/chord.js';
import { pressOf, useOfEarlyPress } from './early-press.js';
import { playIntoForm } from './form-strokes.js';
import { addressInName } from './input-name.js';
import { isStillPainted, type PaintedScreen } from './painted-comparison.js';
import { paintedScreen } from './painted-screen.js';

/** Same limit as the type-ahead of the terminal while the keyboard is locked. */
const MOST_EARLY_STROKES = 1_000;

const SCREEN = '#screen';
/** The code of keys that go to an input method (UI Events, "keyCode of composition"). */
const INPUT_METHOD = 229;
const FIELDS = 'input, textarea, select, [contenteditable]';
const CONTROLS = 'button, a, summary';
/** Focused buttons need these keys. */
const KEYS_OF_CONTROLS = /^(?:Tab|Enter| |Arrow\w+|Home|End|Escape)$/;

/** Keeps input from the first paint on, in memory only, until the terminal takes it or its script has failed. */
export function holdEarlyTyping(): void {
  const strokes: EarlyStroke[] = [];
  let isCut = false;
  let painted: PaintedScreen | undefined;
  /** A modifier that is down, with no other input since. */
  let modifier: string | undefined;
  const listening = new AbortController();

  const keep = (stroke: EarlyStroke) => {
    const last = strokes.at(-1);
    if (stroke.did === 'placed' && last?.did === 'placed') strokes.pop();
    if (strokes.length < MOST_EARLY_STROKES) strokes.push(stroke);
    else isCut = true;
  };
  const take = (): readonly EarlyStroke[] => {
    listening.abort();
    return strokes.splice(0);
  };
  const release = ({ shown, play, discarded }: EarlyRelease) => {
    const taken = take();
    if (play === undefined) {
      if (discarded === undefined) playIntoForm(taken);
      else if (taken.length > 0) discarded();
      return;
    }
    const isSame = painted !== undefined && shown !== undefined && isStillPainted(painted, shown);
    if (isSame) for (const stroke of taken) play(stroke);
    if (taken.length > 0 && (!isSame || isCut)) discarded?.();
  };
  const listen = <Name extends keyof DocumentEventMap>(name: Name, act: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, act, { capture: true, signal: listening.signal });
  const own = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  listen('keydown', (event) => {
    const pressed = modifierOf(event);
    modifier = pressed !== undefined && modifier === undefined && !event.repeat ? pressed : undefined;
    if (pressed !== undefined || event.keyCode === INPUT_METHOD || !isForScreen(event)) return;
    const use = useOfEarlyPress(event);
    if (use === 'browser') return;
    own(event);
    if (use === 'kept') keep({ did: 'pressed', press: pressOf(event), isModifier: false });
  });
  listen('keyup', (event) => {
    const isAlone = modifier !== undefined && modifierOf(event) === modifier;
    modifier = undefined;
    if (isAlone && isForScreen(event)) keep({ did: 'pressed', press: pressOf(event), isModifier: true });
  });
  // on-screen keyboards send text without key names
  listen('beforeinput', (event) => {
    if (!isOfScreen(event.target) || event.isComposing) return;
    const { inputType, data } = event;
    if (inputType === 'insertText' && data !== null) keep({ did: 'typed', text: data });
    else if (inputType === 'deleteContentBackward') keep(namedKey('Backspace'));
    else if (inputType === 'insertLineBreak') keep(namedKey('Enter'));
    else return;
    own(event);
  });
  listen('compositionend', (event) => {
    const { target, data } = event;
    if (!isOfScreen(target) || !(target instanceof HTMLInputElement)) return;
    target.value = target.defaultValue;
    if (data !== '') keep({ did: 'typed', text: data });
  });
  listen('paste', (event) => {
    modifier = undefined;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '' || !(isOfScreen(event.target) || event.target === document.body)) return;
    own(event);
    keep({ did: 'pasted', text });
  });
  listen('pointerdown', (event) => {
    modifier = undefined;
    const place = event.button === 0 && isOfScreen(event.target) ? placeOf(event) : undefined;
    if (place !== undefined) keep({ did: 'placed', place });
  });
  for (const name of ['wheel', 'copy'] as const)
    listen(name, () => {
      modifier = undefined;
    });
  listen(RELEASE_STROKES as keyof DocumentEventMap, (event) => release((event as CustomEvent<EarlyRelease>).detail));
  // before the terminal replaces the painted rows
  listen('readystatechange', () => {
    painted ??= paintedScreen();
  });

  // if its script fails, the page is a form with the browser's own keys
  addEventListener(
    'error',
    (event: Event) => {
      const { target } = event;
      const isOfScript =
        event instanceof ErrorEvent || (target instanceof HTMLScriptElement && target.type === 'module');
      if (isOfScript && !document.body.classList.contains('live')) playIntoForm(take());
    },
    { capture: true, signal: listening.signal },
  );
  addEventListener('pagehide', () => take(), { signal: listening.signal });
}

function isOfScreen(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(SCREEN) !== null;
}

/** Fields and controls outside the screen keep their keys. */
function isForScreen({ target, key, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return false;
  if (!(target instanceof Element) || isOfScreen(target)) return true;
  if (target.closest(FIELDS) !== null) return false;
  return target.closest(CONTROLS) === null || ctrlKey || altKey || !KEYS_OF_CONTROLS.test(key);
}

function namedKey(key: 'Backspace' | 'Enter'): EarlyStroke {
  const modifiers = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, modifierAltGraph: false };
  return { did: 'pressed', press: { key, code: key, location: 0, ...modifiers }, isModifier: false };
}

/** The password inputs of a page are disabled and cannot take the focus yet. The position of the pointer identifies the input. */
function placeOf({ target, clientX, clientY }: PointerEvent): EarlyPlace | undefined {
  const lines = document.querySelector<HTMLElement>(`${SCREEN} pre`);
  const inputs = [...document.querySelectorAll<HTMLInputElement>(`${SCREEN} input`)];
  const near =
    target instanceof HTMLInputElement ? target : inputs.find(({ name }) => addressInName(name) !== undefined);
  const address = near && addressInName(near.name);
  if (lines === null || near === undefined || address === undefined) return undefined;
  const box = near.getBoundingClientRect();
  const all = lines.getBoundingClientRect();
  const height = all.height / ((lines.textContent ?? '').split('\n').length || 1);
  const cell = Number.parseFloat(getComputedStyle(lines).getPropertyValue('--cell')) || box.width / near.size;
  const row = (y: number) => Math.floor((y - all.top) / height);
  const columns = Math.floor((clientX - box.left) / cell);
  // the browser makes inputs a little wider than their cells
  if (near === target) return { address, rows: 0, columns: Math.min(columns, near.size - 1) };
  return { address, rows: row(clientY) - row(box.top + box.height / 2), columns };
}
