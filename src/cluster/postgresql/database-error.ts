import pg from 'pg';
import { type ErrorCode, ServiceError } from '../../lib/errors.js';
import { messageOf } from '../../lib/text/messages.js';

const RETRY_AFTER_SECONDS = '5';

/**
 * SQLSTATE classes and codes of an unavailable database: connections, authorization, resources, operator intervention,
 * system errors, read-only standbys, timeouts, lock conflicts, and missing or inaccessible tables.
 */
const UNAVAILABLE = /^(?:08|28|3D|53|57|58|XX)|^(?:25006|25P0[1-3]|40001|40P01|55P03|42501|42P01|3F000)$/;

export function isUsableAfter(error: unknown): boolean {
  // A standby stays read-only, but the next connection may reach the new primary.
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== '25006';
}

/** Returns programming errors unchanged and everything else as a ServiceError. */
export function errorOfStatement(error: unknown, code: ErrorCode): unknown {
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) return error;
  return unavailable(code, error);
}

/** Message of pg if the server requires a password and there is none. */
const WITHOUT_PASSWORD = /client password must be a (?:non-empty )?string$/;

export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return WITHOUT_PASSWORD.test(message) ? 'it requires a password, but the configuration gives none' : message;
}

export function unavailable(code: ErrorCode, cause: unknown): ServiceError {
  return new ServiceError(code, {
    detail: { foreign: `PostgreSQL: ${reasonOf(cause)}` },
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    cause,
  });
}
