import { submitOnce } from '../form/submit-once.js';
import { attachSearch } from './application-search.js';

/** The application menu: looking for an application, and arrow keys between the cards. It works without, too. */
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
  // from the search the arrow has led to the first card
  if (event.defaultPrevented || step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const { activeElement } = document;
  const links = [...document.querySelectorAll<HTMLElement>('.card:not([hidden]) > a')];
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  if (at < 0) return;
  event.preventDefault();
  links[at + step]?.focus();
});

// what asks whether a session is to end is left by Esc, as a dialog is
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || !(target instanceof Element)) return;
  const asking = target.closest<HTMLDetailsElement>('details.end[open]');
  if (asking === null) return;
  asking.open = false;
  asking.querySelector('summary')?.focus();
});

// after Back a browser may show the page as it was: sessions have begun and ended since
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
