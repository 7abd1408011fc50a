import {
  type Area,
  fieldAttributes,
  type ScreenChoice,
  type ScreenCondition,
  type TextCondition,
} from '../../../../src/tn3270/screen/screen-condition.js';
import { type WordKey, words } from '../../words/words.js';

export class CommandError extends Error {
  override readonly name = 'CommandError';
}

type Token =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'word' | 'sign'; readonly value: string };

const tokens = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d{1,9})(?![\w.])|([A-Za-z_]\w*)|([(),!]))/y;

export class CommandReading {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** @throws CommandError */
  constructor(line: string) {
    this.#tokens = tokensOf(line);
  }

  /** @throws CommandError if text is left */
  end(): void {
    if (this.#at < this.#tokens.length) throw new CommandError(words('syntax.more'));
  }

  takes(value: string): boolean {
    const next = this.#tokens[this.#at];
    const isThere = next !== undefined && next.kind !== 'text' && next.value === value;
    if (isThere) this.#at++;
    return isThere;
  }

  /** @throws CommandError */
  sign(value: string): void {
    if (!this.takes(value)) throw new CommandError(words('syntax.expectedSign', { sign: value }));
  }

  text(): string {
    return this.#take('text', 'syntax.text') as string;
  }

  number(): number {
    return this.#take('number', 'syntax.number') as number;
  }

  word(what: WordKey): string {
    return this.#take('word', what) as string;
  }

  /** Alternative screens: `text("MENU",1,2), text("F3=Exit") or blank()`. */
  screens(): ScreenChoice {
    const screens = [this.#conditions()];
    while (this.takes('or')) screens.push(this.#conditions());
    return screens;
  }

  /** `within 5`; undefined if missing. */
  within(): number | undefined {
    return this.takes('within') ? this.number() : undefined;
  }

  textCondition(): TextCondition {
    const condition = this.#condition();
    if (!('text' in condition)) throw new CommandError(words('syntax.textCondition'));
    return condition;
  }

  #conditions(): readonly ScreenCondition[] {
    const conditions = [this.#condition()];
    while (this.takes(',')) conditions.push(this.#condition());
    return conditions;
  }

  #condition(): ScreenCondition {
    const kind = this.word('syntax.condition');
    this.sign('(');
    const condition = this.#ofKind(kind);
    this.sign(')');
    return condition;
  }

  #ofKind(kind: string): ScreenCondition {
    switch (kind) {
      case 'text':
        return this.#text();
      case 'not':
        return { not: this.#condition() };
      case 'fields':
        return { fields: this.number() };
      case 'inputFields':
        return { inputFields: this.number() };
      case 'cursor':
        return { cursor: this.#place() };
      case 'attribute':
        return this.#attribute();
      case 'blank':
        return { blank: true };
      default:
        throw new CommandError(words('syntax.noCondition', { name: kind.slice(0, 30) }));
    }
  }

  #text(): TextCondition {
    const text = this.text();
    if (!this.takes(',')) return { text };
    if (this.takes('area')) {
      this.sign('(');
      const area = this.area();
      this.sign(')');
      return { text, area };
    }
    const row = this.number();
    return this.takes(',') ? { text, row, column: this.number() } : { text, row };
  }

  /** Row, column, last row, last column. */
  area(): Area {
    const [row, column] = this.#place();
    this.sign(',');
    return [row, column, ...this.#place()];
  }

  #place(): readonly [number, number] {
    const row = this.number();
    this.sign(',');
    return [row, this.number()];
  }

  #attribute(): ScreenCondition {
    const at = this.#place();
    const named: Partial<Record<(typeof fieldAttributes)[number], boolean>> = {};
    while (this.takes(',')) {
      const has = !this.takes('!');
      const name = fieldAttributes.find((one) => this.takes(one));
      if (name === undefined) throw new CommandError(words('syntax.attribute', { names: fieldAttributes.join(', ') }));
      named[name] = has;
    }
    return { attribute: { at, ...named } };
  }

  #take(kind: Token['kind'], what: WordKey): string | number {
    const next = this.#tokens[this.#at];
    if (next?.kind !== kind) throw new CommandError(words(what));
    this.#at++;
    return next.value;
  }
}

function tokensOf(line: string): Token[] {
  const found: Token[] = [];
  const rest = line.trimEnd();
  tokens.lastIndex = 0;
  while (tokens.lastIndex < rest.length) {
    const from = tokens.lastIndex;
    const match = tokens.exec(rest);
    if (match === null)
      throw new CommandError(words('syntax.unreadable', { text: rest.slice(from, from + 20).trim() }));
    const [, text, number, word, sign = ''] = match;
    if (text !== undefined) found.push({ kind: 'text', value: unquoted(text) });
    else if (number !== undefined) found.push({ kind: 'number', value: Number(number) });
    else found.push(word === undefined ? { kind: 'sign', value: sign } : { kind: 'word', value: word });
  }
  return found;
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new CommandError(words('syntax.quoted'));
  }
}
