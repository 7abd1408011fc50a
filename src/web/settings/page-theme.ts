import type { IncomingMessage } from 'node:http';
import { themes } from '../../terminal/settings/terminal-settings.js';

const THEME_VARIABLE = '$THEME$';
/** There where the theme is that of colours of one's own, which the browser has: they are no business of the server's. */
const OWN_COLOURS_VARIABLE = '$OWN-COLOURS$';
/** Set by the script of the terminal page, which is then in these colours before the script runs; what it says is no secret. */
const THEME_COOKIE = /(?:^|;)\s*sallyport-theme=([a-z\d-]{1,32})\s*(?:;|$)/;

/** The theme that a page begins with; empty where the browser has said none that there is. */
export function pageTheme({ headers }: IncomingMessage): (variable: string) => readonly string[] | undefined {
  return (variable) => {
    const name = variable.toUpperCase();
    if (name !== THEME_VARIABLE && name !== OWN_COLOURS_VARIABLE) return undefined;
    const said = THEME_COOKIE.exec(headers.cookie ?? '')?.[1];
    const theme = themes.find((known) => known === said && known !== 'system') ?? '';
    if (name === THEME_VARIABLE) return [theme];
    return theme === 'own' ? [theme] : undefined;
  };
}
