import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import { withoutNode } from '../../lib/network/node-code.js';

export interface RequestTarget {
  /** Starts with `/`, percent-encoded. */
  readonly path: string;
  readonly query: string;
}

/** `/page`, `/directory/page`, and `/` or `/directory/` with an empty page. Names are decoded. */
export interface PagePath {
  readonly kind: 'page';
  readonly directories: readonly string[];
  readonly page: string;
}

/** `/page+transaction`, `/page+transaction+userdata`, also below directories. */
export interface TransactionPath {
  readonly kind: 'transaction';
  readonly directories: readonly string[];
  readonly page: string;
  readonly transaction: string;
  readonly userData: string | undefined;
}

/** `/prefix/page++SvcSession=<code>` and similar. Session codes must not be logged. */
export interface SessionPath {
  readonly kind: 'session';
  readonly directories: readonly string[];
  readonly page: string;
  readonly session: string;
}

export type RequestPath = PagePath | TransactionPath | SessionPath;

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * Splits a request target in origin form or absolute form (RFC 9112, section 3.2).
 * @throws ServiceError SVC_ERR_REQUEST_PATH for other forms and for characters not allowed in a URI
 */
export function splitRequestTarget(target: string): RequestTarget {
  if (/[^\x21-\x7e]|[#\\]/.test(target)) throw malformed('path.encode');
  let rest = target;
  if (target.charCodeAt(0) !== SLASH) {
    const origin = ABSOLUTE_FORM.exec(target);
    if (origin === null) throw malformed('path.slash');
    rest = target.slice(origin[0].length);
    if (!rest.startsWith('/')) rest = `/${rest}`;
  }
  const question = rest.indexOf('?');
  return { path: question < 0 ? rest : rest.slice(0, question), query: receivedQuery(rest) };
}

export function receivedQuery(target: string): string {
  const question = target.indexOf('?');
  return question < 0 ? '' : target.slice(question + 1);
}

/**
 * Parses a path (reference 1.2). Splits at `/` and `+` before decoding, so `%2B` and `%2F` are not delimiters.
 * @param path result of `splitRequestTarget`
 * @throws ServiceError SVC_ERR_REQUEST_ENCODING for percent-encoding that is malformed or not UTF-8;
 * SVC_ERR_REQUEST_PATH for control characters, backslashes, slashes within names, `.` and `..`, empty names
 */
export function parseRequestPath(path: string): RequestPath {
  const plus = path.indexOf('+');
  const location = plus < 0 ? path : path.slice(0, plus);
  const components = location.split('/');
  const page = decodeName(components.pop() ?? '');
  const directories = components.slice(1).map(decodeDirectory);
  if (plus < 0) return { kind: 'page', directories, page };
  const suffix = path.slice(plus + 1);
  if (suffix.startsWith('+')) {
    return { kind: 'session', directories, page, session: decodeText(suffix.slice(1)) };
  }
  const secondPlus = suffix.indexOf('+');
  const transaction = decodeName(secondPlus < 0 ? suffix : suffix.slice(0, secondPlus));
  if (transaction === '') throw malformed('path.transaction');
  const userData = secondPlus < 0 ? undefined : decodeText(suffix.slice(secondPlus + 1));
  // a page of a session may repeat its transaction (reference 1.2)
  if (userData !== undefined && sessionInUserData.test(userData)) {
    return { kind: 'session', directories, page, session: userData };
  }
  return { kind: 'transaction', directories, page, transaction, userData };
}

/** Removes a node's prefix, because pages are the same on every node. */
export function pathOfAnyNode<Path extends RequestPath>(path: Path): Path {
  return { ...path, directories: withoutNode(path.directories) };
}

const SLASH = 0x2f;
const sessionInUserData = /^(?:Svc|Ajax)Session=/;

function decodeDirectory(component: string): string {
  const name = decodeName(component);
  if (name === '') throw malformed('path.emptyDirectory');
  return name;
}

function decodeName(component: string): string {
  const name = decodeText(component);
  if (name.includes('/')) throw malformed('path.slashInName');
  if (name === '.' || name === '..') throw malformed('path.outside');
  return name;
}

function decodeText(component: string): string {
  const text = component.includes('%') ? decodePercent(component) : component;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected here
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(text)) throw malformed('path.control');
  return text;
}

/** Strict: rejects malformed escapes, overlong forms, surrogates and any other text that is not UTF-8. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError('SVC_ERR_REQUEST_ENCODING');
  }
}

function malformed(code: Reason['code']): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PATH', { detail: { code } });
}
