import type { ServiceError } from '../../lib/errors.js';

export type ErrorHeaders = readonly (readonly [string, string])[];

const RETRY_AFTER_SECONDS = '1';

/** Headers of an answer that says that error: those that it brings, and when to come again where it says 503. */
export function errorHeaders({ headers }: ServiceError, status: number): ErrorHeaders {
  const given = Object.entries(headers);
  const isComplete = status !== 503 || given.some(([name]) => name.toLowerCase() === 'retry-after');
  return isComplete ? given : [...given, ['Retry-After', RETRY_AFTER_SECONDS]];
}
