/** Frames that a page has at most: each is a terminal with a connection of its own. */
const MOST_TABS = 16;
export const MOST_PANES = 3;

/** What a reload keeps: which sessions the tabs have, in their order. */
interface SavedTabs {
  readonly labels: readonly string[];
  readonly active: string | undefined;
  readonly panes: number;
}

/** Which tabs there are, which of them are seen side by side, and which has the keyboard. A tab is known by a number of the page. */
export class WorkspaceTabs {
  readonly #tabs: number[] = [];
  /** From left to right. */
  #seen: number[] = [];
  #active: number | undefined;
  #panes = 1;

  get all(): readonly number[] {
    return this.#tabs;
  }

  get seen(): readonly number[] {
    return this.#seen;
  }

  get active(): number | undefined {
    return this.#active;
  }

  /** How many are to be seen side by side, where there are so many. */
  get panes(): number {
    return this.#panes;
  }

  get isFull(): boolean {
    return this.#tabs.length >= MOST_TABS;
  }

  /** @returns false where there are as many as there may be */
  add(tab: number): boolean {
    if (this.isFull) return false;
    this.#tabs.push(tab);
    this.activate(tab);
    return true;
  }

  /** Has the keyboard; where it was not seen, it takes the place of the one that had it. */
  activate(tab: number | undefined): void {
    if (tab === undefined || !this.#tabs.includes(tab)) return;
    if (!this.#seen.includes(tab)) {
      const place = this.#active === undefined ? -1 : this.#seen.indexOf(this.#active);
      if (this.#seen.length < this.#panes || place < 0) this.#seen.push(tab);
      else this.#seen[place] = tab;
    }
    this.#active = tab;
  }

  /** The next one to the right, or to the left; behind the last comes the first. */
  step(by: 1 | -1): void {
    if (this.#active === undefined) return;
    const { length } = this.#tabs;
    this.activate(this.#tabs[(this.#tabs.indexOf(this.#active) + by + length) % length]);
  }

  /** @param place counted from 1; 9 is the last, as in browsers */
  choose(place: number): void {
    this.activate(place === 9 ? this.#tabs.at(-1) : this.#tabs[place - 1]);
  }

  divide(panes: number): void {
    this.#panes = Math.min(Math.max(1, Math.trunc(panes)), MOST_PANES);
    while (this.#seen.length > this.#panes) {
      // whoever has the keyboard stays
      const at = this.#seen.at(-1) === this.#active ? this.#seen.length - 2 : this.#seen.length - 1;
      this.#seen.splice(at, 1);
    }
    this.#fill();
  }

  remove(tab: number): void {
    const at = this.#tabs.indexOf(tab);
    if (at < 0) return;
    this.#tabs.splice(at, 1);
    const neighbour = this.#tabs[at] ?? this.#tabs[at - 1];
    const place = this.#seen.indexOf(tab);
    const next = neighbour !== undefined && !this.#seen.includes(neighbour) ? [neighbour] : [];
    if (place >= 0) this.#seen.splice(place, 1, ...next);
    this.#fill();
    if (this.#active === tab) this.#active = next[0] ?? this.#seen[Math.min(place, this.#seen.length - 1)];
  }

  /** @param labelOf the session of a tab; undefined: none yet */
  saved(labelOf: (tab: number) => string | undefined): SavedTabs {
    return {
      labels: this.#tabs.flatMap((tab) => labelOf(tab) ?? []),
      active: this.#active === undefined ? undefined : labelOf(this.#active),
      panes: this.#panes,
    };
  }

  #fill(): void {
    for (const tab of this.#tabs) {
      if (this.#seen.length >= this.#panes) return;
      if (!this.#seen.includes(tab)) this.#seen.push(tab);
    }
  }
}

/** Reads what a page before has saved, which may be anybody's. */
export function readSavedTabs(text: string | null): SavedTabs {
  try {
    const { labels, active, panes } = JSON.parse(text ?? '{}') as Partial<Record<keyof SavedTabs, unknown>>;
    return {
      labels: Array.isArray(labels) ? labels.filter((label): label is string => typeof label === 'string') : [],
      active: typeof active === 'string' ? active : undefined,
      panes: typeof panes === 'number' && Number.isFinite(panes) ? panes : 1,
    };
  } catch {
    return { labels: [], active: undefined, panes: 1 };
  }
}
