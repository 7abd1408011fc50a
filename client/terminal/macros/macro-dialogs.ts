import { type HotKey, LONGEST_MACRO_NAME, type Macro } from '../../../src/macro/macro-set.js';
import { button, choose, labelled, make, openDialog, problemPlace } from './dialog.js';
import { hotKeyNames, hotKeyWords, refusalOfHotKey, warningOfHotKey } from './model/hot-keys.js';
import type { Collision, Decision } from './model/macro-change.js';
import type { OtherScreen } from './model/macro-player.js';
import type { HiddenField } from './model/played-terminal.js';

export interface MacroIdentity {
  readonly name: string;
  readonly mapping: HotKey | undefined;
}

interface IdentityQuestion {
  readonly title: string;
  readonly name: string;
  readonly mapping?: HotKey | undefined;
  /** That it must share no hot key with. */
  readonly others: readonly Macro[];
  /** Asked where the user would leave without saving. */
  readonly mayLeave?: () => Promise<boolean>;
  /** @returns why it could not be saved; the dialog stays open then. '' where the user knows. */
  readonly save: (identity: MacroIdentity) => Promise<string | undefined>;
}

/** Asks for the name and the hot key of a macro. @returns whether it was saved */
export async function askIdentity(question: IdentityQuestion): Promise<boolean> {
  const { title, mapping, others, mayLeave, save } = question;
  const name = make('input', { type: 'text', required: true, maxLength: LONGEST_MACRO_NAME, value: question.name });
  name.autocomplete = 'off';
  const modifier = choice(
    [
      ['', 'none'],
      ['ctrl', 'Ctrl +'],
      ['alt', 'Alt +'],
    ],
    mapping?.key ?? '',
  );
  const key = choice(
    [...hotKeyNames].map(([code, words]) => [String(code), words]),
    String(mapping?.keycode ?? 112),
  );
  key.ariaLabel = 'Key';
  const problem = problemPlace();
  const warning = make('p', { className: 'quiet' });
  const chosen = (): HotKey | undefined =>
    modifier.value === '' ? undefined : { key: modifier.value as HotKey['key'], keycode: Number(key.value) };
  const look = () => {
    const hotKey = chosen();
    key.hidden = hotKey === undefined;
    problem.textContent = (hotKey && refusalOfHotKey(hotKey, others)) ?? '';
    warning.textContent = (hotKey && warningOfHotKey(hotKey)) ?? '';
  };
  modifier.addEventListener('change', look);
  key.addEventListener('change', look);
  look();
  const focus = () => {
    name.select();
    return name;
  };
  const options = { title, className: 'question', focus, ...(mayLeave && { mayLeave }) };
  const answer = await openDialog<true>(options, (close, leave) => {
    const accept = make('button', { type: 'submit', className: 'main' }, 'Save');
    const submit = async () => {
      const hotKey = chosen();
      const chosenName = name.value.trim();
      const refusal =
        chosenName === ''
          ? 'A macro needs a name.'
          : hotKey === undefined
            ? undefined
            : refusalOfHotKey(hotKey, others);
      problem.textContent = refusal ?? '';
      if (refusal !== undefined || accept.disabled) return;
      accept.disabled = true;
      const failure = await save({ name: chosenName, mapping: hotKey });
      accept.disabled = false;
      if (failure === undefined) close(true);
      else problem.textContent = failure;
    };
    return [
      form(
        submit,
        labelled('Name', name),
        make('div', { className: 'pair' }, labelled('Hot key', modifier), key),
        warning,
        problem,
        make('div', { className: 'answers' }, accept, button('Cancel', leave)),
      ),
    ];
  });
  return answer === true;
}

/**
 * Asks for what is typed into a field that is not displayed. Its answer stays in the input until it is given, and nowhere else.
 * @returns undefined where the user would not
 */
export function askHiddenText(
  macro: string,
  question: string,
  { length }: HiddenField,
  over: AbortSignal,
): Promise<string | undefined> {
  const input = make('input', { type: 'password', autocomplete: 'off', maxLength: length });
  return openDialog<string>({ title: macro, className: 'question', over }, (close, leave) => [
    form(
      async () => {
        const { value } = input;
        input.value = '';
        close(value);
      },
      labelled(question, input),
      make('p', { className: 'quiet' }, 'It is typed into the field, and not kept.'),
      make(
        'div',
        { className: 'answers' },
        make('button', { type: 'submit', className: 'main' }, 'Continue'),
        button('Stop the macro', leave),
      ),
    ),
  ]);
}

/** Why a macro stopped: what stands on the recorded screen and not on this one, and what this one looks like. */
export async function showOtherScreen(title: string, { missing, picture }: OtherScreen): Promise<void> {
  const screen = make('pre', { className: 'picture', tabIndex: 0 }, picture);
  screen.setAttribute('role', 'region');
  screen.ariaLabel = 'The screen that came';
  await openDialog<true>({ title, className: 'editor' }, (_, leave) => [
    make('p', {}, 'Another screen came than the one that was recorded. Nothing was typed on it. Missing on it:'),
    make(
      'ul',
      { className: 'missing' },
      ...missing.map(({ text, row, column }) => make('li', {}, `“${text}” in row ${row}, column ${column}`)),
    ),
    make('p', {}, 'The screen that came:'),
    screen,
    make('div', { className: 'answers' }, button('Close', leave, { className: 'main' })),
  ]);
}

/** Asks what is to become of a macro that is in the way of a change. */
export async function askDecision({ name, because, isDeletion }: Collision): Promise<Decision> {
  const title = because === 'nameTaken' ? `There is a macro ${name} already` : `${name} was changed meanwhile`;
  const text =
    because === 'nameTaken'
      ? 'Replace it, or keep both, the new one under another name?'
      : 'Somebody, or you in another window, has saved it since it was read here.';
  const answers: [Decision, string][] = isDeletion
    ? [['replace', 'Delete it anyway']]
    : [
        ['replace', 'Replace it'],
        ['keepBoth', 'Keep both'],
      ];
  return (await choose<Decision>(title, text, [...answers, ['leave', 'Cancel']])) ?? 'leave';
}

/** The same, for one of many. */
export function decideForAll(): (collision: Collision) => Promise<Decision> {
  let always: Decision | undefined;
  return async (collision) => {
    if (always !== undefined) return always;
    const answer = await choose<Decision | 'replaceAll' | 'leaveAll'>(
      `There is a macro ${collision.name} already`,
      'What is to become of the one that is imported?',
      [
        ['replace', 'Replace it'],
        ['keepBoth', 'Keep both'],
        ['leave', 'Leave it out'],
        ['replaceAll', 'Replace all'],
        ['leaveAll', 'Leave all out'],
      ],
    );
    if (answer === 'replaceAll') always = 'replace';
    if (answer === 'leaveAll') always = 'leave';
    return always ?? (answer as Decision | undefined) ?? 'leave';
  };
}

/** Beside the name of a macro. */
export function hotKeySign({ mapping }: Macro): HTMLElement | undefined {
  return mapping && make('kbd', {}, hotKeyWords(mapping));
}

function choice(answers: readonly (readonly [value: string, words: string])[], chosen: string): HTMLSelectElement {
  const select = make('select');
  select.append(...answers.map(([value, words]) => new Option(words, value, false, value === chosen)));
  return select;
}

function form(submit: () => Promise<void>, ...children: readonly (Node | string)[]): HTMLFormElement {
  const element = make('form', { noValidate: true }, ...children);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  return element;
}
