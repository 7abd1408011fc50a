type Child = Node | string | undefined;

/** An element with properties and children. */
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

/** A label with what it is for. */
export function labelled(words: string, field: HTMLElement): HTMLElement {
  field.id = `dialog-field-${++dialogs}`;
  return make('div', { className: 'labelled' }, make('label', { htmlFor: field.id }, words), field);
}

interface DialogOptions {
  readonly title: string;
  readonly className?: string;
  /** Asked where the user leaves without an answer. */
  readonly mayLeave?: () => boolean | Promise<boolean>;
  /** Closes it without an answer. */
  readonly over?: AbortSignal;
  /** What has the focus first; without it, what the browser chooses. */
  readonly focus?: () => HTMLElement | undefined;
}

/**
 * A modal dialog, there as long as it is open.
 * @param content made for `close`, which ends it with an answer, and `leave`, which ends it without where that may be
 * @returns the answer; undefined where there is none
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
    // browsers let nobody keep a dialog open at the second Esc
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

/** A question with a button for each answer; the last one, which does no harm, has the focus. @returns undefined where it is left */
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

/** A place for what went wrong, which is said aloud. */
export function problemPlace(): HTMLElement {
  const place = make('div', { className: 'problem' });
  place.setAttribute('role', 'alert');
  return place;
}
