import { ServiceError } from '../../lib/errors.js';

/** Why a change of users or groups is not made; whoever asked for it is told. */
export function refusedChange(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_SECURITY_CHANGE', { detail });
}
