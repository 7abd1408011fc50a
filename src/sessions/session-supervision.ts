const MOST_OPERATOR_MESSAGES = 5;

interface OperatorMessage {
  readonly number: number;
  readonly text: string;
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** `changed` only of watching operators; the others trace. */
interface Operator {
  readonly name: string;
  changed?(): void;
}

export class SessionSupervision {
  #messages: readonly OperatorMessage[] = [];
  #sent = 0;
  /** Numbers of the last message shown by a page without script, and of the last one shown and answered. */
  #shown = 0;
  #read = 0;
  // most sessions have none of these, so they share one empty list
  #operators: readonly Operator[] = nobody;
  #listeners: readonly (() => void)[] = nobody;

  get messages(): readonly OperatorMessage[] {
    return this.#messages;
  }

  get watchedBy(): readonly string[] {
    return namesOf(this.#operators.filter(({ changed }) => changed !== undefined));
  }

  get tracedBy(): readonly string[] {
    return namesOf(this.#operators.filter(({ changed }) => changed === undefined));
  }

  show(text: string, from: string): void {
    const message = { number: ++this.#sent, text, from, at: Date.now() };
    this.#messages = [...this.#messages, message].slice(-MOST_OPERATOR_MESSAGES);
    this.#tell();
  }

  /** Messages for a page without script: those that its user has not answered yet. */
  showUnread(): readonly OperatorMessage[] {
    this.#shown = this.#sent;
    return this.#messages.filter(({ number }) => number > this.#read);
  }

  /** The user has answered a page and therefore read its messages. */
  pageAnswered(): void {
    this.#read = this.#shown;
  }

  /** Pages are informed before the operator sees anything. @returns a function that stops watching */
  watch(watcher: Required<Operator>): () => void {
    return this.#join(watcher);
  }

  trace(name: string): () => void {
    return this.#join({ name });
  }

  #join(operator: Operator): () => void {
    this.#operators = [...this.#operators, operator];
    this.#tell();
    return () => {
      if (!this.#operators.includes(operator)) return;
      this.#operators = without(operator, this.#operators);
      this.#tell();
    };
  }

  screenChanged(): void {
    for (const operator of this.#operators) operator.changed?.();
  }

  /** Called on messages and on changes of watching or tracing operators. @returns a function that stops listening */
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

function namesOf(operators: readonly Operator[]): readonly string[] {
  return [...new Set(operators.map(({ name }) => name))];
}

const nobody: readonly never[] = [];

function without<Member>(left: Member, members: readonly Member[]): readonly Member[] {
  return members.length === 1 && members[0] === left ? nobody : members.filter((member) => member !== left);
}
