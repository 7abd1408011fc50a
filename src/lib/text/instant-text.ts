/** Made at first use, because it loads the rules of a language. */
const formats = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, Intl.DateTimeFormat>();

/** English has the ISO form, because dates in numbers differ between its countries: `2026-11-21 10:17:44 UTC`. */
export function instantText(instant: Date | string, language: string): string {
  if (language === 'en') {
    const iso = typeof instant === 'string' ? instant : instant.toISOString();
    return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  }
  return `${formatOf(formats, language, true).format(new Date(instant))} UTC`;
}

/** @param day as in ISO 8601: `2026-11-21` */
export function dayText(day: string, language: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return language === 'en' || Number.isNaN(date.getTime()) ? day : formatOf(days, language, false).format(date);
}

function formatOf(known: Map<string, Intl.DateTimeFormat>, language: string, hasTime: boolean): Intl.DateTimeFormat {
  let format = known.get(language);
  if (format === undefined) {
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat(language, {
      timeZone: 'UTC',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      ...(hasTime ? time : {}),
    });
    known.set(language, format);
  }
  return format;
}
