/** In which the same press, or one out of impatience, comes again. Whoever stopped the page can send it after that. */
const AGAIN_MILLISECONDS = 5_000;

/** Scripts of a page come in bundles, which each have a copy of this file. */
const PLACE = Symbol.for('sallyport.submit-once');
const page = globalThis as { [PLACE]?: WeakMap<Element, number> };

/** Has the forms of the page that browsers send sent once, however often Enter or the button is pressed. */
export function submitOnce(): void {
  if (page[PLACE] !== undefined) return;
  const sent = new WeakMap<Element, number>();
  page[PLACE] = sent;
  document.addEventListener('submit', (event) => {
    const { target } = event;
    // what a script sends is its business
    if (event.defaultPrevented || !(target instanceof HTMLFormElement) || target.method !== 'post') return;
    const before = sent.get(target);
    if (before !== undefined && event.timeStamp - before < AGAIN_MILLISECONDS) event.preventDefault();
    else sent.set(target, event.timeStamp);
  });
  // shown again as it was, after Back
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const form of document.forms) sent.delete(form);
  });
}
