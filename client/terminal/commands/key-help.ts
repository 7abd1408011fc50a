import type { Action } from '../action-registry.js';
import { button, make, openDialog } from '../macros/dialog.js';
import { operatorErrors } from '../model/operator-error-words.js';
import { type WordKey, words } from '../words/words.js';
import { loadCommandStyle } from './command-style.js';

interface HelpPort {
  readonly actions: { readonly all: readonly Action[] };
  readonly keysOf: (action: Action) => readonly string[];
  readonly kept: readonly string[];
}

type Group = 'host' | 'functions' | 'editing' | 'page';

const groups: readonly (readonly [group: Group, title: WordKey])[] = [
  ['host', 'help.host'],
  ['functions', 'help.functions'],
  ['editing', 'help.editing'],
  ['page', 'help.page'],
];
const HOST_KEY = /^(?:ENTER|CLEAR|PA\d|ATTN|SYSREQ)$/;
const FUNCTION_KEY = /^PF\d+$/;
/** Terminal actions with a capital letter are editing keys. */
const EDITING_KEY = /^[A-Z]/;

const states: readonly (readonly [sign: string, meaning: WordKey])[] = [
  ['X SYSTEM', 'information.system'],
  ['X WAIT', 'information.wait'],
  ['X COMM', 'information.notConnected'],
  ['X PROG', 'operatorError.programCheck'],
];

export async function showKeyHelp({ actions, keysOf, kept }: HelpPort): Promise<void> {
  await loadCommandStyle();
  const keyed = actions.all
    .map((action) => ({ ...action, keys: keysOf(action) }))
    .filter(({ keys }) => keys.length > 0);
  const sections = groups.map(([group, title]) => {
    const rows = keyed.filter(({ id }) => groupOf(id) === group);
    return rows.length === 0
      ? undefined
      : section(
          title,
          rows.map(({ label, keys }) =>
            row(
              keys.map((key) => make('kbd', {}, key)),
              label,
            ),
          ),
        );
  });
  const keys = spaced(kept.map((key) => make('kbd', {}, key)));
  const signs = [...states, ...Object.values(operatorErrors)].map(([sign, meaning]) =>
    row([make('code', {}, sign)], words(meaning)),
  );
  let close: HTMLElement | undefined;
  const options = { title: words('commands.help'), className: 'key-help', focus: () => close };
  await openDialog<true>(options, (_, leave) => {
    close = button(words('answer.close'), leave, { className: 'main' });
    return [
      make('p', { className: 'quiet' }, words('help.introduction')),
      make('div', { className: 'help-columns' }, ...sections.filter((one) => one !== undefined)),
      make('section', {}, make('h3', {}, words('help.kept')), make('p', {}, words('help.keptText'), ' ', ...keys)),
      section('help.signs', signs),
      make(
        'div',
        { className: 'answers' },
        button(words('help.print'), () => print()),
        close,
      ),
    ];
  });
}

function groupOf(id: string): Group {
  if (HOST_KEY.test(id)) return 'host';
  if (FUNCTION_KEY.test(id)) return 'functions';
  return EDITING_KEY.test(id) ? 'editing' : 'page';
}

function section(title: WordKey, rows: readonly HTMLElement[]): HTMLElement {
  return make('section', {}, make('h3', {}, words(title)), make('table', {}, make('tbody', {}, ...rows)));
}

function row(signs: readonly HTMLElement[], meaning: string): HTMLElement {
  const head = make('th', { scope: 'row' }, ...spaced(signs));
  return make('tr', {}, head, make('td', {}, meaning));
}

function spaced(parts: readonly HTMLElement[]): (HTMLElement | string)[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [' ', part]));
}
