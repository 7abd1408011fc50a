import { type HostMetrics, type HostSessionState, secondsSince } from '../../lib/metrics.js';

type ChartState = HostSessionState | 'idle' | 'closed';

export class SessionClock {
  readonly #metrics: HostMetrics;
  #state: HostSessionState | undefined;
  #since = 0;
  /** Time at which the key was sent that the host has not answered yet. */
  #asked: number | undefined;
  #isHostSpeaking = false;

  constructor(metrics: HostMetrics) {
    this.#metrics = metrics;
  }

  moved(to: ChartState): void {
    const state = to === 'idle' || to === 'closed' ? undefined : to;
    if (state === this.#state) return;
    this.#metrics.sessionMoved(this.#state, state);
    if (state === 'connecting') this.#since = performance.now();
    const hasConnected = state === 'negotiating' || state === 'connected';
    if (this.#state === 'connecting' && hasConnected) this.#metrics.connected(secondsSince(this.#since));
    this.#state = state;
  }

  /**
   * To be called for each record sent. A record sent while host data is processed is an answer; all others are keys.
   */
  sent(): void {
    if (!this.#isHostSpeaking) this.#asked ??= performance.now();
  }

  hostSpeaks(): void {
    this.#isHostSpeaking = true;
  }

  hostHasSpoken(isWaiting: boolean): void {
    this.#isHostSpeaking = false;
    if (isWaiting) {
      // keys typed ahead are sent while host data is processed
      this.#asked ??= performance.now();
    } else if (this.#asked !== undefined) {
      this.#metrics.responded(secondsSince(this.#asked));
      this.#asked = undefined;
    }
  }
}
