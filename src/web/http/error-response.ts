import type { IncomingMessage } from 'node:http';
import { type ErrorCode, errorCatalogue, ServiceError } from '../../lib/errors.js';
import type { MakeRefusal } from '../../lines/listener/refusal.js';
import { translatedMessage } from '../words/error-words.js';
import { detailWords } from '../words/field-refusal-words.js';
import { languageOf, type PageLanguage } from '../words/page-language.js';
import type { Answer } from './answer.js';
import { errorHeaders } from './error-headers.js';
import { ERROR_PAGE_POLICY, errorPage } from './error-page.js';
import { prefersJsonErrors } from './json-preference.js';
import type { CompleteHeaders } from './line-headers.js';
import { nextRequestId } from './request-id.js';
import { dynamicHeaders, withHeaders } from './response-headers.js';

const LONGEST_DETAIL = 300;

/** The error that any thrown value counts as. */
export function serviceErrorOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError(isOfDisk(thrown) ? 'SVC_ERR_STORE_UNAVAILABLE' : 'SVC_ERR_SERVICE_FAILED', { cause: thrown });
}

/** No room, not for writing, broken; and of files what sockets say as well. */
const DISK_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
const FILE_CODES: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EMFILE', 'ENFILE']);

function isOfDisk(thrown: unknown): boolean {
  const { code, path } = Object(thrown) as { readonly code?: unknown; readonly path?: unknown };
  return DISK_CODES.has(code) || (FILE_CODES.has(code) && typeof path === 'string');
}

/**
 * The answer to an error: a small HTML page, or `application/json` `{code, message, requestId}` where the client
 * prefers that, and `words`, the message in the language of who reads it, where that is another one. Details are shown where the catalogue says so; of our own faults (500) nothing but the request id is.
 *
 * @param accept value of the Accept header
 * @param language of who reads it
 */
export function errorAnswer(
  error: ServiceError,
  accept: string | undefined,
  requestId: string,
  language: PageLanguage,
): Answer {
  const { status } = error.description;
  const code = status === 500 ? 'SVC_ERR_SERVICE_FAILED' : error.code;
  const { message, exposed } = errorCatalogue[code];
  const detail = exposed ? error.detail?.slice(0, LONGEST_DETAIL) : undefined;
  const json = prefersJsonErrors(accept);
  const body = Buffer.from(
    json
      ? JSON.stringify({
          code,
          message: detail === undefined ? message : `${message} ${detail}`,
          requestId,
          words: wordsOf(code, detail, language),
        })
      : errorPage({ code, status, detail, requestId, withMenu: offersMenu.test(code) }, language),
  );
  const contentType = json ? 'application/json' : 'text/html';
  const headers = dynamicHeaders(contentType, body.length, '0');
  if (!json) headers.push('Content-Security-Policy', ERROR_PAGE_POLICY);
  const further = errorHeaders(error, status);
  return { status, headers: withHeaders(headers, further), body };
}

/** What an inbound line answers with before there is a request for the application. */
export function refusalsOf(completeHeaders: CompleteHeaders): MakeRefusal {
  return (error, request) => refusal(error, request, completeHeaders);
}

/** A whole answer to an error, for what never reaches the application. */
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

/** Errors that a user of a host application meets: the way to begin again is shown. */
const offersMenu =
  /^SVC_ERR_(?:SESSION|NODE|HOST|CRYPTO|SUBMIT|SIGNON_ROLE|SECURITY|MACRO|TEMPLATE_UNKNOWN|TRANSACTION_UNKNOWN|TRANSACTION_UNAVAILABLE|REQUEST_ORIGIN|AUDIT)/;

function wordsOf(code: ErrorCode, detail: string | undefined, language: PageLanguage): string | undefined {
  const translated = translatedMessage(code, language);
  return translated === undefined || detail === undefined
    ? translated
    : `${translated} ${detailWords(detail, language)}`;
}
