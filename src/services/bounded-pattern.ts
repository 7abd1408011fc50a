import { RE2JS, RE2JSException } from 're2js';
import { patternSize } from './pattern-size.js';

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
