import {
  type CountedKey,
  countText,
  type Detail,
  detailText,
  isForeign,
  type Language,
  languages,
  locales,
} from '../../lib/locale.js';
import { filled, type Values } from '../../lib/text/catalogue-text.js';
import { durationText } from '../../lib/text/duration-text.js';
import { dayText, instantText } from '../../lib/text/instant-text.js';

type PortalWords = (typeof locales)['en']['portal'];
/** A key of the section `portal` in `locales/`. */
export type PortalWord = keyof PortalWords;

/** Writes texts, numbers, times and names for pages of the portal. Templates escape all of it. */
export class PortalWording {
  readonly language: Language;
  /** Made at first use, because it loads the rules of a language. */
  #numbers: Intl.NumberFormat | undefined;

  private constructor(language: Language) {
    this.language = language;
  }

  static readonly #all = new Map(languages.map((language) => [language, new PortalWording(language)]));

  static of(language: Language): PortalWording {
    return PortalWording.#all.get(language) ?? new PortalWording(language);
  }

  text(word: PortalWord, values?: Values): string {
    return filled(locales[this.language].portal[word], values);
  }

  /** The form of a text for a number: `1 macro`, `2 macros`, `1,024 bytes`. */
  counted(key: CountedKey<PortalWords>, count: number, values: Values = {}): string {
    const all = { count: this.number(count), ...values };
    return countText(locales[this.language].portal, key, count, this.language, all);
  }

  number(number: number): string {
    this.#numbers ??= new Intl.NumberFormat(this.language);
    return this.#numbers.format(number);
  }

  /** `2026-11-21 10:17:44 UTC`, `21.11.2026, 10:17:44 UTC`. */
  instant(instant: Date | string | number): string {
    return instantText(typeof instant === 'number' ? new Date(instant) : instant, this.language);
  }

  /** @param day as in ISO 8601 */
  day(day: string): string {
    return dayText(day, this.language);
  }

  duration(milliseconds: number): string {
    return durationText(milliseconds, this.language);
  }

  /** Truncates a text and adds the number of omitted characters. */
  cut(text: string, most: number): string {
    if (text.length <= most) return text;
    const shown = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
    return this.counted('cut', text.length - shown.length, { text: shown });
  }

  /**
   * A list for a sentence: `ANNA, BERT, CARL and 12 more`.
   * @param all number of names if `names` has only the first ones
   */
  names(names: readonly string[], most: number, all = names.length): string {
    const shown = names.slice(0, most).join(', ');
    return all > most ? this.text('namesAndMore', { names: shown, more: this.number(all - most) }) : shown;
  }

  detail(detail: Detail): string {
    return detailText(detail, this.language);
  }

  /** Language of a detail: texts of other programs are in English. */
  languageOf(detail: Detail): Language {
    return isForeign(detail) ? 'en' : this.language;
  }
}
