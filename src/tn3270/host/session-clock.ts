import { type HostMeasures, type HostSessionState, secondsSince } from '../../lib/measures.js';

type ChartState = HostSessionState | 'idle' | 'closed';

/** Tells how long a host takes, and what its sessions are doing. */
export class SessionClock {
  readonly #measures: HostMeasures;
  #state: HostSessionState | undefined;
  #since = 0;
  /** When the key was pressed that the host has not answered yet. */
  #asked: number | undefined;
  #isHostSpeaking = false;

  constructor(measures: HostMeasures) {
    this.#measures = measures;
  }

  moved(to: ChartState): void {
    const state = to === 'idle' || to === 'closed' ? undefined : to;
    if (state === this.#state) return;
    this.#measures.sessionMoved(this.#state, state);
    if (state === 'connecting') this.#since = performance.now();
    const hasConnected = state === 'negotiating' || state === 'connected';
    if (this.#state === 'connecting' && hasConnected) this.#measures.connected(secondsSince(this.#since));
    this.#state = state;
  }

  /** A record goes to the host: a key, unless it answers what the host has asked for. */
  sent(): void {
    if (!this.#isHostSpeaking) this.#asked ??= performance.now();
  }

  hostSpeaks(): void {
    this.#isHostSpeaking = true;
  }

  /** @param isWaiting whether the keyboard is still locked for the host */
  hostHasSpoken(isWaiting: boolean): void {
    this.#isHostSpeaking = false;
    if (isWaiting) {
      // keys that were typed ahead go out while the host speaks
      this.#asked ??= performance.now();
    } else if (this.#asked !== undefined) {
      this.#measures.responded(secondsSince(this.#asked));
      this.#asked = undefined;
    }
  }
}
