import { RE2JS, RE2JSException } from 're2js';

/** Instructions of one pattern's program. A program of this size compiles in a few milliseconds. */
const LARGEST_PATTERN = 2_500;
const LARGEST_PATTERNS = 10_000;
/** Sum over the patterns of a service: pattern size times longest text. About 40 ms per call (25 ns each). */
const MOST_PATTERN_WORK = 1_500_000;

type CompiledPattern =
  | { readonly kind: 'pattern'; readonly expression: RE2JS; readonly size: number }
  /** Quotes only the pattern, never a value. */
  | { readonly kind: 'fault'; readonly fault: string };

export function compilePattern(source: string): CompiledPattern {
  const size = patternSize(source);
  if (size > LARGEST_PATTERN) return tooLarge(size);
  try {
    const expression = RE2JS.compile(source);
    const compiled = expression.programSize();
    return compiled > LARGEST_PATTERN ? tooLarge(compiled) : { kind: 'pattern', expression, size };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const fault = `expected a regular expression without look-around and back-references: ${error.message}`;
    return { kind: 'fault', fault };
  }
}

export class ServicePatterns {
  #size = 0;
  #work = 0;

  faultOf(source: string, longest: number): string | undefined {
    const compiled = compilePattern(source);
    if (compiled.kind === 'fault') return compiled.fault;
    this.#size += compiled.size;
    if (this.#size > LARGEST_PATTERNS) {
      return `the patterns of the service up to this one have a size of ${this.#size}: expected at most ${LARGEST_PATTERNS}`;
    }
    this.#work += compiled.size * longest;
    if (this.#work <= MOST_PATTERN_WORK) return undefined;
    const words = `the sum of size times maxLength of the patterns up to this one is ${this.#work}`;
    return `${words}: expected at most ${MOST_PATTERN_WORK} (a smaller maxLength, or a simpler pattern)`;
  }
}

function tooLarge(size: number): CompiledPattern {
  const fault = `the pattern has a size of ${size}, as repetitions multiply: expected at most ${LARGEST_PATTERN}`;
  return { kind: 'fault', fault };
}

/** Instructions that a character class by Unicode property counts as: its ranges are copied and merged. */
const PROPERTY = 100;
/** Number of characters of a range whose case variants are looked up in the time of one instruction. */
const FOLDED_CHARACTERS = 64;
const FRAME = 5;
/** First and last character with several cases. RE2 does not scan a range that contains all of them. */
const FIRST_FOLDED = 0x41;
const LAST_FOLDED = 0x1e943;
const LAST_CHARACTER = 0x10ffff;

const REPETITION = /\{(\d{1,8})(,(\d{0,8}))?\}/y;
const GROUP_NAME = /\?P?<[^>=!]*>/y;
const FLAGS = /\?[A-Za-z^-]*([:)])/y;
const IGNORES_CASE = /\(\?[A-Za-z^-]*i/;
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|.)?|x(?:\{([0-9A-Fa-f]*)\}?|([0-9A-Fa-f]{2}))|.|$)/suy;

interface Group {
  readonly before: number;
  readonly own: number;
}

/**
 * Upper bound for the size of a regular expression's program in instructions, calculated in linear time without
 * compiling it. Repetitions multiply. The bound holds for expressions that RE2 accepts; work that takes time but no
 * instruction counts as well.
 */
export function patternSize(source: string): number {
  return new PatternMeasure(source).size();
}

class PatternMeasure {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  #classes = 0;

  constructor(source: string) {
    this.#source = source;
    this.#ignoresCase = IGNORES_CASE.test(source);
  }

  size(): number {
    const groups: Group[] = [];
    let sum = 0;
    let last = 0;
    const take = (size: number) => {
      sum += last;
      last = size;
    };
    while (this.#at < this.#source.length) {
      const character = this.#next();
      if (character === '\\') take(this.#escape());
      else if (character === '[') take(this.#class());
      else if (character === '(') {
        const own = this.#groupStart();
        // a repetition after flags repeats the part before them
        if (own === undefined) continue;
        take(0);
        groups.push({ before: sum, own });
        sum = 0;
      } else if (character === ')') {
        const { before, own } = groups.pop() ?? { before: 0, own: 0 };
        last = sum + last + own;
        sum = before;
      } else if (character === '|') {
        take(2);
        take(0);
      } else if (character === '*' || character === '+' || character === '?') last += 2;
      else if (character === '{') {
        const repeated = this.#repeated(last);
        if (repeated === undefined) take(1);
        else last = Math.min(repeated, Number.MAX_SAFE_INTEGER);
      } else take(1);
    }
    // unclosed groups are faults; their sizes count as well
    return groups.reduce((size, { before }) => size + before, sum + last) + this.#classes + FRAME;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #match(expression: RegExp, at = this.#at): RegExpExecArray | undefined {
    expression.lastIndex = at;
    const found = expression.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at = expression.lastIndex;
    return found;
  }

  /** Size of a part followed by `{…}`, of which the brace has been read. Returns undefined if `{…}` is literal text. */
  #repeated(part: number): number | undefined {
    const found = this.#match(REPETITION, this.#at - 1);
    if (found === undefined) return undefined;
    const [, least = '', further, most = ''] = found;
    const from = Number(least);
    if (further === undefined) return part * Math.max(1, from);
    if (most === '') return part * Math.max(1, from) + 2;
    const to = Math.max(1, Number(most));
    return part * to + Math.max(1, to - from);
  }

  /** @returns instructions that a group adds, at least one if it is empty; undefined if it only sets flags */
  #groupStart(): number | undefined {
    if (this.#match(GROUP_NAME) !== undefined) return 3;
    const flags = this.#match(FLAGS);
    if (flags === undefined) return 3;
    return flags[1] === ')' ? undefined : 1;
  }

  #escape(): number {
    if (this.#source[this.#at] === 'Q') return this.#quoted();
    const [text = ''] = this.#match(ESCAPE, this.#at - 1) ?? [];
    if (/^\\[pP]/.test(text)) this.#classes += PROPERTY;
    return 1;
  }

  /** A repetition after `\Q…\E` repeats only the last character. Counting all characters gives an upper bound. */
  #quoted(): number {
    const end = this.#source.indexOf('\\E', this.#at);
    const text = this.#source.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    return text.length;
  }

  #class(): number {
    if (this.#source[this.#at] === '^') this.#at++;
    const start = this.#at;
    let isFirst = true;
    while (this.#at < this.#source.length && (isFirst || this.#source[this.#at] !== ']')) {
      isFirst = false;
      const named = this.#source.startsWith('[:', this.#at) ? this.#source.indexOf(':]', this.#at) : -1;
      if (named >= 0) {
        this.#at = named + 2;
        continue;
      }
      const first = this.#classCharacter(0);
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange || this.#at + 1 >= this.#source.length) continue;
      this.#at++;
      this.#folded(first, this.#classCharacter(LAST_CHARACTER));
    }
    // a class is one instruction; the term below is for sorting its ranges
    const length = this.#at - start;
    this.#at++;
    return 1 + Math.floor(length / 100);
  }

  /** @param otherwise code for escapes that have no numeric value here */
  #classCharacter(otherwise: number): number {
    const character = this.#next();
    if (character !== '\\') return character.codePointAt(0) ?? otherwise;
    const [text = '', braced, plain] = this.#match(ESCAPE, this.#at - 1) ?? [];
    if (/^\\[pP]/.test(text)) this.#classes += PROPERTY;
    const digits = braced ?? plain;
    return digits === undefined || digits === '' ? otherwise : Number.parseInt(digits, 16);
  }

  #folded(first: number, last: number): void {
    if (!this.#ignoresCase || (first <= FIRST_FOLDED && last >= LAST_FOLDED)) return;
    const characters = Math.min(last, LAST_FOLDED) - Math.max(first, FIRST_FOLDED);
    if (characters > 0) this.#classes += Math.floor(characters / FOLDED_CHARACTERS);
  }
}
