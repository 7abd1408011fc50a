import type { ServiceSession } from './service-session.js';
import type { SessionHost } from './session-host.js';

/** What a configuration says of the sessions of a transaction. */
export interface ServiceOrigin {
  readonly host: SessionHost | undefined;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
}

interface Waiting {
  readonly session: ServiceSession;
  readonly origin: ServiceOrigin;
  readonly timer: NodeJS.Timeout;
  readonly ends: () => void;
}

interface Given extends Pick<Waiting, 'session' | 'origin'> {
  readonly milliseconds: number;
  /** Called where no request comes in this time, or none that it may serve, or the server stops. */
  readonly ends: () => void;
}

/** The longest that a timer can take, some 25 days. */
const LONGEST_MILLISECONDS = 0x7fff_ffff;
/** For hosts to end their sessions as the server stops. */
const STOP_MILLISECONDS = 3_000;

/** The host sessions of service transactions that wait for their next request (ACTION$ SERVE-ANOTHER-USER, `&(` … `&)`). */
export class ServiceSessions {
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #all = new Set<ServiceSession>();
  /** By the keys of transactions; undefined: whatever comes is served. */
  #served: ReadonlyMap<string, ServiceOrigin> | undefined;
  #isStopping = false;
  #allEnded: (() => void) | undefined;

  /** Until their hosts are left. */
  get sessions(): readonly ServiceSession[] {
    return [...this.#all];
  }

  add(session: ServiceSession): void {
    this.#all.add(session);
  }

  /** A session is over. */
  remove(session: ServiceSession): void {
    this.#all.delete(session);
    this.#dismiss(session);
    if (this.#all.size === 0) this.#allEnded?.();
  }

  /** It waits no longer. */
  #dismiss(session: ServiceSession): void {
    for (const [key, list] of this.#waiting) {
      const at = list.findIndex((waiting) => waiting.session === session);
      if (at < 0) continue;
      clearTimeout(list[at]?.timer);
      list.splice(at, 1);
      if (list.length === 0) this.#waiting.delete(key);
    }
  }

  /** The configuration was exchanged: those that wait, and began with another host or script, are left. */
  serveOnly(served: ReadonlyMap<string, ServiceOrigin>): void {
    this.#served = served;
    for (const [key, list] of [...this.#waiting]) {
      for (const { session, origin, ends } of [...list]) {
        if (this.#isServed(key, origin)) continue;
        this.#dismiss(session);
        ends();
      }
    }
  }

  #isServed(key: string, origin: ServiceOrigin): boolean {
    if (this.#served === undefined) return true;
    const served = this.#served.get(key);
    return served !== undefined && isSame(served, origin);
  }

  /** One that waits and began alike, the one that was used last: the others may end by themselves. */
  take(key: string, origin: ServiceOrigin): ServiceSession | undefined {
    const list = this.#waiting.get(key);
    // a request may still be one of the configuration before
    if (!this.#isServed(key, origin)) return undefined;
    for (let waiting = list?.pop(); waiting !== undefined; waiting = list?.pop()) {
      clearTimeout(waiting.timer);
      if (waiting.session.isOpen) return waiting.session;
    }
    this.#waiting.delete(key);
    return undefined;
  }

  /** Keeps one for the next request, where that would begin alike. */
  give(key: string, { session, origin, milliseconds, ends }: Given): void {
    if (this.#isStopping || !this.#isServed(key, origin)) {
      ends();
      return;
    }
    const timer = setTimeout(
      () => {
        this.#dismiss(session);
        ends();
      },
      Math.min(milliseconds, LONGEST_MILLISECONDS),
    ).unref();
    const list = this.#waiting.get(key) ?? [];
    list.push({ session, origin, timer, ends });
    this.#waiting.set(key, list);
  }

  /** Ends all of them; resolves when their hosts are left, or have had their time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const list of this.#waiting.values()) for (const { timer } of list) clearTimeout(timer);
    this.#waiting.clear();
    if (this.#all.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOP_MILLISECONDS);
      this.#allEnded = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const session of [...this.#all]) session.stop();
    });
  }
}

/** By which the sessions of a transaction are found. */
export function serviceKey(entryPoint: string, transaction: string): string {
  return `${entryPoint} ${transaction}`;
}

/** A host whose settings are the same is the same object, whatever else is exchanged. */
function isSame(one: ServiceOrigin, other: ServiceOrigin): boolean {
  return one.host === other.host && one.tioaAtLogon === other.tioaAtLogon && one.tioaAtLogoff === other.tioaAtLogoff;
}
