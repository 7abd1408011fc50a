/** What of a terminal is set while it runs, and what it begins with (`Set`, `Toggle`, `-set`, `-xrm`). */
const defaults = {
  acceptHostname: '',
  aidWait: 'true',
  blankFill: 'true',
  numericLock: 'false',
  startTls: 'true',
  // the keyboard is never kept locked longer than the host has it, which scripts ask for with false
  unlockDelay: 'false',
  verifyHostCert: 'true',
} as const;

export type ToggleName = keyof typeof defaults;

const truths = ['true', 't', '1', 'on'];
const lies = ['false', 'f', '0', 'off'];

export class Toggles {
  readonly #values = new Map<string, string>(Object.entries(defaults));

  static readonly names: readonly string[] = Object.keys(defaults);

  /** The name as it is written in full; undefined where there is none. Names are found in any case. */
  static nameOf(written: string): ToggleName | undefined {
    const folded = written.toLowerCase();
    return (Object.keys(defaults) as ToggleName[]).find((name) => name.toLowerCase() === folded);
  }

  get(name: ToggleName): string {
    return this.#values.get(name) ?? '';
  }

  isOn(name: ToggleName): boolean {
    return this.get(name) === 'true';
  }

  /** @returns what is wrong with the value; undefined: nothing */
  set(name: ToggleName, value: string): string | undefined {
    const isSwitch = defaults[name] === 'true' || defaults[name] === 'false';
    const folded = value.toLowerCase();
    if (!isSwitch) {
      this.#values.set(name, value);
      return undefined;
    }
    if (!truths.includes(folded) && !lies.includes(folded)) return `${name} value must be true or false`;
    this.#values.set(name, String(truths.includes(folded)));
    return undefined;
  }

  /** Each `name: value`, in the order of the names. */
  list(): string[] {
    return [...this.#values].map(([name, value]) => `${name}: ${value}`.trimEnd());
  }
}
