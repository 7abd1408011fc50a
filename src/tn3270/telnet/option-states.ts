import type { NegotiationVerb } from './telnet-codes.js';

/** Enabled options of one side. Only a request that changes the state may be answered (RFC 854). */
export class OptionStates {
  readonly #on = new Set<number>();

  isOn(option: number): boolean {
    return this.#on.has(option);
  }

  allOn(options: readonly number[]): boolean {
    return options.every((option) => this.#on.has(option));
  }

  /** @returns true if the state changed */
  set(option: number, on: boolean): boolean {
    if (this.#on.has(option) === on) return false;
    if (on) this.#on.add(option);
    else this.#on.delete(option);
    return true;
  }

  get codes(): readonly number[] {
    return [...this.#on].sort((left, right) => left - right);
  }

  clear(): void {
    this.#on.clear();
  }
}

/** `ours` if the peer's verb concerns an option of this side. */
export const verbMeanings: Readonly<Record<NegotiationVerb, { readonly ours: boolean; readonly on: boolean }>> = {
  do: { ours: true, on: true },
  dont: { ours: true, on: false },
  will: { ours: false, on: true },
  wont: { ours: false, on: false },
};
