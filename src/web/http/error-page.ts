import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../lib/errors.js';
import { errorPageWords } from '../words/error-words.js';
import { detailWords } from '../words/field-refusal-words.js';
import type { PageLanguage } from '../words/page-language.js';

/** The look of public/sallyport.css: a line need not serve that file, and an error page loads nothing. */
const ERROR_PAGE_STYLE =
  ':root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--text:#1b2430;--quiet:#556273;--edge:#d5dbe3;--accent:#0b5cad}' +
  '@media (prefers-color-scheme:dark){:root{--ground:#11161d;--card:#1a212b;--text:#e8edf3;--quiet:#a3b0bf;--edge:#323d4b;--accent:#6cb2ff}}' +
  '*{box-sizing:border-box}' +
  'body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  'main{max-width:44rem;margin:0 auto;padding:2.5rem 1.25rem 0}' +
  'h1{margin:0;font-size:1.75rem;letter-spacing:-.01em}' +
  'section{margin:1.5rem 0;padding:.5rem 1.5rem;background:var(--card);border:1px solid var(--edge);border-radius:.75rem}' +
  'a{color:var(--accent)}small{color:var(--quiet)}' +
  ':focus-visible{outline:3px solid var(--accent);outline-offset:2px}';
/** Nothing but this one style may be used by an error page. */
export const ERROR_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(ERROR_PAGE_STYLE).digest('base64')}'`;

interface ErrorOnPage {
  readonly code: ErrorCode;
  readonly status: number;
  /** In English. */
  readonly detail: string | undefined;
  readonly requestId: string;
  /** Whether the way back to the first page is shown. */
  readonly withMenu: boolean;
}

export function errorPage({ code, status, detail, requestId, withMenu }: ErrorOnPage, language: PageLanguage): string {
  const said = errorPageWords(code, language);
  const title = `${status} ${said.title}`;
  const english = language === 'en' ? '' : ' lang="en"';
  const text = said.isMessageEnglish
    ? `<p${english}>${escapeHtml(detail === undefined ? said.message : `${said.message} ${detail}`)}</p>`
    : `<p>${escapeHtml(said.message)}${detail === undefined ? '' : ` ${toldDetail(detail, language)}`}</p>`;
  return (
    `<!DOCTYPE html>\n<html lang="${language}">\n<head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${title}</title><style>${ERROR_PAGE_STYLE}</style></head>\n` +
    `<body>\n<main>\n<h1>${title}</h1>\n<section>\n${text}\n${withMenu ? `<p><a href="/">${said.firstPage}</a></p>\n` : ''}<p><small>${said.requestId}: ${requestId}</small></p>\n</section>\n</main>\n</body>\n</html>\n`
  );
}

function toldDetail(detail: string, language: PageLanguage): string {
  const words = detailWords(detail, language);
  return words === detail ? `<span lang="en">${escapeHtml(detail)}</span>` : escapeHtml(words);
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEscapes[character] ?? '');
}
