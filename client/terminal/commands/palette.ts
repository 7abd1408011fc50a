import { listSessions } from '../../sessions/session-list.js';
import type { Action } from '../action-registry.js';
import { make, openDialog } from '../macros/dialog.js';
import { words } from '../words/words.js';
import { loadCommandStyle } from './command-style.js';
import { matchScore } from './fuzzy-search.js';

interface PalettePort {
  readonly actions: { readonly all: readonly Action[] };
  readonly keysOf: (action: Action) => readonly string[];
  opened(): void;
}

const MOST_SHOWN = 300;

export async function openPalette({ actions, keysOf, opened }: PalettePort): Promise<Action | undefined> {
  await loadCommandStyle();
  const possible = actions.all.filter(({ id, isPossible }) => id !== 'palette' && isPossible?.() !== false);
  let all: readonly Action[] = possible;
  const list = make('ul', { id: 'commands-found', ariaLabel: words('commands.palette') });
  list.setAttribute('role', 'listbox');
  // the search field controls the selection
  list.tabIndex = -1;
  const count = make('p', { className: 'quiet' });
  count.setAttribute('role', 'status');
  const search = make('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    placeholder: words('commands.search'),
    ariaLabel: words('commands.search'),
    ariaAutoComplete: 'list',
  });
  search.setAttribute('role', 'combobox');
  search.setAttribute('aria-controls', list.id);
  let found: readonly Action[] = [];
  let at = 0;

  const mark = (to: number) => {
    at = Math.max(0, Math.min(found.length - 1, to));
    for (const [place, option] of [...list.children].entries()) option.ariaSelected = String(place === at);
    const option = list.children[at];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) search.removeAttribute('aria-activedescendant');
    else search.setAttribute('aria-activedescendant', option.id);
  };
  const show = () => {
    const fitting = matching(all, search.value);
    found = fitting.slice(0, MOST_SHOWN);
    list.replaceChildren(...found.map((action, place) => optionOf(action.label, keysOf(action), place)));
    search.ariaExpanded = String(found.length > 0);
    const text = words('commands.found', { count: fitting.length });
    count.textContent =
      fitting.length === found.length ? text : words('commands.first', { shown: found.length, found: text });
    mark(0);
  };
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

  const options = { title: words('commands.palette'), className: 'palette', focus: () => search };
  const choice = openDialog<Action>(options, (close, leave) => {
    const take = (place: number) => {
      const action = found[place];
      if (action !== undefined) close(action);
    };
    search.addEventListener('input', show);
    search.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      const step = steps[event.key];
      const isAgain = event.ctrlKey && event.key.toLowerCase() === 'k';
      if (step === undefined && event.key !== 'Enter' && !isAgain) return;
      event.preventDefault();
      if (isAgain) leave();
      else if (step === undefined) take(at);
      else if (Math.abs(step) === 1) mark((at + step + found.length) % Math.max(found.length, 1));
      else mark(at + step);
    });
    list.addEventListener('click', ({ target }) => {
      const option = target instanceof Element ? target.closest('[role="option"]') : null;
      if (option !== null) take([...list.children].indexOf(option));
    });
    show();
    return [search, list, count];
  });
  opened();
  void sessionCommands().then((sessions) => {
    const marked = found[at];
    all = [...possible, ...sessions];
    show();
    if (marked !== undefined) mark(found.indexOf(marked));
  });
  return choice;
}

/** The other open sessions of this browser; empty if they cannot be listed. */
async function sessionCommands(): Promise<readonly Action[]> {
  // in the workspace, the outer page has the tabs
  if (window.parent !== window) return [];
  try {
    const { sessions } = await listSessions();
    return sessions
      .filter(({ path }) => path !== location.pathname)
      .map(({ label, name, transaction, path }) => ({
        id: `session:${label}`,
        label: words('commands.session', { name: name || transaction }),
        run: () => location.assign(path),
      }));
  } catch {
    return [];
  }
}

function matching(all: readonly Action[], sought: string): readonly Action[] {
  if (sought.trim() === '') return all;
  return all
    .map((action) => ({ action, score: matchScore(sought, action.label) }))
    .filter(({ score }) => score !== undefined)
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ action }) => action);
}

function optionOf(label: string, keys: readonly string[], place: number): HTMLElement {
  const shown = keys.slice(0, 2).map((key) => make('kbd', {}, key));
  const option = make('li', { id: `command-${place}` }, make('span', { className: 'name' }, label), ...shown);
  option.setAttribute('role', 'option');
  return option;
}
