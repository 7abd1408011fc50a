/** A sign before the digits or behind them, or none; CR and DB, which COBOL shows where an amount is negative. */
const signed = /^(?:[+-] *([\d.,]+)|([\d.,]+) *(?:[+-]|CR|DB)?)$/i;
const whole = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/;
const decimal = /^(?:(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?|\.\d+)$/;
const MOST_DIGITS = 40;

/** As what services would read a text, where a decimal point stands before decimals: what is no number is text. */
export function kindOfText(text: string): 'string' | 'integer' | 'decimal' {
  const [, behind, before = behind] = signed.exec(text.trim()) ?? [];
  if (before === undefined) return 'string';
  const digits = before.replace(/\D/g, '');
  if (whole.test(before) && Number.isSafeInteger(Number(digits))) return 'integer';
  return decimal.test(before) && digits.length <= MOST_DIGITS ? 'decimal' : 'string';
}
