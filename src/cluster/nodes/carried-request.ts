import type { IncomingMessage } from 'node:http';
import { removeHeaders } from '../../lines/listener/remove-headers.js';

/** What a node says of a request that it passes on. */
export interface CarriedRequest {
  /** The line that it came over, by its internal name. */
  readonly line: string;
  /** Address of the client. */
  readonly client: string;
  /** Whether the client came over TLS. */
  readonly isOverTls: boolean;
  /** The address that the client has reached. */
  readonly reached: string;
  /** The code of the node that repeats the work of another node. */
  readonly repeatedBy?: string | undefined;
}

/** Sealed (`Seal`) in each request on the internal line: `CarriedRequest`, or `OWN_QUESTION`. */
export const CARRIED_HEADER = 'sallyport-carried';

/** A node asks for itself, not for a client. */
export const OWN_QUESTION = 'question';

/** Reads what an opened seal says. Undefined: another version of Sallyport has said it. */
export function carriedIn(said: unknown): CarriedRequest | typeof OWN_QUESTION | undefined {
  if (said === OWN_QUESTION) return OWN_QUESTION;
  const { line, client, isOverTls, reached, repeatedBy } = Object(said) as Record<string, unknown>;
  if (typeof line !== 'string' || typeof client !== 'string' || typeof reached !== 'string') return undefined;
  return {
    line,
    client,
    isOverTls: isOverTls === true,
    reached,
    ...(typeof repeatedBy === 'string' ? { repeatedBy } : {}),
  };
}

/** Removes the seal from a request: no log, trace or application sees it. */
export function withoutCarried(request: IncomingMessage): void {
  removeHeaders(request, (name) => name === CARRIED_HEADER);
}
