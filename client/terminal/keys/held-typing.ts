const MOST_CHARACTERS = 1_000;
const LONGEST_MILLISECONDS = 10_000;
const SCREEN = '#screen';

/**
 * Holds characters typed while a dialog loads, so that the host does not get them; drops other keys.
 * @param type types the characters if the dialog did not open
 * @returns call it when the dialog has the focus or failed to load; after ten seconds it is called automatically
 */
export function holdTyping(type: (text: string) => void): () => void {
  let text = '';
  const keyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, altKey, metaKey, isComposing } = event;
    if (ctrlKey || altKey || metaKey || isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if ([...key].length === 1 && text.length < MOST_CHARACTERS) text += key;
  };
  document.addEventListener('keydown', keyDown, { capture: true });
  const release = () => {
    clearTimeout(timer);
    document.removeEventListener('keydown', keyDown, { capture: true });
    if (text === '') return;
    const { activeElement } = document;
    if (activeElement instanceof HTMLInputElement && activeElement.closest(SCREEN) === null) {
      activeElement.setRangeText(text, activeElement.value.length, activeElement.value.length, 'end');
      activeElement.dispatchEvent(new Event('input', { bubbles: true }));
    } else type(text);
    text = '';
  };
  const timer = setTimeout(release, LONGEST_MILLISECONDS);
  return release;
}
