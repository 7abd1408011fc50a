import type { TerminalLimits } from './terminal-limits.js';

/** Counts the terminals of a port, by address and in all. */
export class TerminalGate {
  readonly #limits: TerminalLimits;
  readonly #byAddress = new Map<string, number>();
  #terminals = 0;

  constructor(limits: TerminalLimits) {
    this.#limits = limits;
  }

  /** @returns what to call when the terminal is gone, or in words why it may not come in */
  enter(address: string): (() => void) | string {
    const { terminals, terminalsPerAddress } = this.#limits;
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofAddress >= terminalsPerAddress) return `more than ${terminalsPerAddress} terminals of one address`;
    if (this.#terminals >= terminals) return `more than ${terminals} terminals`;
    this.#terminals++;
    this.#byAddress.set(address, ofAddress + 1);
    return () => this.#leave(address);
  }

  #leave(address: string): void {
    this.#terminals--;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }
}
