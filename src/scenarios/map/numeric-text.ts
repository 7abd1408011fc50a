import { codePointCount } from '../../lib/text/code-points.js';
import { placeholderCount } from './area-pattern.js';
import type { AreaContent, AreaDefinition } from './definition.js';

/** Why the digits in an area are not the number in the document. */
export type NumericFault =
  /** The value is not a number, although the map declares it as one. */
  | 'notNumeric'
  /** The area is too short for the digits before the decimal point. */
  | 'integerDigitsCut';

/** Contents that the map declares as numbers. */
const numericContents: ReadonlySet<AreaContent> = new Set(['9', 'S9']);
/** Contents that keep digits of the value. */
const digitContents: ReadonlySet<AreaContent> = new Set([...numericContents, 'ONLY9', 'ONLY9-LEFT-ALIGNED']);

/** XML Schema's double and decimal, and JSON's number. The groups: sign, integer digits, fraction digits, exponent. */
const exponentForm = /^([+-]?)(\d*)\.?(\d*)[eE]([+-]?\d{1,5})$/;
const plainNumber = /^[+-]?(\d+)?(?:[.,](\d*))?[+-]?$/;
/** A double needs at most 324; a longer row of zeros is not a value that anybody means. */
const MOST_ZEROS = 400;

/**
 * A number in exponent form as a plain decimal: `7.236E-05` is `0.00007236`. Any other text is returned as it is, also a
 * number that needs more than 400 zeros.
 */
export function plainDecimal(content: AreaContent, value: string): string {
  if (!digitContents.has(content)) return value;
  const [, sign = '', integer = '', fraction = '', exponent = ''] = exponentForm.exec(value.trim()) ?? [];
  const digits = integer + fraction;
  if (digits === '') return value;
  const point = integer.length + Number(exponent);
  if (point < -MOST_ZEROS || point - digits.length > MOST_ZEROS) return value;
  const whole = digits
    .slice(0, Math.max(0, point))
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '');
  const rest = '0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point));
  return `${sign}${whole || '0'}${rest === '' ? '' : `.${rest}`}`;
}

/** @param value as `plainDecimal` returns it; blank: there is no value, and no fault */
export function numericFault({ content, length, pattern }: AreaDefinition, value: string): NumericFault | undefined {
  const text = value.trim();
  if (!numericContents.has(content) || text === '') return undefined;
  const [whole, integer = ''] = plainNumber.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole)) return 'notNumeric';
  if (length === undefined) return undefined;
  const room = pattern === undefined ? length : Math.min(length, placeholderCount(pattern));
  const signs = /[+-]/.test(text) ? 1 : 0;
  return codePointCount(integer) + signs > room ? 'integerDigitsCut' : undefined;
}
