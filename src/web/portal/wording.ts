/*
 * How pages write numbers, times and names. All of it is text, escaped by templates.
 */

/** Made when the first number is shown: it loads the rules of a language, which takes a fiftieth of the start of a server. */
let numbers: Intl.NumberFormat | undefined;

/** `1 macro`, `2 macros`, `1,024 bytes`. */
export function counted(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2026-11-21 10:17:44 UTC`. */
export function instantText(instant: Date | string): string {
  const iso = typeof instant === 'string' ? instant : instant.toISOString();
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

/** At most that many characters, and a sign that there are more. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${counted(text.length - shown.length, 'more character')})`;
}

/** A list for a sentence: `ANNA, BERT, CARL and 12 more`. */
/** @param all how many there are, if `names` has only the first ones */
export function namesText(names: readonly string[], most: number, all = names.length): string {
  const shown = names.slice(0, most).join(', ');
  return all > most ? `${shown} and ${numberText(all - most)} more` : shown;
}

function numberText(number: number): string {
  numbers ??= new Intl.NumberFormat('en');
  return numbers.format(number);
}
