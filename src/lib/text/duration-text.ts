const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Unit = 'second' | 'minute' | 'hour' | 'day';

const englishUnits: Readonly<Record<Unit, string>> = { second: 's', minute: 'min', hour: 'h', day: 'd' };
/** Made at first use, because each loads the rules of a language. */
const formats = new Map<string, Intl.NumberFormat>();

/** At most two units: `45 s`, `7 min`, `2 h 5 min`, `3 d 4 h`; `2 Std. 5 Min.`. */
export function durationText(milliseconds: number, language: string = 'en'): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const parts: readonly (readonly [number, Unit])[] =
    seconds < MINUTE
      ? [[seconds, 'second']]
      : seconds < HOUR
        ? [[Math.floor(seconds / MINUTE), 'minute']]
        : seconds < DAY
          ? twoUnits(Math.floor(seconds / HOUR), 'hour', Math.floor((seconds % HOUR) / MINUTE), 'minute')
          : twoUnits(Math.floor(seconds / DAY), 'day', Math.floor((seconds % DAY) / HOUR), 'hour');
  return parts.map(([count, unit]) => unitText(count, unit, language)).join(' ');
}

function twoUnits(many: number, unit: Unit, rest: number, smaller: Unit): readonly (readonly [number, Unit])[] {
  return rest === 0
    ? [[many, unit]]
    : [
        [many, unit],
        [rest, smaller],
      ];
}

function unitText(count: number, unit: Unit, language: string): string {
  if (language === 'en') return `${count} ${englishUnits[unit]}`;
  const key = `${language} ${unit}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });
    formats.set(key, format);
  }
  return format.format(count);
}
