import type { IncomingMessage } from 'node:http';
import { themes } from '../../terminal-settings/terminal-settings.js';

const THEME_VARIABLE = '$THEME$';
/** Set by the script of the terminal page, which is then in these colours before the script runs; what it says is no secret. */
const THEME_COOKIE = /(?:^|;)\s*sallyport-theme=([a-z\d-]{1,32})\s*(?:;|$)/;

/** The theme that a page begins with; empty where the browser has said none that there is. */
export function pageTheme({ headers }: IncomingMessage): (variable: string) => readonly string[] | undefined {
  return (variable) => {
    if (variable.toUpperCase() !== THEME_VARIABLE) return undefined;
    const said = THEME_COOKIE.exec(headers.cookie ?? '')?.[1];
    return [themes.find((theme) => theme === said && theme !== 'system') ?? ''];
  };
}
