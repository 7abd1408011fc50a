/** A sign before or after the digits, or none; CR and DB, which COBOL uses for negative amounts. */
const signed = /^(?:[+-] *([\d.,]+)|([\d.,]+) *(?:[+-]|CR|DB)?)$/i;
const whole = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/;
const decimal = /^(?:(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?|\.\d+)$/;
const MOST_DIGITS = 40;

/** Type that a service would give a text, with a decimal point. Text that is not a number is a string. */
export function kindOfText(text: string): 'string' | 'integer' | 'decimal' {
  const [, behind, before = behind] = signed.exec(text.trim()) ?? [];
  if (before === undefined) return 'string';
  const digits = before.replace(/\D/g, '');
  if (whole.test(before) && Number.isSafeInteger(Number(digits))) return 'integer';
  return decimal.test(before) && digits.length <= MOST_DIGITS ? 'decimal' : 'string';
}
