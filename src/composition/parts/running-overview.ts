import type { Health } from '../../management/health.js';
import type { MinuteFigure, MinuteFigures } from '../../operation/minute-figures.js';
import type { CheckReport, ServerOverview } from '../../operation/server-overview.js';

/** The server as a whole, asked for whenever somebody looks. */
export class RunningOverview implements ServerOverview {
  readonly startedAt: number;
  readonly #health: Health;
  readonly #minutes: MinuteFigures;
  readonly #now: () => number;

  constructor(health: Health, minutes: MinuteFigures, now: () => number) {
    this.#health = health;
    this.#minutes = minutes;
    this.#now = now;
    this.startedAt = now();
  }

  get now(): number {
    return this.#now();
  }

  get lastHour(): readonly MinuteFigure[] {
    return this.#minutes.lastHour;
  }

  async checks(): Promise<readonly CheckReport[]> {
    return (await this.#health.all()).checks;
  }
}
