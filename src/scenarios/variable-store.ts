import { ScenarioAbendError } from './scenario-abend-error.js';
import { type ScenarioValue, sizeOf, valueText } from './value.js';

export interface VariableLimits {
  readonly variableBytes: number;
  readonly values: number;
  readonly variables: number;
}

const LONGEST_VARIABLE_NAME = 256;
/** Up to this number of names, a scan is faster than an index. */
const FEW_NAMES = 16;

/**
 * The table variables of a run: each is an ordered list of values. Names match exactly first, then case-insensitively
 * (templates use the field name `FromCurrency`, their scenario uses `FROMCURRENCY`).
 */
export class VariableStore {
  readonly #limits: VariableLimits;
  readonly #lists = new Map<string, ScenarioValue[]>();
  /** Case-folded name → name at creation; built at the first look-up without an exact match. */
  #spellings: Map<string, string> | undefined;
  #size = 0;
  #count = 0;

  constructor(limits: VariableLimits) {
    this.#limits = limits;
  }

  copy(): VariableStore {
    const copy = new VariableStore(this.#limits);
    for (const [name, list] of this.#lists) copy.#lists.set(name, [...list]);
    copy.#size = this.#size;
    copy.#count = this.#count;
    return copy;
  }

  values(name: string): readonly ScenarioValue[] | undefined {
    return this.#lists.get(name) ?? this.#lists.get(this.storedName(name));
  }

  texts(name: string): readonly string[] | undefined {
    return this.values(name)?.map(valueText);
  }

  /** Name at the creation of the variable; the given name if there is no such variable. */
  storedName(name: string): string {
    if (this.#lists.has(name)) return name;
    if (this.#lists.size <= FEW_NAMES) return spellingAmong(this.#lists.keys(), name.toUpperCase()) ?? name;
    this.#spellings ??= spellingsOf(this.#lists.keys());
    return this.#spellings.get(name.toUpperCase()) ?? name;
  }

  has(name: string): boolean {
    return (this.values(name)?.length ?? 0) > 0;
  }

  names(): IterableIterator<string> {
    return this.#lists.keys();
  }

  append(name: string, value: ScenarioValue): void {
    const list = this.#lists.get(name);
    if (list === undefined) this.#refuseName(name);
    this.#account(sizeOf(value), 1);
    if (list === undefined) this.#add(name, [value]);
    else list.push(value);
  }

  replace(name: string, values: readonly ScenarioValue[]): void {
    const old = this.#lists.get(name);
    if (old === undefined) this.#refuseName(name);
    this.#account(totalSize(values) - totalSize(old ?? []), values.length - (old?.length ?? 0));
    if (old === undefined) this.#add(name, [...values]);
    else this.#lists.set(name, [...values]);
  }

  /** Deletes the first value, and the variable with its last value. @returns false if there was none */
  deleteFirst(name: string): boolean {
    const spelling = this.storedName(name);
    const list = this.#lists.get(spelling);
    const first = list?.shift();
    if (list === undefined || first === undefined) return false;
    this.#account(-sizeOf(first), -1);
    if (list.length === 0) this.#delete(spelling);
    return true;
  }

  deleteAll(name: string): boolean {
    const spelling = this.storedName(name);
    const list = this.#lists.get(spelling);
    if (list === undefined) return false;
    this.#account(-totalSize(list), -list.length);
    this.#delete(spelling);
    return true;
  }

  #refuseName(name: string): void {
    if (name === '' || name.length > LONGEST_VARIABLE_NAME) {
      throw new ScenarioAbendError(`the name of a variable has 1 to ${LONGEST_VARIABLE_NAME} characters`);
    }
    if (this.#lists.size >= this.#limits.variables) {
      throw new ScenarioAbendError(`more than ${this.#limits.variables} variables`, 'SVC_ERR_SCENARIO_LIMIT');
    }
  }

  #add(name: string, list: ScenarioValue[]): void {
    this.#lists.set(name, list);
    if (this.#spellings === undefined) return;
    const folded = name.toUpperCase();
    if (!this.#spellings.has(folded)) this.#spellings.set(folded, name);
  }

  #delete(name: string): void {
    this.#lists.delete(name);
    this.#spellings = undefined;
  }

  #account(size: number, count: number): void {
    if (this.#size + size > this.#limits.variableBytes) {
      throw new ScenarioAbendError(
        `variables hold more than ${this.#limits.variableBytes} bytes`,
        'SVC_ERR_SCENARIO_LIMIT',
      );
    }
    if (this.#count + count > this.#limits.values) {
      throw new ScenarioAbendError(`variables hold more than ${this.#limits.values} values`, 'SVC_ERR_SCENARIO_LIMIT');
    }
    this.#size += size;
    this.#count += count;
  }
}

function spellingAmong(names: Iterable<string>, folded: string): string | undefined {
  for (const name of names) if (name.toUpperCase() === folded) return name;
  return undefined;
}

function totalSize(values: readonly ScenarioValue[]): number {
  let total = 0;
  for (const value of values) total += sizeOf(value);
  return total;
}

function spellingsOf(names: Iterable<string>): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const name of names) {
    const folded = name.toUpperCase();
    if (!spellings.has(folded)) spellings.set(folded, name);
  }
  return spellings;
}
