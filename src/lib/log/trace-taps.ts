/** Where a trace goes. */
export interface TraceSink {
  /** A line of printable characters, without its line end. */
  write(line: string): void;
  /** What is traced is over: nothing more comes. */
  ended(): void;
}

/** What can be traced of one kind, by name: whoever does something under a name looks here whether somebody traces it. */
export class TraceTaps {
  readonly #sinks = new Map<string, TraceSink>();

  /** @returns what closes it */
  open(name: string, sink: TraceSink): () => void {
    this.#sinks.set(name, sink);
    return () => {
      if (this.#sinks.get(name) === sink) this.#sinks.delete(name);
    };
  }

  /** Undefined: nobody traces it. */
  sinkOf(name: string): TraceSink | undefined {
    return this.#sinks.size === 0 ? undefined : this.#sinks.get(name);
  }
}
