import type { Settings } from './settings.js';

/** The server reads this cookie, so that the next page has the colours before scripts run. */
const COOKIE = 'sallyport-theme';
const ONE_YEAR_SECONDS = 31_536_000;

export function rememberTheme(settings: Settings): void {
  const remember = () => {
    const theme = settings.get('theme');
    if (theme === rememberedTheme()) return;
    const age = theme === 'system' ? 0 : ONE_YEAR_SECONDS;
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers, nor without TLS
    document.cookie = `${COOKIE}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
  };
  remember();
  settings.listen(remember);
}

function rememberedTheme(): string {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z\\d-]+)`).exec(document.cookie)?.[1] ?? 'system';
}
