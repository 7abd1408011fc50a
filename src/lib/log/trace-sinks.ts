export interface TraceSink {
  /** @param line printable characters without line end */
  write(line: string): void;
  ended(): void;
}

/** Trace sinks of one kind of object, by name. Each object checks whether it is traced. */
export class TraceSinks {
  readonly #sinks = new Map<string, TraceSink>();

  open(name: string, sink: TraceSink): () => void {
    this.#sinks.set(name, sink);
    return () => {
      if (this.#sinks.get(name) === sink) this.#sinks.delete(name);
    };
  }

  sinkOf(name: string): TraceSink | undefined {
    return this.#sinks.size === 0 ? undefined : this.#sinks.get(name);
  }
}
