import type { ErrorCode } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import { isSecretName } from '../../lib/secrets/secret-text.js';
import type { ServiceCallFacts } from './client-state.js';
import type { RequestPath } from './request-path.js';

/** What the log says about a request, in this order (specification 2.1, contract). */
interface RequestLogEntry {
  readonly line: string;
  readonly port: number | undefined;
  readonly template: string | undefined;
  readonly transaction: string | undefined;
  /** As it was received, without the `?`. */
  readonly query: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly remoteAddress: string | undefined;
  readonly method: string | undefined;
  /** The client was gone before its answer was written; the status is then 499. */
  readonly abandoned: boolean;
  readonly code: ErrorCode | undefined;
  readonly error: unknown;
  /** Undefined: it is no call of a service. */
  readonly serviceCall: ServiceCallFacts | undefined;
}

const LONGEST_VALUE = 200;
const MOST_SHOWN_VALUES = 50;

/** The page of a path as the log says it: handles of sessions over HTTP are secrets, wherever they stand in it. */
export function loggedPage({ directories, page }: RequestPath, defaultPage: string): string {
  const [api, version, sessions] = directories.map((name) => name.toLowerCase());
  if (api === 'api' && version === 'v1' && sessions === 'sessions') return directories.length > 3 ? page : '***';
  return page || defaultPage;
}

/** One line for each request: info, or error where the fault is ours (5xx), then with the error and its stack. */
export function logRequest(log: Log, entry: RequestLogEntry): void {
  const fields: Record<string, unknown> = {
    line: entry.line,
    port: entry.port,
    template: entry.template,
    transaction: entry.transaction,
    parameters: shownParameters(entry.query),
    status: entry.status,
    bytes: entry.bytes,
    milliseconds: entry.milliseconds,
    requestId: entry.requestId,
    remoteAddress: entry.remoteAddress,
    method: entry.method,
    ...entry.serviceCall,
  };
  if (entry.abandoned) fields.abandoned = true;
  if (entry.code !== undefined) fields.code = entry.code;
  if (entry.status < 500) {
    log.info(fields, 'request');
    return;
  }
  fields.err = entry.error;
  log.error(fields, 'request');
}

/**
 * The parameters of a query, decoded: `FROMCURRENCY=EUR&TOCURRENCY=USD`. Delimiters inside a name or value stay
 * percent-encoded, so that no value reads as two; a name or value that cannot be decoded stays as it was received.
 * Values of names that look secret are `***`; long values are cut, and so is the list.
 */
function shownParameters(query: string): string {
  let shown = '';
  let count = 0;
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = query.indexOf('&', start);
    if (end < 0) end = query.length;
    if (end === start) continue;
    if (count === MOST_SHOWN_VALUES) return `${shown}&…`;
    if (count > 0) shown += '&';
    shown += shownPair(query.slice(start, end));
    count += 1;
  }
  return shown;
}

function shownPair(pair: string): string {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const value = equals < 0 ? '' : pair.slice(equals + 1);
  return `${shownText(name, /[%&=]/g)}=${isSecret(name) ? '***' : shownText(value, /[%&]/g)}`;
}

function isSecret(name: string): boolean {
  if (!isEncoded(name)) return isSecretName(name);
  return isSecretName(bytesDecoded(name)) || isSecretName(decoded(name) ?? name);
}

/** @param delimiters that must not appear in the decoded text */
function shownText(encoded: string, delimiters: RegExp): string {
  const text = isEncoded(encoded) ? decoded(encoded) : undefined;
  return text === undefined ? cut(encoded) : cut(text).replace(delimiters, encodeURIComponent);
}

function isEncoded(text: string): boolean {
  return text.includes('%') || text.includes('+');
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Every valid escape as one character: a secret name is recognised in a name that is not UTF-8, too. */
function bytesDecoded(encoded: string): string {
  return encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
