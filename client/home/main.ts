import { submitOnce } from '../form/submit-once.js';
import { attachSearch } from './application-search.js';

/** The menu works without this script too. */
submitOnce();
const menu = document.querySelector<HTMLElement>('ul.menu');
const search = document.getElementById('search');
const field = search?.querySelector('input') ?? null;
const nothing = document.getElementById('nothing-found');

if (search !== null && field !== null && menu !== null) {
  search.hidden = false;
  attachSearch(field, menu, (count) => {
    if (nothing !== null) nothing.hidden = count > 0;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
document.addEventListener('keydown', (event) => {
  const step = steps[event.key];
  // the search has handled this arrow key
  if (event.defaultPrevented || step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const { activeElement } = document;
  const links = [...document.querySelectorAll<HTMLElement>('.card:not([hidden]) > a')];
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  if (at < 0) return;
  event.preventDefault();
  links[at + step]?.focus();
});

// Esc closes the question before ending a session, as in a dialog
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || !(target instanceof Element)) return;
  const asking = target.closest<HTMLDetailsElement>('details.end[open]');
  if (asking === null) return;
  asking.open = false;
  asking.querySelector('summary')?.focus();
});

// after Back the browser may restore a page with an outdated session list
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
