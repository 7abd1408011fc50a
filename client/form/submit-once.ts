/** Time in which a repeated submit is ignored. After it, a user who stopped the page can submit again. */
const AGAIN_MILLISECONDS = 5_000;

/** A global symbol: each bundle has its own copy of this file. */
const PLACE = Symbol.for('sallyport.submit-once');
const page = globalThis as { [PLACE]?: WeakMap<Element, number> };

export function submitOnce(): void {
  if (page[PLACE] !== undefined) return;
  const sent = new WeakMap<Element, number>();
  page[PLACE] = sent;
  document.addEventListener('submit', (event) => {
    const { target } = event;
    // forms sent by script are not affected
    if (event.defaultPrevented || !(target instanceof HTMLFormElement) || target.method !== 'post') return;
    const before = sent.get(target);
    if (before !== undefined && event.timeStamp - before < AGAIN_MILLISECONDS) event.preventDefault();
    else sent.set(target, event.timeStamp);
  });
  // the browser restored the page after Back
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const form of document.forms) sent.delete(form);
  });
}
