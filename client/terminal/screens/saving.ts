import type { KeptScreen, PicturedScreen } from '../model/screen-history.js';
import { saveFile } from '../save-file.js';
import { hostKeyWords } from '../terminal-keys.js';
import { userLocale } from '../words/locale.js';
import { words } from '../words/words.js';
import { pictureText, styledRows } from './picture.js';

export function screenTitle({ number, at, key }: KeptScreen): string {
  const time = new Date(at).toLocaleTimeString(userLocale());
  return key === undefined
    ? words('history.screen', { number, time })
    : words('history.screenKey', { number, time, key: hostKeyWords(key) });
}

export function saveAsText(screens: readonly (PicturedScreen | KeptScreen)[]): void {
  const parts = screens.map((screen) =>
    screens.length > 1 && 'number' in screen ? `${screenTitle(screen)}\n\n${pictureText(screen)}` : pictureText(screen),
  );
  download(new Blob([`${parts.join('\n\n')}\n`], { type: 'text/plain' }), 'txt');
}

/** A standalone page in the screen's colours. @param like an element with these colours */
export function saveAsPage(screens: readonly (PicturedScreen | KeptScreen)[], like: HTMLElement): void {
  const classes = new Map<string, string>();
  const classOf = (style: string) => {
    const known = classes.get(style) ?? `s${classes.size}`;
    classes.set(style, known);
    return known;
  };
  const parts = screens.map((screen) => {
    const rows = styledRows(screen).map((row) =>
      row.map(({ text, style }) => `<span class="${classOf(style)}">${escaped(text)}</span>`).join(''),
    );
    const title = 'number' in screen ? `<h2>${escaped(screenTitle(screen))}</h2>\n` : '';
    return `${title}<pre>${rows.join('\n')}</pre>`;
  });
  const { backgroundColor } = getComputedStyle(like);
  const rules = [...classes].map(([style, name]) => `.${name} { ${declarations(style, like)} }`);
  const page = `<!DOCTYPE html>
<html lang="${escaped(document.documentElement.lang || 'en')}">
<head>
<meta charset="utf-8">
<title>${escaped(document.title)}</title>
<style>
pre { display: inline-block; padding: 1em; background: ${backgroundColor}; font: 1rem/1.2 monospace; }
${rules.join('\n')}
</style>
</head>
<body>
${parts.join('\n')}
</body>
</html>
`;
  download(new Blob([page], { type: 'text/html' }), 'html');
}

function declarations(style: string, like: HTMLElement): string {
  const probe = document.createElement('span');
  probe.className = style;
  like.append(probe);
  const { color, backgroundColor, fontWeight, textDecorationLine, webkitTextFillColor } = getComputedStyle(probe);
  probe.remove();
  return [
    `color: ${webkitTextFillColor || color}`,
    `background: ${backgroundColor}`,
    `font-weight: ${fontWeight}`,
    `text-decoration: ${textDecorationLine}`,
  ].join('; ');
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] as string);
}

function download(content: Blob, ending: string): void {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [two(now.getHours()), two(now.getMinutes()), two(now.getSeconds())].join('-');
  saveFile(content, `screen-${day}-${time}.${ending}`);
}
