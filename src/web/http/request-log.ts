import type { ErrorCode } from '../../errors.js';
import type { Log } from '../../log.js';
import { isSecretName } from '../../secret-names.js';
import type { ServiceCallFacts } from './client-state.js';
import type { RequestPath } from './request-path.js';

/** What the log says about a request, in this order (specification 2.1, contract). */
interface RequestLogEntry {
  readonly line: string;
  readonly port: number | undefined;
  readonly template: string | undefined;
  readonly transaction: string | undefined;
  readonly parameters: ReadonlyMap<string, readonly string[]> | undefined;
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
    parameters: entry.parameters === undefined ? undefined : shownParameters(entry.parameters),
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
 * Parameters in the shape of a query, decoded: `FROMCURRENCY=EUR&TOCURRENCY=USD`. Values of names that look secret
 * are `***`; long values are cut, and so is the list.
 */
function shownParameters(parameters: ReadonlyMap<string, readonly string[]>): string {
  let shown = '';
  let count = 0;
  for (const [name, values] of parameters) {
    const secret = isSecretName(name);
    for (const value of values) {
      if (count === MOST_SHOWN_VALUES) return `${shown}&…`;
      if (count > 0) shown += '&';
      shown += `${cut(name)}=${secret ? '***' : cut(value)}`;
      count += 1;
    }
  }
  return shown;
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
