import type { Macro } from '../../../src/macros/macro-set.js';
import type { MacroStep } from '../../../src/macros/macro-step.js';
import { stepNames } from '../../../src/tn3270/keyboard/key-names.js';
import { type WordKey, words } from '../words/words.js';
import { button, labelled, make, openDialog, problemPlace } from './dialog.js';
import { stepsOfText, textOfSteps } from './model/editor-syntax.js';
import { leavesUnsaved } from './unsaved.js';

function keyNames(): string {
  return stepNames
    .filter((name) => !/^PF(?:[2-9]|1\d|2[0-3])$/.test(name))
    .join(' ')
    .replace('PF1 ', words('command.keyRange'));
}

const commands: readonly (readonly [command: string, meaning: WordKey])[] = [
  ['"text"', 'command.text'],
  ['key(ENTER)', 'command.key'],
  ['move(435)', 'command.move'],
  ['copy(1,1,2,80)', 'command.copy'],
  ['paste(435)', 'command.paste'],
  ['screen(1,2,"MENU")', 'command.screen'],
  ['prompt("Password")', 'command.prompt'],
  ['expect text("MENU",1,2)', 'command.expect'],
  ['wait text("Done") within 60', 'command.wait'],
  ['if text("NEWS",1,2)', 'command.if'],
  ['repeat 20 until text("END")', 'command.repeat'],
  ['ask("Account",account)', 'command.ask'],
  ['read(6,22,6,51,name)', 'command.read'],
  ['type("No. {account}")', 'command.type'],
];

/** @param save undefined if read-only; returns the reason if it failed, `''` if the user already knows it */
export async function editMacro(
  { name, def }: Macro,
  save: ((steps: readonly MacroStep[]) => Promise<string | undefined>) | undefined,
): Promise<void> {
  const before = textOfSteps(def);
  const text = make('textarea', { value: before, readOnly: save === undefined, spellcheck: false, wrap: 'off' });
  text.rows = 12;
  text.setAttribute('autocapitalize', 'off');
  const mayLeave = () => text.value === before || leavesUnsaved(words('editor.changed', { name }));
  const options = {
    title: save === undefined ? name : words('editor.title', { name }),
    className: 'editor',
    mayLeave,
    focus: () => text,
  };
  await openDialog<true>(options, (close, leave) => {
    const problems = problemPlace();
    const keys = keyNames();
    const help = make(
      'details',
      {},
      make('summary', {}, words('editor.commands')),
      make(
        'dl',
        {},
        ...commands.flatMap(([command, meaning]) => [
          make('dt', {}, command),
          make('dd', {}, words(meaning, { keys })),
        ]),
      ),
    );
    if (save === undefined)
      return [
        labelled(words('editor.commands'), text),
        make('div', { className: 'answers' }, button(words('answer.close'), leave)),
      ];
    const accept = button(words('answer.save'), () => void submit(), { className: 'main' });
    const submit = async () => {
      const { steps, problems: found } = stepsOfText(text.value);
      if (found.length > 0) {
        problems.replaceChildren(
          ...found.map(({ line, problem }) => make('div', {}, words('editor.fault', { line, problem }))),
        );
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
      labelled(words('editor.onEachLine'), text),
      problems,
      help,
      make('div', { className: 'answers' }, accept, button(words('answer.cancel'), leave)),
    ];
  });
}

function selectLine(text: HTMLTextAreaElement, line: number): void {
  const lines = text.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
