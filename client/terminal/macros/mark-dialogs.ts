import { words } from '../words/words.js';
import { button, labelled, make, openDialog, problemPlace } from './dialog.js';
import { kindOfText } from './kind-of-text.js';
import { nameOfWords } from './model/service-yaml.js';
import type { ExtractMark, InputField, ParameterMark } from './model/visit-recorder.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const SERVICE_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function askParameter(
  fields: readonly InputField[],
  cursor: number,
): Promise<(ParameterMark & { readonly start: number }) | undefined> {
  const at =
    fields.find(({ start, length }) => cursor >= start && cursor < start + length) ??
    fields.findLast(({ isTyped, start }) => isTyped && start <= cursor) ??
    fields[0];
  const select = make('select');
  select.append(...fields.map(({ label, start }) => new Option(label, String(start), false, start === at?.start)));
  const field = () => fields.find(({ start }) => String(start) === select.value) as InputField;
  const name = nameInput(nameOfWords(field().label, 'parameter'));
  const secret = make('input', { type: 'checkbox', checked: field().isHidden, disabled: field().isHidden });
  select.addEventListener('change', () => {
    name.value = nameOfWords(field().label, 'parameter');
    Object.assign(secret, { checked: field().isHidden, disabled: field().isHidden });
  });
  return askNamed(words('mark.parameter'), name, NAME, words('mark.nameRule'), [
    labelled(words('mark.field'), select),
    labelled(words('macro.name'), name),
    make('label', { className: 'choice' }, secret, words('mark.secret')),
  ]).then((given) =>
    given === undefined ? undefined : { name: given, isSecret: secret.checked, start: field().start },
  );
}

export function askExtract(text: string, before: string): Promise<Pick<ExtractMark, 'name' | 'as'> | undefined> {
  const name = nameInput(nameOfWords(before, 'value'));
  const kind = make('select');
  kind.append(
    new Option(words('mark.text'), 'string'),
    new Option(words('mark.whole'), 'integer'),
    new Option(words('mark.decimal'), 'decimal'),
  );
  kind.value = kindOfText(text);
  const shown = make('pre', { className: 'picture' }, text);
  return askNamed(words('mark.read'), name, NAME, words('mark.nameRule'), [
    shown,
    labelled(words('macro.name'), name),
    labelled(words('mark.kind'), kind),
  ]).then((given) => (given === undefined ? undefined : { name: given, as: kind.value as ExtractMark['as'] }));
}

export function askServiceName(): Promise<string | undefined> {
  const name = nameInput('');
  return askNamed(words('mark.saveService'), name, SERVICE_NAME, words('mark.serviceNameRule'), [
    labelled(words('mark.serviceName'), name),
  ]);
}

function nameInput(value: string): HTMLInputElement {
  const input = make('input', { type: 'text', value, maxLength: 64, autocomplete: 'off', spellcheck: false });
  input.setAttribute('autocapitalize', 'off');
  return input;
}

function askNamed(
  title: string,
  name: HTMLInputElement,
  pattern: RegExp,
  rule: string,
  content: readonly HTMLElement[],
): Promise<string | undefined> {
  const focus = () => {
    name.select();
    return name;
  };
  return openDialog<string>({ title, className: 'question', focus }, (close, leave) => {
    const problem = problemPlace();
    const form = make(
      'form',
      { noValidate: true },
      ...content,
      problem,
      make(
        'div',
        { className: 'answers' },
        make('button', { type: 'submit', className: 'main' }, words('answer.continue')),
        button(words('answer.cancel'), leave),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (pattern.test(name.value)) close(name.value);
      else problem.textContent = rule;
    });
    return [form];
  });
}
