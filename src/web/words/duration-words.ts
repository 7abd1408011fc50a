import type { PageLanguage } from './page-language.js';

interface DurationUnits {
  readonly moment: string;
  /** One of it, and more. */
  readonly minute: readonly [string, string];
  readonly hour: readonly [string, string];
  readonly day: readonly [string, string];
}

/** As they stand behind "for", "seit" and "depuis". */
const units: Readonly<Record<PageLanguage, DurationUnits>> = {
  en: { moment: 'a few seconds', minute: ['minute', 'minutes'], hour: ['hour', 'hours'], day: ['day', 'days'] },
  de: { moment: 'wenigen Sekunden', minute: ['Minute', 'Minuten'], hour: ['Stunde', 'Stunden'], day: ['Tag', 'Tagen'] },
  fr: { moment: 'quelques secondes', minute: ['minute', 'minutes'], hour: ['heure', 'heures'], day: ['jour', 'jours'] },
};

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** How long something has been so, in words. */
export function durationWords(seconds: number, language: PageLanguage): string {
  const { moment, minute, hour, day } = units[language];
  if (seconds < MINUTE) return moment;
  const [length, [one, more]] = seconds < HOUR ? [MINUTE, minute] : seconds < DAY ? [HOUR, hour] : [DAY, day];
  const count = Math.floor(seconds / length);
  return `${count} ${count === 1 ? one : more}`;
}
