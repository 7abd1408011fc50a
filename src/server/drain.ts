import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../lib/log/log.js';
import type { SessionRegistry } from '../sessions/session-registry.js';

interface DrainContext {
  readonly registry: SessionRegistry;
  readonly log: Log;
  /** How long new sessions are still accepted, so that load balancers can notice the drain. */
  readonly delayMilliseconds: number;
  readonly mostMilliseconds: number;
  begun(): void;
}

const FROM = 'the operators';
const LOOK_MILLISECONDS = 250;
const MINUTE = 60_000;

/** Drains a server: rejects new sessions and notifies users, then waits for the last session or the time limit. */
export class Drain {
  readonly #context: DrainContext;
  #over: (() => void) | undefined;
  readonly over = new Promise<void>((resolve) => {
    this.#over = resolve;
  });
  #isBegun = false;

  constructor(context: DrainContext) {
    this.#context = context;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    void this.#run().then(() => this.#over?.());
  }

  async #run(): Promise<void> {
    const { registry, log, delayMilliseconds, mostMilliseconds, begun } = this.#context;
    begun();
    log.info({ sessions: registry.size, mostMilliseconds }, 'the server is drained: no new sessions begin');
    if (delayMilliseconds > 0) await pause(delayMilliseconds);
    registry.drain();
    const end = performance.now() + mostMilliseconds;
    this.#tellUsers(mostMilliseconds);
    let isLastTold = mostMilliseconds <= MINUTE;
    while (registry.size > 0 && performance.now() < end) {
      const left = end - performance.now();
      if (!isLastTold && left <= MINUTE) {
        isLastTold = true;
        this.#tellUsers(left);
      }
      await pause(Math.min(LOOK_MILLISECONDS, left));
    }
    log.info({ sessions: registry.size }, 'the drain has ended');
  }

  #tellUsers(milliseconds: number): void {
    const minutes = Math.ceil(milliseconds / MINUTE);
    const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    const text = `This server restarts. This session ends in ${when} at the latest: please finish, sign off and start again.`;
    for (const session of this.#context.registry.sessions) session.supervision.show(text, FROM);
  }
}
