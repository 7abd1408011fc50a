import { words } from '../words/words.js';
import { button, make, openDialog, problemPlace } from './dialog.js';
import type { MacroPublishing } from './macro-store.js';

const FEW = 10;

export async function chosenGroups({ groups, own }: MacroPublishing, name: string): Promise<readonly string[]> {
  if (groups.length < 2) return groups;
  const boxes = groups.map((group) => make('input', { type: 'checkbox', value: group, checked: group === own }));
  const rows = boxes.map((box) => make('label', { className: 'choice' }, box, box.value));
  const all = make('input', { type: 'checkbox' });
  const search = make('input', {
    type: 'search',
    placeholder: words('publish.search'),
    ariaLabel: words('publish.search'),
    hidden: groups.length <= FEW,
  });
  const problem = problemPlace();
  const look = () => {
    const checked = boxes.filter((box) => box.checked).length;
    all.checked = checked === boxes.length;
    all.indeterminate = checked > 0 && !all.checked;
  };
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
  });
  for (const box of boxes) box.addEventListener('change', look);
  search.addEventListener('input', () => {
    const sought = search.value.trim().toLowerCase();
    boxes.forEach((box, at) => {
      (rows[at] as HTMLElement).hidden = !box.value.toLowerCase().includes(sought);
    });
  });
  look();
  const options = { title: words('publish.title', { name }), className: 'question', focus: () => boxes[0] };
  const answer = await openDialog<readonly string[]>(options, (close, leave) => [
    make(
      'fieldset',
      { className: 'groups-to-publish' },
      make('legend', {}, words('publish.groups')),
      search,
      make('label', { className: 'choice all' }, all, words('publish.all')),
      make('div', { className: 'choices' }, ...rows),
    ),
    problem,
    make(
      'div',
      { className: 'answers' },
      button(
        words('list.publish'),
        () => {
          const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
          if (chosen.length > 0) close(chosen);
          else problem.textContent = words('publish.none');
        },
        { className: 'main' },
      ),
      button(words('answer.cancel'), leave),
    ),
  ]);
  return answer ?? [];
}
