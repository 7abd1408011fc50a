import type { Assembly, JumpTarget } from './assembly.js';
import type { ScenarioRun } from './scenario-run.js';
import type { KeywordOperand, ListOperand, Operand, SourcePlace, StringOperand, WordOperand } from './syntax.js';

export interface TextSource {
  readonly text: (run: ScenarioRun) => string | undefined;
  readonly constant: string | undefined;
}

const INTEGER = /^[+-]?\d{1,9}$/;

/**
 * Reads the operands of one instruction: positional operands in order, keyword operands by name. Reports missing and
 * malformed operands, and unexpected ones in `done`.
 */
export class OperandReader {
  readonly #assembly: Pick<Assembly, 'instruction' | 'report' | 'warn'>;
  readonly #positional: Operand[] = [];
  readonly #keywords = new Map<string, KeywordOperand>();
  readonly #known = new Set<string>();
  #taken = 0;

  constructor(assembly: Pick<Assembly, 'instruction' | 'report' | 'warn'>) {
    this.#assembly = assembly;
    for (const operand of assembly.instruction.operands) {
      if (operand.kind !== 'keyword') this.#positional.push(operand);
      else if (this.#keywords.has(operand.name)) this.report(operand, `${operand.name}= is given twice`);
      else this.#keywords.set(operand.name, operand);
    }
  }

  get place(): SourcePlace {
    return this.#assembly.instruction;
  }

  /** Returns undefined, the result of a reader that has reported a fault. */
  report(place: SourcePlace, message: string): undefined {
    this.#assembly.report(place, message);
  }

  warn(place: SourcePlace, message: string): void {
    this.#assembly.warn(place, message);
  }

  warnOfRest(list: Operand | undefined, read: number): void {
    const extra = list?.kind === 'list' ? list.items[read] : undefined;
    if (extra !== undefined && extra.kind !== 'omitted')
      this.warn(extra, 'this has no effect: the list ends before it');
  }

  /** Reads the next positional operand; undefined if it is absent or omitted. */
  next(): Operand | undefined {
    const operand = this.#positional[this.#taken];
    if (operand !== undefined) this.#taken++;
    return operand?.kind === 'omitted' ? undefined : operand;
  }

  nextWord(): WordOperand | undefined {
    const operand = this.#positional[this.#taken];
    if (operand?.kind !== 'word') return undefined;
    this.#taken++;
    return operand;
  }

  takeWord(word: string): boolean {
    const operand = this.#positional[this.#taken];
    if (operand?.kind !== 'word' || operand.word !== word) return false;
    this.#taken++;
    return true;
  }

  takeArea(): Operand | undefined {
    const operand = this.#positional[this.#taken];
    const isArea = operand?.kind === 'list' || (operand?.kind === 'word' && operand.word === 'CURRENT-SCREEN-POSITION');
    if (!isArea) return undefined;
    this.#taken++;
    return operand;
  }

  nextText(what: string): StringOperand | WordOperand | undefined {
    const operand = this.next();
    if (isText(operand)) return operand;
    return this.report(operand ?? this.place, `${what} is missing`);
  }

  rest(): Operand[] {
    const rest = this.#positional.slice(this.#taken);
    this.#taken = this.#positional.length;
    return rest.filter((operand) => operand.kind !== 'omitted');
  }

  optional(name: string): Operand | undefined {
    this.#known.add(name);
    const value = this.#keywords.get(name)?.value;
    if (value?.kind === 'omitted') return this.report(value, `${name}= has no value`);
    return value;
  }

  required(name: string): Operand | undefined {
    const value = this.optional(name);
    if (value === undefined && !this.#keywords.has(name)) this.report(this.place, `${name}= is missing`);
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    if (isText(value)) return value.text;
    return this.report(value, `${name}= must be a text in quotes`);
  }

  requiredText(name: string): string | undefined {
    if (this.required(name) === undefined) return undefined;
    return this.optionalText(name);
  }

  optionalSource(name: string): TextSource | undefined {
    const text = this.optionalText(name);
    return text === undefined ? undefined : textSource(text);
  }

  requiredSource(name: string): TextSource | undefined {
    const text = this.requiredText(name);
    return text === undefined ? undefined : textSource(text);
  }

  optionalInteger(name: string, least: number, most: number): number | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const number = integerOf(value);
    if (number !== undefined && number >= least && number <= most) return number;
    return this.report(value, `${name}= must be a whole number from ${least} to ${most}`);
  }

  optionalChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const word = value.kind === 'word' ? value.word : value.kind === 'string' ? value.text.toUpperCase() : '';
    const found = choices.find((choice) => choice === word);
    if (found === undefined) this.report(value, `${name}= must be ${listed(choices)}`);
    return found;
  }

  requiredList(name: string): ListOperand | undefined {
    const value = this.required(name);
    if (value === undefined || value.kind === 'list') return value;
    return this.report(value, `${name}= must be a list in parentheses`);
  }

  done(): void {
    for (const operand of this.rest())
      this.report(operand, `${this.#assembly.instruction.name} does not take this operand`);
    for (const keyword of this.#keywords.values()) {
      if (this.#known.has(keyword.name)) continue;
      const known = [...this.#known].map((name) => `${name}=`);
      this.report(
        keyword,
        `${keyword.name}= is not an operand here${known.length > 0 ? ` (known: ${known.join(', ')})` : ''}`,
      );
    }
  }
}

/** True for a quoted text or a bare word. Most operands do not accept `X'C1'` and `C'A'`. */
export function isText(operand: Operand | undefined): operand is StringOperand | WordOperand {
  return operand?.kind === 'string' || (operand?.kind === 'word' && !operand.text.includes("'"));
}

/** A text that begins with `*` means the first value of the variable with this name. */
export function textSource(text: string): TextSource {
  if (!text.startsWith('*') || text.length === 1) return { text: () => text, constant: text };
  const name = text.slice(1);
  return { text: (run) => run.textOfVariable(name), constant: undefined };
}

export function integerOf(operand: Operand): number | undefined {
  const text = operand.kind === 'word' || operand.kind === 'string' ? operand.text.trim() : '';
  return INTEGER.test(text) ? Number(text) : undefined;
}

export function listed(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

export function jumpTarget(assembly: Assembly, operand: Operand): JumpTarget | undefined {
  if (operand.kind === 'word') return assembly.jumpTo(operand.word, operand);
  return assembly.report(operand, 'a label was expected');
}

/** VAR=('from','to'). */
export function readVariablePair(operands: OperandReader): { from: string; to: string } | undefined {
  const list = operands.requiredList('VAR');
  if (list === undefined) return undefined;
  const [from, to, ...more] = list.items;
  const named = (operand: typeof from) => (isText(operand) ? operand.text : undefined);
  const [fromName, toName] = [named(from), named(to)];
  if (fromName !== undefined && toName !== undefined && more.length === 0) return { from: fromName, to: toName };
  return operands.report(list, "VAR= must name two variables: ('from','to')");
}
