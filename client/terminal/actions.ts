/** Something that a user can have done: by a key, a button, the list of all actions. */
export interface Action {
  /** As key maps, buttons (`data-does`) and macros of the page know it. */
  readonly id: string;
  /** What it does, for people. */
  readonly label: string;
  run(): void;
  /** Keys that it has besides those of the key map, as they stand on keyboards. */
  readonly keys?: readonly string[];
  /** Where it is not there, it can be done at any time. */
  readonly isPossible?: () => boolean;
}

/** All that can be done on the page. Each part of the page adds what it brings; keys, buttons and lists look it up here. */
export class Actions {
  readonly #actions = new Map<string, Action>();
  readonly #sources: (() => readonly Action[])[] = [];

  add(...actions: readonly Action[]): void {
    for (const action of actions) this.#actions.set(action.id, action);
  }

  /** What comes and goes, such as macros: asked for whenever somebody looks. */
  addSource(source: () => readonly Action[]): void {
    this.#sources.push(source);
  }

  get all(): readonly Action[] {
    return [...this.#actions.values(), ...this.#sources.flatMap((source) => source())];
  }

  find(id: string): Action | undefined {
    return this.#actions.get(id) ?? this.all.find((action) => action.id === id);
  }

  /** @returns false where there is no such action, or it is not possible now */
  run(id: string): boolean {
    const action = this.find(id);
    if (action === undefined || action.isPossible?.() === false) return false;
    action.run();
    return true;
  }
}
