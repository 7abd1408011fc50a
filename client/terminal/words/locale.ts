/** Locale for dates and times: the language of the page, with the region of the browser's user, such as British English. */
export function userLocale(): string | undefined {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one === lang || one.startsWith(`${lang}-`)) ?? (lang || undefined);
}

/** A file size: 8 MB. A megabyte is 1,048,576 bytes. */
export function sizeText(bytes: number): string {
  const [divisor, unit] = bytes < 1_048_576 ? [1_024, 'kilobyte'] : [1_048_576, 'megabyte'];
  const format = new Intl.NumberFormat(userLocale(), { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(Math.floor((bytes / divisor) * 10) / 10);
}
