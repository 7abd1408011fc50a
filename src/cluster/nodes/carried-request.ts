import type { IncomingMessage } from 'node:http';
import { removeHeaders } from '../../lines/listener/remove-headers.js';

/** Facts about a client request that a node forwards with it. */
export interface CarriedRequest {
  readonly line: string;
  readonly client: string;
  readonly isOverTls: boolean;
  /** Local address that the client connected to. */
  readonly reached: string;
  /** Code of the node that retries the forwarding of another node. */
  readonly repeatedBy?: string | undefined;
}

export const CARRIED_HEADER = 'sallyport-carried';

/** Seal contents of requests that a node makes for itself. */
export const OWN_QUESTION = 'question';

/**
 * @param said contents of an opened seal
 * @returns undefined if another version of Sallyport wrote them
 */
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

export function withoutCarried(request: IncomingMessage): void {
  removeHeaders(request, (name) => name === CARRIED_HEADER);
}
