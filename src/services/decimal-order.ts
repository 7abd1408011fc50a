/** Digits that any number here has before and behind its decimal point, at most. */
const MOST_DIGITS = 30;

/**
 * Compares two decimal numbers as they are written; numbers of JavaScript would take two for the same that differ far behind.
 * @param one digits, with a minus sign before and a full stop among them where there is one
 * @returns negative where `one` is less, 0 where they are equal
 */
export function compareDecimals(one: string, other: string): number {
  const [left, right] = [scaled(one), scaled(other)];
  return left < right ? -1 : Number(left > right);
}

/** In units of the thirtieth decimal. */
function scaled(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + decimals.padEnd(MOST_DIGITS, '0'));
  return text.startsWith('-') ? -size : size;
}
