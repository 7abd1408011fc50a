export type ValueType =
  /** Blanks at both ends are removed. */
  | { readonly as?: 'string' }
  | { readonly as: 'integer' | 'boolean' }
  /** `decimalMark`: character before the decimals. Default: a full stop. */
  | { readonly as: 'decimal'; readonly decimalMark?: '.' | ',' }
  /** `pattern`: YYYY or YY, MM or MMM (JAN), DD, DDD (day of the year), and any other characters as separators. */
  | { readonly as: 'date'; readonly pattern: string };

/** Decimals are text with the digits of the host; dates are `2026-11-22`. */
export type ExtractedValue = string | number | boolean;

/** A value that does not have the expected type, without the displayed text. */
export class ValueFault {
  readonly expected: string;

  constructor(expected: string) {
    this.expected = expected;
  }
}

const MOST_DIGITS = 40;

export function readValue(text: string, type: ValueType): ExtractedValue | ValueFault {
  const trimmed = text.trim();
  switch (type.as) {
    case 'integer':
      return integerOf(trimmed);
    case 'decimal':
      return decimalOf(trimmed, type.decimalMark ?? '.');
    case 'boolean':
      return booleans.get(trimmed.toUpperCase()) ?? new ValueFault('Y or N, YES or NO, TRUE or FALSE, 1 or 0');
    case 'date':
      return dateOf(trimmed, type.pattern);
    default:
      return trimmed;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ Y: true, YES: true, TRUE: true, 1: true, N: false, NO: false, FALSE: false, 0: false }),
);

/**
 * At most one sign, before or after the digits (COBOL's `-9`, `9-`), or CR or DB after them, which COBOL displays only
 * for negative amounts. Blanks are allowed between sign and digits.
 */
const signed = /^([+-]?) *([\d.,]+) *([+-]|CR|DB)?$/i;

function splitSign(text: string): { readonly digits: string; readonly isNegative: boolean } | undefined {
  const [, before = '', digits = '', behind = ''] = signed.exec(text) ?? [];
  if (digits === '' || digits.length > 2 * MOST_DIGITS || (before !== '' && behind !== '')) return undefined;
  return { digits, isNegative: before === '-' || (behind !== '' && behind !== '+') };
}

function integerOf(text: string): number | ValueFault {
  const found = splitSign(text);
  const digits = found === undefined ? undefined : withoutGroups(found.digits, ',');
  const value = Number(digits);
  // larger integers would lose precision
  if (found === undefined || digits === undefined || !Number.isSafeInteger(value)) {
    return new ValueFault('an integer of at most 15 digits');
  }
  return found.isNegative && value !== 0 ? -value : value;
}

function decimalOf(text: string, mark: '.' | ','): string | ValueFault {
  const fault = new ValueFault(`a decimal number with "${mark}" before its decimals`);
  const found = splitSign(text);
  if (found === undefined) return fault;
  const [whole = '', decimals, ...further] = found.digits.split(mark);
  const digits = whole === '' && decimals !== undefined ? '0' : withoutGroups(whole, mark === '.' ? ',' : '.');
  if (digits === undefined || further.length > 0 || (decimals !== undefined && !/^\d+$/.test(decimals))) return fault;
  if (digits.length + (decimals ?? '').length > MOST_DIGITS) return fault;
  const number = digits.replace(/^0+(?=\d)/, '') + (decimals === undefined ? '' : `.${decimals}`);
  return found.isNegative && /[1-9]/.test(number) ? `-${number}` : number;
}

/** Either no separators, or one after each group of three digits. */
function withoutGroups(digits: string, separator: ',' | '.'): string | undefined {
  if (/^\d+$/.test(digits)) return digits;
  const groups = digits.split(separator);
  const isGrouped = groups.every((group, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group));
  return isGrouped ? groups.join('') : undefined;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const parts: Readonly<Record<string, string>> = {
  YYYY: '(?<YYYY>\\d{4})',
  YY: '(?<YY>\\d{2})',
  MMM: '(?<MMM>[A-Za-z]{3})',
  MM: '(?<MM>\\d{2})',
  DDD: '(?<DDD>\\d{3})',
  DD: '(?<DD>\\d{2})',
};
const tokens = /YYYY|YY|MMM|MM|DDD|DD/g;
const LONGEST_PATTERN = 40;
/** Two-digit years below 69 are in this century (POSIX, strptime %y). */
const PIVOT = 69;
const MILLISECONDS_OF_DAY = 86_400_000;

export function datePatternFault(pattern: string): string | undefined {
  const found = pattern.match(tokens) ?? [];
  const has = (...names: string[]) => found.filter((token) => names.includes(token)).length;
  if (pattern.length > LONGEST_PATTERN) return `a pattern has at most ${LONGEST_PATTERN} characters`;
  const isDay = has('DDD') === 1 ? has('DD', 'MM', 'MMM') === 0 : has('DD') === 1 && has('MM', 'MMM') === 1;
  return has('YYYY', 'YY') === 1 && isDay
    ? undefined
    : 'a date has YYYY or YY, and MM or MMM with DD, or DDD, each once';
}

function dateOf(text: string, pattern: string): string | ValueFault {
  const fault = new ValueFault(`a date like ${pattern}`);
  if (datePatternFault(pattern) !== undefined) return fault;
  const source = pattern.replace(/[^\w ]/g, '\\$&');
  const groups = new RegExp(`^${source.replace(tokens, (token) => parts[token] ?? token)}$`).exec(text)?.groups;
  if (groups === undefined) return fault;
  const short = Number(groups.YY);
  const year = groups.YYYY === undefined ? short + (short < PIVOT ? 2_000 : 1_900) : Number(groups.YYYY);
  const month = groups.MMM === undefined ? Number(groups.MM) : months.indexOf(groups.MMM.toUpperCase()) + 1;
  const [first, day] = groups.DDD === undefined ? [month, Number(groups.DD)] : [1, Number(groups.DDD)];
  const date = new Date(0);
  date.setUTCFullYear(year, first - 1, day);
  const isSame = groups.DDD === undefined ? date.getUTCMonth() === first - 1 && date.getUTCDate() === day : day >= 1;
  return year >= 1 && isSame && date.getUTCFullYear() === year ? date.toISOString().slice(0, 10) : fault;
}

/** Undefined if the pattern has a two-digit year that would be read as another year. */
export function dateText(
  [year, month, day]: readonly [year: number, month: number, day: number],
  pattern: string,
): string | undefined {
  const isShort = !pattern.includes('YYYY');
  if (isShort && (year < 1_900 + PIVOT || year >= 2_000 + PIVOT)) return undefined;
  const dayOfYear =
    (Date.UTC(2_000 + (year % 400), month - 1, day) - Date.UTC(2_000 + (year % 400), 0, 0)) / MILLISECONDS_OF_DAY;
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  const texts: Readonly<Record<string, string | undefined>> = {
    YYYY: digits(year, 4),
    YY: digits(year % 100, 2),
    MMM: months[month - 1],
    MM: digits(month, 2),
    DDD: digits(dayOfYear, 3),
    DD: digits(day, 2),
  };
  return pattern.replace(tokens, (token) => texts[token] ?? token);
}
