import { ServiceError } from '../../lib/errors.js';
import { withoutNode } from '../../lib/network/node-code.js';

/** The target of a request, split before anything is decoded. */
export interface RequestTarget {
  /** Begins with `/`, still percent-encoded. */
  readonly path: string;
  /** Without the `?`; empty where there is none. */
  readonly query: string;
}

/** `/page`, `/directory/page`, and with an empty page `/` or `/directory/`. Names are decoded. */
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
  /** Undefined where the URL has no second `+`. */
  readonly userData: string | undefined;
}

/** `/prefix/page++SvcSession=<code>` and its relatives. The code itself is never kept in the clear text of a log. */
export interface SessionPath {
  readonly kind: 'session';
  readonly directories: readonly string[];
  readonly page: string;
  readonly session: string;
}

export type RequestPath = PagePath | TransactionPath | SessionPath;

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * Splits a request target in origin form or absolute form (RFC 9112 section 3.2).
 * Throws SVC_ERR_REQUEST_PATH for the other forms and for characters that no URI has.
 */
export function splitRequestTarget(target: string): RequestTarget {
  if (/[^\x21-\x7e]|[#\\]/.test(target)) throw malformed('It holds a character that must be percent-encoded.');
  let rest = target;
  if (target.charCodeAt(0) !== SLASH) {
    const origin = ABSOLUTE_FORM.exec(target);
    if (origin === null) throw malformed('It does not begin with a slash.');
    rest = target.slice(origin[0].length);
    if (!rest.startsWith('/')) rest = `/${rest}`;
  }
  const question = rest.indexOf('?');
  return { path: question < 0 ? rest : rest.slice(0, question), query: receivedQuery(rest) };
}

/** The query of a request target, even if the target is malformed; empty if it has none. */
export function receivedQuery(target: string): string {
  const question = target.indexOf('?');
  return question < 0 ? '' : target.slice(question + 1);
}

/**
 * The meaning of a path (reference 1.2). It is split at `/` and `+` first and decoded then, so that `%2B` and `%2F`
 * are never taken for delimiters.
 *
 * @param path as `splitRequestTarget` gives it
 * @throws ServiceError SVC_ERR_REQUEST_ENCODING for percent-encoding that is malformed or no UTF-8;
 *   SVC_ERR_REQUEST_PATH for control characters, backslashes, slashes inside names, `.` and `..`, empty names
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
  if (transaction === '') throw malformed('It names no transaction after the plus sign.');
  const userData = secondPlus < 0 ? undefined : decodeText(suffix.slice(secondPlus + 1));
  // a page of a session may name its transaction once more (reference 1.2)
  if (userData !== undefined && sessionInUserData.test(userData)) {
    return { kind: 'session', directories, page, session: userData };
  }
  return { kind: 'transaction', directories, page, transaction, userData };
}

/** A path as there is only one node: whichever its prefix names, its pages are the same. */
export function pathOfAnyNode<Path extends RequestPath>(path: Path): Path {
  return { ...path, directories: withoutNode(path.directories) };
}

const SLASH = 0x2f;
const sessionInUserData = /^(?:Svc|Ajax)Session=/;

function decodeDirectory(component: string): string {
  const name = decodeName(component);
  if (name === '') throw malformed('It has an empty directory name.');
  return name;
}

/** A component that names something: no delimiter of a file system may come out of it. */
function decodeName(component: string): string {
  const name = decodeText(component);
  if (name.includes('/')) throw malformed('A name in it holds a slash.');
  if (name === '.' || name === '..') throw malformed('It leads out of its directory.');
  return name;
}

function decodeText(component: string): string {
  const text = component.includes('%') ? decodePercent(component) : component;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(text)) throw malformed('It holds a control character or a backslash.');
  return text;
}

/** Strict: malformed escapes, overlong forms, surrogates and anything else that is no UTF-8 are refused. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError('SVC_ERR_REQUEST_ENCODING');
  }
}

function malformed(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PATH', { detail });
}
