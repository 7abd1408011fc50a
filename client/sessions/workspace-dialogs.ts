import { attachSearch } from '../home/application-search.js';
import { button, choose, labelled, make, openDialog } from '../terminal/macros/dialog.js';
import { words } from '../terminal/words/words.js';
import type { ListedApplication } from './session-list.js';

const MOST_AT_A_GLANCE = 8;

export function chooseApplication(applications: readonly ListedApplication[]): Promise<ListedApplication | undefined> {
  let first: HTMLElement | undefined;
  const options = { title: words('tabs.new.title'), className: 'applications', focus: () => first };
  return openDialog<ListedApplication>(options, (close, leave) => {
    const list = make(
      'ul',
      { className: 'cards menu' },
      ...applications.map((application) => {
        const { description, transaction, host } = application;
        const choice = button('', () => close(application));
        const facts = [transaction, host].filter((part) => part !== '').join(' · ');
        choice.append(make('b', {}, description || transaction), make('span', { className: 'facts' }, facts));
        return make('li', { className: 'card' }, choice);
      }),
    );
    first = list.querySelector('button') ?? undefined;
    let search: HTMLElement | undefined;
    if (applications.length > MOST_AT_A_GLANCE) {
      const field = make('input', { type: 'search', autocomplete: 'off' });
      attachSearch(field, list);
      search = labelled(words('tabs.new.search'), field);
      first = field;
    }
    return [
      search,
      list,
      make('p', { className: 'actions' }, button(words('tabs.cancel'), leave, { className: 'secondary' })),
    ];
  });
}

/** @returns undefined if the user keeps the name */
export function askName(name: string, longest: number): Promise<string | undefined> {
  const field = make('input', { value: name, maxLength: longest });
  const options = { title: words('tabs.rename.title'), focus: () => field };
  return openDialog<string>(options, (close, leave) => {
    const form = make(
      'form',
      {},
      labelled(words('tabs.rename.label'), field),
      make(
        'p',
        { className: 'actions' },
        make('button', { type: 'submit' }, words('tabs.rename.save')),
        button(words('tabs.cancel'), leave, { className: 'secondary' }),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      close(field.value);
    });
    field.select();
    return [form];
  });
}

export async function askEnd(what: string): Promise<boolean> {
  const answer = await choose(words('leave.title'), words('leave.ends', { what }), [
    ['end', words('leave.end')],
    ['stay', words('leave.stay')],
  ]);
  return answer === 'end';
}
