import type { NegotiationVerb } from './telnet-codes.js';

/** Which options of one side are on. Tells whether a request changes anything: only a change may be answered (RFC 854). */
export class OptionStates {
  readonly #on = new Set<number>();

  isOn(option: number): boolean {
    return this.#on.has(option);
  }

  allOn(options: readonly number[]): boolean {
    return options.every((option) => this.#on.has(option));
  }

  /** @returns whether it was another way before */
  set(option: number, on: boolean): boolean {
    if (this.#on.has(option) === on) return false;
    if (on) this.#on.add(option);
    else this.#on.delete(option);
    return true;
  }

  /** Of the options that are on, in rising order. */
  get codes(): readonly number[] {
    return [...this.#on].sort((left, right) => left - right);
  }

  clear(): void {
    this.#on.clear();
  }
}

/** Whether a verb of the peer is about our side of an option, and whether it turns it on. */
export const verbMeanings: Readonly<Record<NegotiationVerb, { readonly ours: boolean; readonly on: boolean }>> = {
  do: { ours: true, on: true },
  dont: { ours: true, on: false },
  will: { ours: false, on: true },
  wont: { ours: false, on: false },
};
