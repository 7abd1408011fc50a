export interface Action {
  /** Name in key maps, in `data-does` of buttons and in macros. */
  readonly id: string;
  readonly label: string;
  run(): void;
  /** Keys besides those of the key map, as labelled on keyboards. */
  readonly keys?: readonly string[];
  readonly isPossible?: () => boolean;
}

export class Actions {
  readonly #actions = new Map<string, Action>();
  readonly #sources: (() => readonly Action[])[] = [];

  add(...actions: readonly Action[]): void {
    for (const action of actions) this.#actions.set(action.id, action);
  }

  /** For actions that change, such as macros: called on each lookup. */
  addSource(source: () => readonly Action[]): void {
    this.#sources.push(source);
  }

  get all(): readonly Action[] {
    return [...this.#actions.values(), ...this.#sources.flatMap((source) => source())];
  }

  find(id: string): Action | undefined {
    return this.#actions.get(id) ?? this.all.find((action) => action.id === id);
  }

  run(id: string): boolean {
    const action = this.find(id);
    if (action === undefined || action.isPossible?.() === false) return false;
    action.run();
    return true;
  }
}
