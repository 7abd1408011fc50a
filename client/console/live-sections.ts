/** Messages of the topic in src/web/console/page-topic.ts. */
export interface SectionChanges {
  readonly sections: Readonly<Record<string, string>>;
}

const FOCUSABLE = 'a[href], button, summary, [tabindex]';

/** Unchanged elements stay; an element with the focus or selected text is not replaced. */
export class LiveSections {
  readonly topic: string;
  readonly #waiting = new Map<string, string>();

  static of(state: HTMLElement | null): LiveSections | undefined {
    const topic = state?.dataset.topic;
    return topic ? new LiveSections(topic) : undefined;
  }

  private constructor(topic: string) {
    this.topic = topic;
    document.addEventListener('selectionchange', () => {
      for (const [name, html] of [...this.#waiting]) this.#show(name, html);
    });
  }

  take({ sections }: SectionChanges): void {
    for (const [name, html] of Object.entries(sections)) this.#show(name, html);
  }

  #show(name: string, html: string): void {
    const old = document.querySelector<HTMLElement>(`section[data-live="${CSS.escape(name)}"]`);
    const made = new DOMParser().parseFromString(html, 'text/html').querySelector('section');
    this.#waiting.delete(name);
    if (old === null || made === null) return;
    const opened = [...old.querySelectorAll('details')];
    made.querySelectorAll('details').forEach((details, at) => {
      details.open = opened[at]?.open === true;
    });
    if (old.isEqualNode(made)) return;
    if (isMarkedIn(old)) {
      this.#waiting.set(name, html);
      return;
    }
    const focused = placeOfFocus(old);
    old.replaceWith(made);
    if (focused !== undefined) elementAt(made, focused)?.focus({ preventScroll: true });
  }
}

function isMarkedIn(section: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(section, true);
}

interface FocusPlace {
  readonly address: string | null;
  readonly at: number;
}

function placeOfFocus(section: HTMLElement): FocusPlace | undefined {
  const { activeElement } = document;
  if (activeElement === null || !section.contains(activeElement)) return undefined;
  const at = [...section.querySelectorAll(FOCUSABLE)].indexOf(activeElement);
  return { address: activeElement.getAttribute('href'), at };
}

function elementAt(section: HTMLElement, { address, at }: FocusPlace): HTMLElement | undefined {
  const all = [...section.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return all.find((one) => address !== null && one.getAttribute('href') === address) ?? all[at];
}
