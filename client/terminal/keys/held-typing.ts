/** More than anybody types until something has been loaded. */
const MOST_CHARACTERS = 1_000;
const LONGEST_MILLISECONDS = 10_000;
/** What is the host's, whatever is being opened. */
const SCREEN = '#screen';

/**
 * Keeps what is typed while the place for it is being loaded: it is not for the host. Keys that write nothing are dropped.
 * @param type types what was kept where nothing has opened
 * @returns to be called when it has opened and has the focus, or cannot be had; it does so by itself after ten seconds
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
