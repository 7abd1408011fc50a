import { button, labelled, make, openDialog, problemPlace } from './dialog.js';
import { nameOfWords } from './model/service-yaml.js';
import type { ExtractMark, InputField, ParameterMark } from './model/visit-recorder.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const NAME_WORDS = 'A name has 1 to 64 letters, digits and _, and begins with a letter.';
const SERVICE_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const SERVICE_WORDS = 'A name has 1 to 64 letters, digits, - and _, and begins with a letter.';

/** Asks which field is a parameter, and what it is called. @param cursor that the first choice is near to */
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
  return askNamed('Parameter of a service', name, NAME, NAME_WORDS, [
    labelled('Field', select),
    labelled('Name', name),
    make('label', { className: 'choice' }, secret, ' Secret: in no log, trace or answer'),
  ]).then((given) =>
    given === undefined ? undefined : { name: given, isSecret: secret.checked, start: field().start },
  );
}

/** Asks what a marked text is called, and what it is. */
export function askExtract(text: string, words: string): Promise<Pick<ExtractMark, 'name' | 'as'> | undefined> {
  const name = nameInput(nameOfWords(words, 'value'));
  const kind = make('select');
  kind.append(
    new Option('Text', 'string'),
    new Option('Whole number', 'integer'),
    new Option('Decimal number', 'decimal'),
  );
  kind.value = /^\s*-?\d+\s*$/.test(text) ? 'integer' : /^\s*-?\d+\.\d+\s*$/.test(text) ? 'decimal' : 'string';
  const shown = make('pre', { className: 'picture' }, text);
  return askNamed('Read by the service', name, NAME, NAME_WORDS, [
    shown,
    labelled('Name', name),
    labelled('It is', kind),
  ]).then((given) => (given === undefined ? undefined : { name: given, as: kind.value as ExtractMark['as'] }));
}

export function askServiceName(): Promise<string | undefined> {
  const name = nameInput('');
  return askNamed('Save as a service', name, SERVICE_NAME, SERVICE_WORDS, [labelled('Name of the service', name)]);
}

function nameInput(value: string): HTMLInputElement {
  const input = make('input', { type: 'text', value, maxLength: 64, autocomplete: 'off', spellcheck: false });
  input.setAttribute('autocapitalize', 'off');
  return input;
}

/** @returns the name; undefined where the user would not */
function askNamed(
  title: string,
  name: HTMLInputElement,
  pattern: RegExp,
  words: string,
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
        make('button', { type: 'submit', className: 'main' }, 'Continue'),
        button('Cancel', leave),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (pattern.test(name.value)) close(name.value);
      else problem.textContent = words;
    });
    return [form];
  });
}
