import { button, labelled, make, openDialog, problemPlace } from './dialog.js';
import type { ServiceFiles } from './model/service-yaml.js';
import { type CheckedService, ServiceRequestError, type ServiceRequests, type TrialEnd } from './service-requests.js';

/** A service that is being made: what its maker has changed stays when the dialog is closed. */
export interface ServiceInProgress {
  readonly name: string;
  files: ServiceFiles;
}

interface ServiceDialogPort {
  readonly requests: ServiceRequests;
  /** Has signed on to Sallyport; empty: nobody has. */
  readonly user: string;
  /** The session encrypts what is hidden: a trial could not. */
  readonly isEncrypted: boolean;
}

type Parameters = NonNullable<CheckedService['service']>['parameters'];

/** Shows the files of a service, checks them, tries and stores it. @returns whether it was stored */
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
  const options = { title: `Service ${service.name}`, className: 'editor', focus: () => steps };
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
    /** @returns what is to be given; undefined where there are errors, which are shown */
    const checked = async (): Promise<Parameters | undefined> => {
      const { faults, service: sound } = await port.requests.check(service.files);
      const lines = faults.map(({ file, line, column, severity, message }) =>
        make(
          'div',
          {},
          `${file}, line ${line}, column ${column}: ${severity === 'warning' ? 'warning: ' : ''}${message}`,
        ),
      );
      if (sound === undefined) show(problems, ...lines);
      else show(outcome, 'It has no errors.', ...lines);
      return sound?.parameters;
    };
    const tryIt = async () => {
      const parameters = await checked();
      if (parameters === undefined) return;
      const secret = parameters.find(({ isSecret }) => isSecret);
      if (secret !== undefined && port.isEncrypted) {
        show(problems, `This session encrypts what is hidden, and a trial could not: ${secret.name}.`);
        return;
      }
      const values = parameters.length === 0 ? {} : await askValues(service.name, parameters);
      if (values === undefined) return;
      show(outcome, 'The service is being tried …');
      const end = await port.requests.try(service.files, values);
      show(end.kind === 'done' ? outcome : problems, ...trialWords(end));
    };
    const store = async () => {
      if ((await checked()) === undefined) return;
      await port.requests.store(service.files);
      close(true);
    };
    return [
      labelled('Service', steps),
      labelled('Screens', screens),
      problems,
      outcome,
      port.user === ''
        ? make('p', { className: 'quiet' }, 'Who has signed on to Sallyport can store it here for administrators.')
        : undefined,
      make(
        'div',
        { className: 'answers' },
        button('Check', () => void atWork(async () => void (await checked()))),
        button('Try it', () => void atWork(tryIt)),
        port.user === ''
          ? undefined
          : button('Store for administrators', () => void atWork(store), { className: 'main' }),
        button('Close', leave),
      ),
    ];
  });
  return answer === true;
}

/** @returns undefined where the user would not */
function askValues(name: string, parameters: Parameters): Promise<Readonly<Record<string, unknown>> | undefined> {
  const inputs = parameters.map((parameter) => {
    const input = make('input', { type: parameter.isSecret ? 'password' : 'text', autocomplete: 'off' });
    return { ...parameter, input };
  });
  const options = { title: `Try ${name}`, className: 'question' };
  return openDialog<Readonly<Record<string, unknown>>>(options, (close, leave) => {
    const form = make(
      'form',
      { noValidate: true },
      ...inputs.map(({ name: words, input }) => labelled(words, input)),
      make('p', { className: 'quiet' }, 'It is tried in this session, with everything that its keys do at the host.'),
      make(
        'div',
        { className: 'answers' },
        make('button', { type: 'submit', className: 'main' }, 'Try it now'),
        button('Cancel', leave),
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

/** As JSON has it; what is no number is told by the server. */
function givenValue(type: string, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

function trialWords(end: TrialEnd): (Node | string)[] {
  if (end.kind === 'done') {
    return ['It came to its end. It answers:', picture('The answer', JSON.stringify(end.extracts, undefined, 2))];
  }
  const reasons = end.reasons.map((reason) => make('div', {}, reason));
  if (end.kind === 'notBegun') return ['Nothing was done. ', ...reasons];
  const screen = end.picture === undefined ? [] : [picture('The screen that came', end.picture)];
  return ['It stopped. ', ...reasons, ...screen];
}

function picture(words: string, text: string): HTMLElement {
  const element = make('pre', { className: 'picture', tabIndex: 0, ariaLabel: words }, text);
  element.setAttribute('role', 'region');
  return element;
}

function textBox(value: string, rows: number): HTMLTextAreaElement {
  const box = make('textarea', { value, rows, spellcheck: false, wrap: 'off' });
  box.setSelectionRange(0, 0);
  box.setAttribute('autocapitalize', 'off');
  return box;
}
