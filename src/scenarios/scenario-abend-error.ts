import { type ErrorCode, ServiceError } from '../lib/errors.js';
import type { SourcePlace } from './syntax.js';

/** Ends a run abnormally. `HANDLE$ ABEND` takes those that are recoverable. */
export class ScenarioAbendError extends Error {
  override readonly name = 'ScenarioAbendError';

  constructor(
    message: string,
    readonly code: ErrorCode = 'SVC_ERR_SCENARIO_ABENDED',
  ) {
    super(message);
  }

  /** What the client gets; the place and the reason are for the log alone. */
  asServiceError(module: string, place: SourcePlace | undefined): ServiceError {
    const where = place === undefined ? module : `${module} line ${place.line}`;
    return new ServiceError(this.code, { detail: `${where}: ${this.message}`, cause: this });
  }
}
