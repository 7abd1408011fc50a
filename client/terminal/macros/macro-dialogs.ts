import { type HotKey, LONGEST_MACRO_NAME, type Macro } from '../../../src/macros/macro-set.js';
import { words } from '../words/words.js';
import { button, choose, labelled, make, openDialog, problemPlace } from './dialog.js';
import { conditionWords } from './model/condition-words.js';
import { type FindMappedKey, hotKeyNames, hotKeyWords, refusalOfHotKey, warningOfHotKey } from './model/hot-keys.js';
import type { Collision, Decision } from './model/macro-change.js';
import type { OtherScreen } from './model/macro-stop.js';
import type { HiddenField } from './model/played-terminal.js';

/** Length of an answer that becomes a variable: one row of the widest screen. */
const LONGEST_ANSWER = 160;

export interface MacroIdentity {
  readonly name: string;
  readonly mapping: HotKey | undefined;
}

interface IdentityQuestion {
  readonly title: string;
  readonly name: string;
  readonly mapping?: HotKey | undefined;
  /** Macros whose hot keys are taken. */
  readonly others: readonly Macro[];
  readonly mapped: FindMappedKey;
  readonly mayLeave?: () => Promise<boolean>;
  /** @returns the reason if it could not be saved; the dialog stays open. `''` if the user already knows it. */
  readonly save: (identity: MacroIdentity) => Promise<string | undefined>;
}

export async function askIdentity(question: IdentityQuestion): Promise<boolean> {
  const { title, mapping, others, mapped, mayLeave, save } = question;
  const name = make('input', { type: 'text', required: true, maxLength: LONGEST_MACRO_NAME, value: question.name });
  name.autocomplete = 'off';
  const modifier = choice(
    [
      ['', words('hotKey.none')],
      ['ctrl', words('hotKey.ctrl')],
      ['alt', words('hotKey.alt')],
    ],
    mapping?.key ?? '',
  );
  const key = choice(
    [...hotKeyNames].map(([code, name]) => [String(code), name]),
    String(mapping?.keycode ?? 112),
  );
  key.ariaLabel = words('hotKey.key');
  const problem = problemPlace();
  const warning = make('p', { className: 'quiet' });
  const chosen = (): HotKey | undefined =>
    modifier.value === '' ? undefined : { key: modifier.value as HotKey['key'], keycode: Number(key.value) };
  const look = () => {
    const hotKey = chosen();
    key.hidden = hotKey === undefined;
    problem.textContent = (hotKey && refusalOfHotKey(hotKey, others, mapped)) ?? '';
    const isRefused = problem.textContent !== '';
    warning.textContent = (hotKey && !isRefused && warningOfHotKey(hotKey, mapped)) || '';
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
    const accept = make('button', { type: 'submit', className: 'main' }, words('answer.save'));
    const submit = async () => {
      const hotKey = chosen();
      const chosenName = name.value.trim();
      const refusal =
        chosenName === ''
          ? words('macro.needsName')
          : hotKey === undefined
            ? undefined
            : refusalOfHotKey(hotKey, others, mapped);
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
        labelled(words('macro.name'), name),
        make('div', { className: 'pair' }, labelled(words('hotKey.title'), modifier), key),
        warning,
        problem,
        make('div', { className: 'answers' }, accept, button(words('answer.cancel'), leave)),
      ),
    ];
  });
  return answer === true;
}

/**
 * An answer for a hidden field stays in the input until it is typed; other answers become variables.
 * @returns undefined if the user cancels
 */
export function askText(
  macro: string,
  question: string,
  hidden: HiddenField | undefined,
  over: AbortSignal,
): Promise<string | undefined> {
  const input = make('input', {
    type: hidden === undefined ? 'text' : 'password',
    autocomplete: 'off',
    maxLength: hidden?.length ?? LONGEST_ANSWER,
  });
  return openDialog<string>({ title: macro, className: 'question', over }, (close, leave) => [
    form(
      async () => {
        const { value } = input;
        input.value = '';
        close(value);
      },
      labelled(question, input),
      make('p', { className: 'quiet' }, words(hidden === undefined ? 'ask.variable' : 'ask.notKept')),
      make(
        'div',
        { className: 'answers' },
        make('button', { type: 'submit', className: 'main' }, words('answer.continue')),
        button(words('ask.stop'), leave),
      ),
    ),
  ]);
}

export async function showOtherScreen(title: string, { missing, picture }: OtherScreen): Promise<void> {
  const screen = make('pre', { className: 'picture', tabIndex: 0 }, picture);
  screen.setAttribute('role', 'region');
  screen.ariaLabel = words('otherScreen.came');
  const rows = picture.split('\n');
  screen.style.setProperty('--rows', String(rows.length));
  screen.style.setProperty('--columns', String(Math.max(80, ...rows.map(({ length }) => length))));
  const lists = missing.map((conditions) =>
    make(
      'ul',
      { className: 'missing' },
      ...conditions.map((condition) =>
        make(
          'li',
          {},
          conditionWords(condition, (text) => words('otherScreen.quoted', { text })),
        ),
      ),
    ),
  );
  const between = lists.flatMap((list, at) => (at === 0 ? [list] : [make('p', {}, words('otherScreen.or')), list]));
  await openDialog<true>({ title, className: 'other-screen' }, (_, leave) => [
    make('p', {}, words('otherScreen.explained')),
    ...between,
    make('p', {}, words('otherScreen.shown')),
    screen,
    make('div', { className: 'answers' }, button(words('answer.close'), leave, { className: 'main' })),
  ]);
}

export async function askDecision({ name, because, isDeletion }: Collision, group?: string): Promise<Decision> {
  const isTaken = because === 'nameTaken';
  const title =
    isTaken && group !== undefined
      ? words('collision.takenInGroup', { name, group })
      : words(isTaken ? 'collision.taken' : 'collision.changed', { name });
  const text = words(because === 'nameTaken' ? 'collision.replaceOrKeep' : 'collision.savedMeanwhile');
  const answers: [Decision, string][] = isDeletion
    ? [['replace', words('collision.deleteAnyway')]]
    : [
        ['replace', words('collision.replace')],
        ['keepBoth', words('collision.keepBoth')],
      ];
  return (await choose<Decision>(title, text, [...answers, ['leave', words('answer.cancel')]])) ?? 'leave';
}

export function decideForAll(): (collision: Collision) => Promise<Decision> {
  let always: Decision | undefined;
  return async (collision) => {
    if (always !== undefined) return always;
    const answer = await choose<Decision | 'replaceAll' | 'leaveAll'>(
      words('collision.taken', { name: collision.name }),
      words('collision.imported'),
      [
        ['replace', words('collision.replace')],
        ['keepBoth', words('collision.keepBoth')],
        ['leave', words('collision.leaveOut')],
        ['replaceAll', words('collision.replaceAll')],
        ['leaveAll', words('collision.leaveAllOut')],
      ],
    );
    if (answer === 'replaceAll') always = 'replace';
    if (answer === 'leaveAll') always = 'leave';
    return always ?? (answer as Decision | undefined) ?? 'leave';
  };
}

export function hotKeySign({ mapping }: Macro): HTMLElement | undefined {
  return mapping && make('kbd', {}, hotKeyWords(mapping));
}

function choice(answers: readonly (readonly [value: string, text: string])[], chosen: string): HTMLSelectElement {
  const select = make('select');
  select.append(...answers.map(([value, text]) => new Option(text, value, false, value === chosen)));
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
