/** Limit for a page: each terminal has its own connection. */
const MOST_TABS = 16;
export const MOST_PANES = 3;

/** Survives a reload: the sessions of the tabs, in order. */
interface SavedTabs {
  readonly labels: readonly string[];
  readonly active: string | undefined;
  readonly panes: number;
}

/** Model of the tabs: order, visible panes, active tab. Tabs are identified by a number within the page. */
export class WorkspaceTabs {
  readonly #tabs: number[] = [];
  /** Visible tabs from left to right. */
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

  get panes(): number {
    return this.#panes;
  }

  get isFull(): boolean {
    return this.#tabs.length >= MOST_TABS;
  }

  add(tab: number): boolean {
    if (this.isFull) return false;
    this.#tabs.push(tab);
    this.activate(tab);
    return true;
  }

  /** Makes a tab active. A hidden tab replaces the active pane. */
  activate(tab: number | undefined): void {
    if (tab === undefined || !this.#tabs.includes(tab)) return;
    if (!this.#seen.includes(tab)) {
      const place = this.#active === undefined ? -1 : this.#seen.indexOf(this.#active);
      if (this.#seen.length < this.#panes || place < 0) this.#seen.push(tab);
      else this.#seen[place] = tab;
    }
    this.#active = tab;
  }

  step(by: 1 | -1): void {
    if (this.#active === undefined) return;
    const { length } = this.#tabs;
    this.activate(this.#tabs[(this.#tabs.indexOf(this.#active) + by + length) % length]);
  }

  /** @param place counted from 1; 9 is the last tab, as in browsers */
  choose(place: number): void {
    this.activate(place === 9 ? this.#tabs.at(-1) : this.#tabs[place - 1]);
  }

  divide(panes: number): void {
    this.#panes = Math.min(Math.max(1, Math.trunc(panes)), MOST_PANES);
    while (this.#seen.length > this.#panes) {
      // the active pane stays visible
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

/** Validates the saved text, which may come from another script. */
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
