import pg from 'pg';
import { type ErrorCode, ServiceError } from '../../lib/errors.js';
import { messageOf } from '../../lib/text/messages.js';

const RETRY_AFTER_SECONDS = '5';

/**
 * Classes and codes of SQLSTATE that say that the database cannot work now: connections, resources, an operator, the system, who
 * may connect, what a standby refuses, a limit of time, a conflict of locks, tables that are not there or not ours.
 */
const UNAVAILABLE = /^(?:08|28|3D|53|57|58|XX)|^(?:25006|25P0[1-3]|40001|40P01|55P03|42501|42P01|3F000)$/;

/** Whether a failed statement leaves a connection that can be used on. */
export function isUsableAfter(error: unknown): boolean {
  // a standby stays one: the next connection may lead to the new primary
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== '25006';
}

/** What is thrown of a statement that failed: a fault of ours as it is, everything else as a ServiceError. */
export function errorOfStatement(error: unknown, code: ErrorCode): unknown {
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) return error;
  return unavailable(code, error);
}

/** What pg says where it has no password to answer with. */
const WITHOUT_PASSWORD = /client password must be a (?:non-empty )?string$/;

/** In words for operators. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return WITHOUT_PASSWORD.test(message) ? 'it asks for a password, and none is given' : message;
}

export function unavailable(code: ErrorCode, cause: unknown): ServiceError {
  return new ServiceError(code, {
    detail: `PostgreSQL: ${reasonOf(cause)}`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    cause,
  });
}
