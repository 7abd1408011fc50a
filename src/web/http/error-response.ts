import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { type Language, locales } from '../../lib/locale.js';
import { type MakeRefusal, reasonPhrase } from '../../lines/listener/refusal.js';
import { languageOf } from '../words/page-words.js';
import { prefersJsonErrors } from './accepted-ranges.js';
import type { Answer } from './answer.js';
import { nextRequestId } from './client-request.js';
import { type CompleteHeaders, dynamicHeaders, withHeaders } from './response-headers.js';

export function serviceErrorOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError(isOfDisk(thrown) ? 'SVC_ERR_STORE_UNAVAILABLE' : 'SVC_ERR_SERVICE_FAILED', { cause: thrown });
}

/** Disk full, read-only or damaged. `FILE_CODES` count only with a path, because sockets report them too. */
const DISK_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
const FILE_CODES: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EMFILE', 'ENFILE']);

function isOfDisk(thrown: unknown): boolean {
  const { code, path } = Object(thrown) as { readonly code?: unknown; readonly path?: unknown };
  return DISK_CODES.has(code) || (FILE_CODES.has(code) && typeof path === 'string');
}

/**
 * The answer for an error: an HTML page, or JSON `{code, message, requestId, words}` if the client prefers it. `words`
 * is the message in the user's language, if not English. Details are shown if the catalogue allows it; for internal
 * errors (500) only the request ID.
 * @param accept value of the Accept header
 */
export function errorAnswer(
  error: ServiceError,
  accept: string | undefined,
  requestId: string,
  language: Language,
): Answer {
  const { status } = error.description;
  const shown = status === 500 ? new ServiceError('SVC_ERR_SERVICE_FAILED') : error;
  const json = prefersJsonErrors(accept);
  const body = Buffer.from(
    json
      ? JSON.stringify({
          code: shown.code,
          message: shown.publicTextIn('en'),
          requestId,
          words: language === 'en' ? undefined : shown.publicTextIn(language),
        })
      : errorPage(shown, requestId, language),
  );
  const contentType = json ? 'application/json' : 'text/html';
  const headers = dynamicHeaders(contentType, body.length, '0');
  if (!json) headers.push('Content-Security-Policy', ERROR_PAGE_POLICY);
  const further = errorHeaders(error, status);
  return { status, headers: withHeaders(headers, further), body };
}

export function refusalsOf(completeHeaders: CompleteHeaders): MakeRefusal {
  return (error, request) => refusal(error, request, completeHeaders);
}

export function refusal(
  error: ServiceError,
  request: IncomingMessage | undefined,
  completeHeaders: CompleteHeaders,
  requestId = nextRequestId(),
): Answer {
  const language = request === undefined ? 'en' : languageOf(request);
  const answer = errorAnswer(error, request?.headers.accept, requestId, language);
  return { ...answer, headers: completeHeaders(answer.headers, requestId) };
}

/** Errors in host sessions; the page links to the first page. */
const offersMenu =
  /^SVC_ERR_(?:SESSION|NODE|HOST|CRYPTO|SUBMIT|SIGNON_ROLE|SECURITY|MACRO|TEMPLATE_UNKNOWN|TRANSACTION_UNKNOWN|TRANSACTION_UNAVAILABLE|REQUEST_ORIGIN|AUDIT)/;

/** The style of public/sallyport.css. It is inline, because a line may not serve that file. */
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
const ERROR_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(ERROR_PAGE_STYLE).digest('base64')}'`;

function errorPage(error: ServiceError, requestId: string, language: Language): string {
  const { statuses, errorPage: words } = locales[language];
  const { status } = error.description;
  const title = `${status} ${statuses[`${status}` as keyof typeof statuses] ?? reasonPhrase(status)}`;
  const detail = error.publicDetailIn(language);
  const isForeign = language !== 'en' && error.hasForeignDetail;
  const more = detail && ` ${isForeign ? `<span lang="en">${escapeHtml(detail)}</span>` : escapeHtml(detail)}`;
  const text = `<p>${escapeHtml(error.messageIn(language))}${more ?? ''}</p>`;
  const menu = offersMenu.test(error.code) ? `<p><a href="/">${words.firstPage}</a></p>\n` : '';
  return (
    `<!DOCTYPE html>\n<html lang="${language}">\n<head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${title}</title><style>${ERROR_PAGE_STYLE}</style></head>\n` +
    `<body>\n<main>\n<h1>${title}</h1>\n<section>\n${text}\n${menu}<p><small>${words.requestId}: ${requestId}</small></p>\n</section>\n</main>\n</body>\n</html>\n`
  );
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

export type ErrorHeaders = readonly (readonly [string, string])[];

const RETRY_AFTER_SECONDS = '1';

export function errorHeaders({ headers }: ServiceError, status: number): ErrorHeaders {
  const given = Object.entries(headers);
  const isComplete = status !== 503 || given.some(([name]) => name.toLowerCase() === 'retry-after');
  return isComplete ? given : [...given, ['Retry-After', RETRY_AFTER_SECONDS]];
}
