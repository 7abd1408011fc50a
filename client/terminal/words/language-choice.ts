import type { Settings } from '../settings/settings.js';

/** Read by the server, which writes the page in that language. */
const COOKIE = 'sallyport-language';
const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Reloads the page if the user has set another language. The session continues, and unsent input is kept.
 */
export function followLanguageSetting(settings: Settings): void {
  const chosen = settings.get('language');
  // if the cookie already has this language, the server does not support it
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
