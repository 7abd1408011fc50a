type Child = Node | string | undefined;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export function button(text: string, act: () => void, properties: Partial<HTMLButtonElement> = {}): HTMLButtonElement {
  const element = make('button', { type: 'button', ...properties }, text);
  element.addEventListener('click', act);
  return element;
}

let dialogs = 0;

export function labelled(words: string, field: HTMLElement): HTMLElement {
  field.id = `dialog-field-${++dialogs}`;
  return make('div', { className: 'labelled' }, make('label', { htmlFor: field.id }, words), field);
}

interface DialogOptions {
  readonly title: string;
  readonly className?: string;
  readonly mayLeave?: () => boolean | Promise<boolean>;
  readonly over?: AbortSignal;
  /** Element that gets the focus; default: the browser's choice. */
  readonly focus?: () => HTMLElement | undefined;
}

/**
 * @param content receives `close`, which ends with an answer, and `leave`, which ends without one if allowed
 * @returns undefined without an answer
 */
export function openDialog<Answer>(
  { title, className = '', mayLeave = () => true, over, focus }: DialogOptions,
  content: (close: (answer: Answer) => void, leave: () => void) => readonly Child[],
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const heading = make('h2', { id: `dialog-title-${++dialogs}` }, title);
    const dialog = make('dialog', { className });
    dialog.setAttribute('aria-labelledby', heading.id);
    let answer: Answer | undefined;
    let isAsking = false;
    const end = () => {
      dialog.close();
      dialog.remove();
      over?.removeEventListener('abort', end);
      resolve(answer);
    };
    const leave = async () => {
      if (isAsking || !dialog.open) return;
      isAsking = true;
      if (await mayLeave()) end();
      isAsking = false;
    };
    dialog.addEventListener('cancel', (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      void leave();
    });
    // browsers close a dialog on the second Esc even if its cancel event is prevented
    dialog.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      void leave();
    });
    over?.addEventListener('abort', end);
    dialog.append(
      heading,
      ...content(
        (given) => {
          answer = given;
          end();
        },
        () => void leave(),
      ).filter((child) => child !== undefined),
    );
    document.body.append(dialog);
    dialog.showModal();
    focus?.()?.focus();
  });
}

/** The last answer has the focus, so it should be harmless. @returns undefined if the user cancels */
export function choose<Answer extends string>(
  title: string,
  text: string,
  answers: readonly (readonly [answer: Answer, words: string])[],
): Promise<Answer | undefined> {
  let buttons: HTMLButtonElement[] = [];
  const options = { title, className: 'question', focus: () => buttons.at(-1) };
  return openDialog<Answer>(options, (close) => {
    buttons = answers.map(([answer, words]) => button(words, () => close(answer)));
    return [make('p', {}, text), make('div', { className: 'answers' }, ...buttons)];
  });
}

export function problemPlace(): HTMLElement {
  const place = make('div', { className: 'problem' });
  place.setAttribute('role', 'alert');
  return place;
}
