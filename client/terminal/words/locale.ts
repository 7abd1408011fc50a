/** For dates and times: the language of the page, as the browser's user writes it, who may not write English as in America. */
export function userLocale(): string | undefined {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one === lang || one.startsWith(`${lang}-`)) ?? (lang || undefined);
}
