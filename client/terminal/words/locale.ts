/** For dates and times: the language of the page, as the browser's user writes it, who may not write English as in America. */
export function userLocale(): string | undefined {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one === lang || one.startsWith(`${lang}-`)) ?? (lang || undefined);
}

/** A size as files have it: 8 MB. A megabyte is 1,048,576 bytes. */
export function sizeText(bytes: number): string {
  const [divisor, unit] = bytes < 1_048_576 ? [1_024, 'kilobyte'] : [1_048_576, 'megabyte'];
  const format = new Intl.NumberFormat(userLocale(), { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(Math.floor((bytes / divisor) * 10) / 10);
}
