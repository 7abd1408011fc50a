import type { Macro, MacroStep } from '../../../src/macro/macro-set.js';
import { stepNames } from '../../../src/macro/step-names.js';
import { button, choose, labelled, make, openDialog, problemPlace } from './dialog.js';
import { stepsOfText, textOfSteps } from './model/editor-syntax.js';

const keyNames = stepNames
  .filter((name) => !/^PF(?:[2-9]|1\d|2[0-3])$/.test(name))
  .join(' ')
  .replace('PF1 ', 'PF1 to ');

const commands: readonly (readonly [command: string, meaning: string])[] = [
  ['"text"', 'types the text'],
  ['key(ENTER)', `presses a key: ${keyNames}`],
  ['move(435)', 'moves the cursor to a position, counted from 0'],
  ['copy(1,1,2,80)', 'copies from row and column to row and column, counted from 1'],
  ['paste(435)', 'types what was copied; paste(435,2,10) so many rows and columns of it'],
  [
    'screen(1,2,"MENU")',
    'stops the macro, up to its next key for the host, where another screen is there; row, column and text',
  ],
  ['prompt("Password")', 'asks for what is typed into a field that hides it'],
];

/**
 * Shows a macro as text.
 * @param save stores the steps; undefined where they can only be looked at. Returns why it could not, '' where the user knows
 */
export async function editMacro(
  { name, def }: Macro,
  save: ((steps: readonly MacroStep[]) => Promise<string | undefined>) | undefined,
): Promise<void> {
  const before = textOfSteps(def);
  const text = make('textarea', { value: before, readOnly: save === undefined, spellcheck: false, wrap: 'off' });
  text.rows = 12;
  text.setAttribute('autocapitalize', 'off');
  const mayLeave = async () =>
    text.value === before || (await choose('Leave without saving?', `${name} has changes.`, leaving)) === 'leave';
  const options = {
    title: save === undefined ? name : `Edit ${name}`,
    className: 'editor',
    mayLeave,
    focus: () => text,
  };
  await openDialog<true>(options, (close, leave) => {
    const problems = problemPlace();
    const help = make(
      'details',
      {},
      make('summary', {}, 'Commands'),
      make('dl', {}, ...commands.flatMap(([command, meaning]) => [make('dt', {}, command), make('dd', {}, meaning)])),
    );
    if (save === undefined)
      return [labelled('Commands', text), make('div', { className: 'answers' }, button('Close', leave))];
    const accept = button('Save', () => void submit(), { className: 'main' });
    const submit = async () => {
      const { steps, problems: found } = stepsOfText(text.value);
      if (found.length > 0) {
        problems.replaceChildren(...found.map(({ line, problem }) => make('div', {}, `Line ${line}: ${problem}`)));
        selectLine(text, found[0]?.line ?? 1);
        return;
      }
      accept.disabled = true;
      const failure = await save(steps);
      accept.disabled = false;
      if (failure === undefined) close(true);
      else problems.textContent = failure;
    };
    return [
      labelled('One command on each line', text),
      problems,
      help,
      make('div', { className: 'answers' }, accept, button('Cancel', leave)),
    ];
  });
}

const leaving = [
  ['leave', 'Leave'],
  ['stay', 'Go on editing'],
] as const;

function selectLine(text: HTMLTextAreaElement, line: number): void {
  const lines = text.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
