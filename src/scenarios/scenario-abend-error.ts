import { type LoggedCode, ServiceError } from '../lib/errors.js';
import type { SourcePlace } from './syntax.js';

/** Ends a run abnormally. `HANDLE$ ABEND` handles recoverable abends. */
export class ScenarioAbendError extends Error {
  override readonly name = 'ScenarioAbendError';

  constructor(
    message: string,
    readonly code: LoggedCode = 'SVC_ERR_SCENARIO_ABENDED',
  ) {
    super(message);
  }

  /** Error for the client; the place and the reason are only logged. */
  asServiceError(module: string, place: SourcePlace | undefined): ServiceError {
    const where = place === undefined ? module : `${module} line ${place.line}`;
    return new ServiceError(this.code, { detail: `${where}: ${this.message}`, cause: this });
  }
}
