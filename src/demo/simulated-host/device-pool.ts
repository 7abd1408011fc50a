import type { DeviceAssignment } from '../../tn3270/telnet/host-negotiation.js';

const deviceName = /^[A-Z@#$][A-Z0-9@#$]{0,7}$/;
const MOST_NAMES = 100_000;

export class DevicePool {
  readonly #known: readonly string[] | undefined;
  readonly #prefix: string;
  readonly #inUse = new Set<string>();
  #lastNumber = 0;

  /** @param known permitted names; undefined to permit any. @param prefix of names that the host assigns */
  constructor(known: readonly string[] | undefined, prefix = 'SIM') {
    this.#known = known;
    this.#prefix = prefix;
  }

  get used(): number {
    return this.#inUse.size;
  }

  has(name: string): boolean {
    return this.#inUse.has(name);
  }

  take(name: string | undefined): DeviceAssignment {
    if (name !== undefined) {
      const isKnown = this.#known === undefined ? deviceName.test(name) : this.#known.includes(name);
      if (!isKnown) return { reject: 'invalidName' };
      if (this.#inUse.has(name)) return { reject: 'deviceInUse' };
    }
    const given = name ?? this.#freeName();
    if (given === undefined) return { reject: 'deviceInUse' };
    this.#inUse.add(given);
    return { name: given };
  }

  giveBack(name: string): void {
    this.#inUse.delete(name);
  }

  #freeName(): string | undefined {
    if (this.#known !== undefined) return this.#known.find((name) => !this.#inUse.has(name));
    // among one more name than are in use, one is free
    for (let tries = Math.min(this.#inUse.size + 1, MOST_NAMES); tries > 0; tries--) {
      this.#lastNumber = (this.#lastNumber + 1) % MOST_NAMES;
      const name = `${this.#prefix}${String(this.#lastNumber).padStart(5, '0')}`;
      if (!this.#inUse.has(name)) return name;
    }
    return undefined;
  }
}
