import { createHash } from 'node:crypto';
import { errorCatalogue, ServiceError } from '../errors.js';
import { reasonPhrase } from '../line/reason-phrase.js';
import type { MakeRefusal } from '../line/refusal.js';
import type { Answer } from './answer.js';
import { prefersJson } from './json-preference.js';
import { nextRequestId } from './request-id.js';
import { type AnswerIdentity, dynamicHeaders, withHeaders } from './response-headers.js';

const LONGEST_DETAIL = 300;
const ERROR_PAGE_STYLE =
  ':root{color-scheme:light dark}' +
  'body{max-width:40rem;margin:15vh auto;padding:0 1.25rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  'h1{font-size:1.5rem}a{color:inherit}small{opacity:.75}';
/** Nothing but this one style may be used by an error page. */
const ERROR_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(ERROR_PAGE_STYLE).digest('base64')}'`;
const RETRY_AFTER_SECONDS = '1';

/** The error that any thrown value counts as. */
export function serviceErrorOf(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError('SVC_ERR_SERVICE_FAILED', { cause: thrown });
}

/**
 * The answer to an error: a small HTML page, or `application/json` `{code, message, requestId}` where the client
 * prefers that. Details are shown where the catalogue says so; of our own faults (500) nothing but the request id is.
 *
 * @param accept value of the Accept header
 */
export function errorAnswer(error: ServiceError, accept: string | undefined, identity: AnswerIdentity): Answer {
  const { status } = error.description;
  const code = status === 500 ? 'SVC_ERR_SERVICE_FAILED' : error.code;
  const { message, exposed } = errorCatalogue[code];
  const detail = exposed && error.detail !== undefined ? ` ${error.detail.slice(0, LONGEST_DETAIL)}` : '';
  const json = prefersJson(accept);
  const body = Buffer.from(
    json
      ? JSON.stringify({ code, message: `${message}${detail}`, requestId: identity.requestId })
      : errorPage(status, `${message}${detail}`, identity.requestId, offersMenu.test(code)),
  );
  const contentType = json ? 'application/json' : 'text/html';
  const headers = dynamicHeaders(identity, contentType, body.length, '0');
  if (!json) headers.push('Content-Security-Policy', ERROR_PAGE_POLICY);
  const further = Object.entries(error.headers);
  if (status === 503 && !further.some(([name]) => name.toLowerCase() === 'retry-after')) {
    further.push(['Retry-After', RETRY_AFTER_SECONDS]);
  }
  return { status, headers: withHeaders(headers, further), body };
}

/** What an inbound line answers with before there is a request for the application. */
export function refusalsOf(server: string, hstsSeconds?: number): MakeRefusal {
  return (error, request) =>
    errorAnswer(error, request?.headers.accept, { server, requestId: nextRequestId(), hstsSeconds });
}

/** Errors that a user of a host application meets: the way to begin again is shown. */
const offersMenu = /^SVC_ERR_(?:SESSION|HOST|CRYPTO|SUBMIT|SIGNON_ROLE|SECURITY|MACRO|TEMPLATE_UNKNOWN|REQUEST_ORIGIN)/;

function errorPage(status: number, text: string, requestId: string, withMenu: boolean): string {
  const title = `${status} ${reasonPhrase(status)}`;
  return (
    '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${title}</title><style>${ERROR_PAGE_STYLE}</style></head>\n` +
    `<body>\n<main>\n<h1>${title}</h1>\n<p>${escapeHtml(text)}</p>\n${withMenu ? '<p><a href="/">First page</a></p>\n' : ''}<p><small>Request id: ${requestId}</small></p>\n</main>\n</body>\n</html>\n`
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
