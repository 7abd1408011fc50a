import { words } from '../words/words.js';
import { button, labelled, make, openDialog, problemPlace } from './dialog.js';
import type { ServiceFiles } from './model/service-yaml.js';
import { type CheckedService, ServiceRequestError, type ServiceRequests, type TrialEnd } from './service-requests.js';

/** A service being created; the user's changes survive closing the dialog. */
export interface ServiceInProgress {
  readonly name: string;
  files: ServiceFiles;
}

interface ServiceDialogPort {
  readonly requests: ServiceRequests;
  /** User signed on to Sallyport; empty if none. */
  readonly user: string;
  /** The session encrypts hidden fields, which a trial does not support. */
  readonly isEncrypted: boolean;
}

type Parameters = NonNullable<CheckedService['service']>['parameters'];

/** Shows the files of a service; checks, tries and stores them. @returns true if they were stored */
export async function showService(service: ServiceInProgress, port: ServiceDialogPort): Promise<boolean> {
  const steps = textBox(service.files.service, 14);
  const screens = textBox(service.files.screens, 8);
  const take = () => {
    service.files = { screens: screens.value, service: steps.value };
  };
  steps.addEventListener('input', take);
  screens.addEventListener('input', take);
  const problems = problemPlace();
  const outcome = make('div', { className: 'outcome' });
  outcome.setAttribute('role', 'status');
  const show = (place: HTMLElement, ...children: readonly (Node | string)[]) => {
    problems.replaceChildren();
    outcome.replaceChildren();
    place.replaceChildren(...children);
    place.scrollIntoView({ block: 'nearest' });
  };
  const options = { title: words('service.title', { name: service.name }), className: 'editor', focus: () => steps };
  const answer = await openDialog<true>(options, (close, leave) => {
    let isBusy = false;
    const atWork = async (act: () => Promise<void>) => {
      if (isBusy) return;
      isBusy = true;
      try {
        await act();
      } catch (thrown) {
        if (!(thrown instanceof ServiceRequestError)) throw thrown;
        show(problems, thrown.message);
      } finally {
        isBusy = false;
      }
    };
    const checked = async (): Promise<Parameters | undefined> => {
      const { faults, service: sound } = await port.requests.check(service.files);
      const lines = faults.map(({ file, line, column, severity, message }) =>
        make(
          'div',
          {},
          words(severity === 'warning' ? 'service.warning' : 'service.fault', { file, line, column, message }),
        ),
      );
      if (sound === undefined) show(problems, ...lines);
      else show(outcome, words('service.noErrors'), ...lines);
      return sound?.parameters;
    };
    const tryIt = async () => {
      const parameters = await checked();
      if (parameters === undefined) return;
      const secret = parameters.find(({ isSecret }) => isSecret);
      if (secret !== undefined && port.isEncrypted) {
        show(problems, words('service.cannotTry', { name: secret.name }));
        return;
      }
      const values = parameters.length === 0 ? {} : await askValues(service.name, parameters);
      if (values === undefined) return;
      show(outcome, words('service.trying'));
      const end = await port.requests.try(service.files, values);
      show(end.kind === 'done' ? outcome : problems, ...trialWords(end));
    };
    const store = async () => {
      if ((await checked()) === undefined) return;
      await port.requests.store(service.files);
      close(true);
    };
    return [
      labelled(words('service.steps'), steps),
      labelled(words('service.screens'), screens),
      problems,
      outcome,
      port.user === '' ? make('p', { className: 'quiet' }, words('service.signOnFirst')) : undefined,
      make(
        'div',
        { className: 'answers' },
        button(words('service.check'), () => void atWork(async () => void (await checked()))),
        button(words('service.try'), () => void atWork(tryIt)),
        port.user === '' ? undefined : button(words('service.store'), () => void atWork(store), { className: 'main' }),
        button(words('answer.close'), leave),
      ),
    ];
  });
  return answer === true;
}

function askValues(name: string, parameters: Parameters): Promise<Readonly<Record<string, unknown>> | undefined> {
  const inputs = parameters.map((parameter) => {
    const input = make('input', { type: parameter.isSecret ? 'password' : 'text', autocomplete: 'off' });
    return { ...parameter, input };
  });
  const options = { title: words('service.tryTitle', { name }), className: 'question' };
  return openDialog<Readonly<Record<string, unknown>>>(options, (close, leave) => {
    const form = make(
      'form',
      { noValidate: true },
      ...inputs.map(({ name: label, input }) => labelled(label, input)),
      make('p', { className: 'quiet' }, words('service.tryWarning')),
      make(
        'div',
        { className: 'answers' },
        make('button', { type: 'submit', className: 'main' }, words('service.tryNow')),
        button(words('answer.cancel'), leave),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const given = inputs.filter(({ input, isRequired }) => isRequired || input.value !== '');
      close(Object.fromEntries(given.map(({ name: key, type, input }) => [key, givenValue(type, input.value)])));
    });
    return [form];
  });
}

/** JSON value of the text. The server reports invalid numbers. */
function givenValue(type: string, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

function trialWords(end: TrialEnd): (Node | string)[] {
  if (end.kind === 'done') {
    return [words('service.answers'), picture(words('service.answer'), JSON.stringify(end.extracts, undefined, 2))];
  }
  const reasons = end.reasons.map((reason) => make('div', {}, reason));
  if (end.kind === 'notBegun') return [words('service.notBegun'), ...reasons];
  const screen = end.picture === undefined ? [] : [picture(words('otherScreen.came'), end.picture)];
  return [words('service.stopped'), ...reasons, ...screen];
}

function picture(label: string, text: string): HTMLElement {
  const element = make('pre', { className: 'picture', tabIndex: 0, ariaLabel: label }, text);
  element.setAttribute('role', 'region');
  return element;
}

function textBox(value: string, rows: number): HTMLTextAreaElement {
  const box = make('textarea', { value, rows, spellcheck: false, wrap: 'off' });
  box.setSelectionRange(0, 0);
  box.setAttribute('autocapitalize', 'off');
  return box;
}
