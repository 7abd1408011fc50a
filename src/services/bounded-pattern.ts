import { RE2JS, RE2JSException } from 're2js';

/** Instructions of the program of one pattern: it compiles in a few milliseconds. */
const LARGEST_PATTERN = 2_500;
/** Of all patterns of a service together. */
const LARGEST_PATTERNS = 10_000;
/** Size of each pattern times the longest text that it is matched with, of a service: some 40 ms for a call (25 ns each). */
const MOST_PATTERN_WORK = 1_500_000;

type CompiledPattern =
  | { readonly kind: 'pattern'; readonly expression: RE2JS; readonly size: number }
  /** In words; it quotes only the pattern. */
  | { readonly kind: 'fault'; readonly fault: string };

/** Compiles a pattern, unless its size exceeds the bound. All patterns are compiled here. */
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

/** Compiles the patterns of one service, whose sizes are bounded together as well. */
export class ServicePatterns {
  #size = 0;
  #work = 0;

  /**
   * What is wrong with a pattern, in words; undefined: nothing.
   * @param longest characters of a text that it is matched with
   */
  faultOf(source: string, longest: number): string | undefined {
    const compiled = compilePattern(source);
    if (compiled.kind === 'fault') return compiled.fault;
    this.#size += compiled.size;
    if (this.#size > LARGEST_PATTERNS) {
      return `the patterns of the service up to this one have a size of ${this.#size}: expected at most ${LARGEST_PATTERNS}`;
    }
    this.#work += compiled.size * longest;
    if (this.#work <= MOST_PATTERN_WORK) return undefined;
    const words = `the sizes of the patterns up to this one times the maxLength of their texts make ${this.#work}`;
    return `${words}: expected at most ${MOST_PATTERN_WORK} (a smaller maxLength, or a simpler pattern)`;
  }
}

function tooLarge(size: number): CompiledPattern {
  const fault = `the pattern has a size of ${size}, as repetitions multiply: expected at most ${LARGEST_PATTERN}`;
  return { kind: 'fault', fault };
}

/** Of a character class by a Unicode property: its ranges are copied and merged, which takes as long as so many instructions. */
const PROPERTY = 100;
/** Characters of a range whose other cases are looked up in the time of one instruction. */
const FOLDED_CHARACTERS = 64;
/** Begins, ends and failure of every program. */
const FRAME = 5;
/** Where characters with several cases begin and end; a range of all of them is not looked through. */
const FIRST_FOLDED = 0x41;
const LAST_FOLDED = 0x1e943;
const LAST_CHARACTER = 0x10ffff;

const REPETITION = /\{(\d{1,8})(,(\d{0,8}))?\}/y;
const GROUP_NAME = /\?P?<[^>=!]*>/y;
const FLAGS = /\?[A-Za-z^-]*([:)])/y;
const IGNORES_CASE = /\(\?[A-Za-z^-]*i/;
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|.)?|x(?:\{([0-9A-Fa-f]*)\}?|([0-9A-Fa-f]{2}))|.|$)/suy;

interface Group {
  /** Of everything before it. */
  readonly before: number;
  readonly own: number;
}

/**
 * How large the program of a regular expression becomes, in instructions, without compiling it: repetitions multiply. It is an
 * upper bound for expressions that RE2 takes; what costs time but makes no instruction counts as well. Takes time by the length of
 * the source alone.
 */
export function patternSize(source: string): number {
  return new PatternMeasure(source).size();
}

class PatternMeasure {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  /** Classes are made once, however often they are repeated. */
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
        // a repetition behind flags repeats what stands before them
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
    // groups without an end are faults, and their sizes count all the same
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

  /** Size of a part with `{…}` behind it, of which the brace is read; undefined: it is text. */
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

  /** @returns what a group adds, with one instruction if it is empty; undefined: it sets flags, and is none */
  #groupStart(): number | undefined {
    if (this.#match(GROUP_NAME) !== undefined) return 3;
    const flags = this.#match(FLAGS);
    if (flags === undefined) return 3;
    return flags[1] === ')' ? undefined : 1;
  }

  /** Behind its backslash. */
  #escape(): number {
    if (this.#source[this.#at] === 'Q') return this.#quoted();
    const [text = ''] = this.#match(ESCAPE, this.#at - 1) ?? [];
    if (/^\\[pP]/.test(text)) this.#classes += PROPERTY;
    return 1;
  }

  /** The last character of `\Q…\E` is what a repetition behind it repeats; counting all of them counts too much, not too little. */
  #quoted(): number {
    const end = this.#source.indexOf('\\E', this.#at);
    const text = this.#source.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    return text.length;
  }

  /** Behind its bracket. */
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
    // a class is one instruction, and its ranges are sorted
    const length = this.#at - start;
    this.#at++;
    return 1 + Math.floor(length / 100);
  }

  /** @param otherwise the code of an escape that is not read here */
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
