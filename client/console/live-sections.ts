/** Sections of a page as the server makes them anew: src/web/console/page-topic.ts. */
export interface SectionChanges {
  readonly sections: Readonly<Record<string, string>>;
}

const FOCUSABLE = 'a[href], button, summary, [tabindex]';

/** Sections of a page that change while it is looked at. What is the same stays, and what is being used is not taken away. */
export class LiveSections {
  readonly topic: string;
  /** Those that somebody marks a text in: they change afterwards. */
  readonly #waiting = new Map<string, string>();

  /** @param state where the page says whether it is live. @returns undefined where it has no such sections */
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

/** What has the focus: by its address, or else by its place. */
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
