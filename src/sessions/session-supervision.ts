/** Messages that pages are shown; older ones are forgotten. */
const MOST_OPERATOR_MESSAGES = 5;

/** What an operator says to the user of a session. */
interface OperatorMessage {
  /** 1, 2, 3 …: of this session. */
  readonly number: number;
  readonly text: string;
  /** The operator, by name. */
  readonly from: string;
  /** Milliseconds of the epoch. */
  readonly at: number;
}

/** Somebody who looks over the shoulder of a user; no page of the session. */
interface SupervisionWatcher {
  readonly name: string;
  changed(): void;
}

/** What operators have to do with one session: what they say to its user, and who of them watches or traces it. */
export class SessionSupervision {
  #messages: readonly OperatorMessage[] = [];
  #sent = 0;
  /** Of the last message that a page without script has shown, and that its user has answered since. */
  #shown = 0;
  #read = 0;
  // most sessions have none of these: the lists of all that are empty are one
  #watchers: readonly SupervisionWatcher[] = nobody;
  #tracers: readonly { readonly name: string }[] = nobody;
  #listeners: readonly (() => void)[] = nobody;

  /** The last ones, the oldest first. */
  get messages(): readonly OperatorMessage[] {
    return this.#messages;
  }

  /** Each once, in the order in which they came. */
  get watchedBy(): readonly string[] {
    return [...new Set(this.#watchers.map(({ name }) => name))];
  }

  /** Who has what the session exchanges with its host written down, each once. */
  get tracedBy(): readonly string[] {
    return [...new Set(this.#tracers.map(({ name }) => name))];
  }

  show(text: string, from: string): void {
    const message = { number: ++this.#sent, text, from, at: Date.now() };
    this.#messages = [...this.#messages, message].slice(-MOST_OPERATOR_MESSAGES);
    this.#tell();
  }

  /** What a page without script shows: what its user has not answered since it was shown. */
  showUnread(): readonly OperatorMessage[] {
    this.#shown = this.#sent;
    return this.#messages.filter(({ number }) => number > this.#read);
  }

  /** The user has answered a page: what stood on it, they have read. */
  pageAnswered(): void {
    this.#read = this.#shown;
  }

  /** Somebody begins to watch: pages say so before anything is shown. @returns what ends it */
  watch(watcher: SupervisionWatcher): () => void {
    this.#watchers = [...this.#watchers, watcher];
    this.#tell();
    return () => {
      if (!this.#watchers.includes(watcher)) return;
      this.#watchers = without(watcher, this.#watchers);
      this.#tell();
    };
  }

  /** Somebody begins to trace the session. @returns what ends it */
  trace(name: string): () => void {
    const tracer = { name };
    this.#tracers = [...this.#tracers, tracer];
    this.#tell();
    return () => {
      if (!this.#tracers.includes(tracer)) return;
      this.#tracers = without(tracer, this.#tracers);
      this.#tell();
    };
  }

  screenChanged(): void {
    for (const watcher of this.#watchers) watcher.changed();
  }

  /** Calls back when there is a message, or others watch or trace. @returns what ends it */
  listen(listener: () => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = without(listener, this.#listeners);
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const nobody: readonly never[] = [];

function without<Member>(left: Member, members: readonly Member[]): readonly Member[] {
  return members.length === 1 && members[0] === left ? nobody : members.filter((member) => member !== left);
}
