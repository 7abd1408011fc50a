import type { Settings } from '../settings/settings.js';

/** Read by the server, which writes the page in that language. */
const COOKIE = 'sallyport-language';
const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Has the page made anew in the language that the user has set, where it is in another: the session goes on, and what was typed
 * stays.
 */
export function followLanguageSetting(settings: Settings): void {
  const chosen = settings.get('language');
  // where the cookie says so already, the server does not have this language
  if (chosen !== 'browser' && chosen !== document.documentElement.lang && languageInCookie() !== chosen) {
    makeAnewIn(chosen);
    return;
  }
  settings.listen((changed) => {
    if (changed.has('language')) makeAnewIn(settings.get('language'));
  });
}

function makeAnewIn(language: string): void {
  const age = language === 'browser' ? 0 : ONE_YEAR_SECONDS;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers, nor without TLS
  document.cookie = `${COOKIE}=${language}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
  location.reload();
}

function languageInCookie(): string | undefined {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z]{2})`).exec(document.cookie)?.[1];
}
