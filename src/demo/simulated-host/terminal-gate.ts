import type { TerminalLimits } from './terminal-limits.js';

type AdmissionOutcome =
  /** `leave` is called when the terminal is gone. */
  { readonly kind: 'admitted'; readonly leave: () => void } | { readonly kind: 'refused'; readonly reason: string };

/** Counts the terminals of a port, by address and in all. */
export class TerminalGate {
  readonly #limits: TerminalLimits;
  readonly #byAddress = new Map<string, number>();
  #terminals = 0;

  constructor(limits: TerminalLimits) {
    this.#limits = limits;
  }

  enter(address: string): AdmissionOutcome {
    const { terminals, terminalsPerAddress } = this.#limits;
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofAddress >= terminalsPerAddress) return refused(`more than ${terminalsPerAddress} terminals of one address`);
    if (this.#terminals >= terminals) return refused(`more than ${terminals} terminals`);
    this.#terminals++;
    this.#byAddress.set(address, ofAddress + 1);
    return { kind: 'admitted', leave: () => this.#leave(address) };
  }

  #leave(address: string): void {
    this.#terminals--;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }
}

function refused(reason: string): AdmissionOutcome {
  return { kind: 'refused', reason };
}
