import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import type { Log } from '../lib/log/log.js';
import { type Metrics, noMetrics, secondsSince } from '../lib/metrics.js';
import type { StopSource } from '../lib/stop-signal.js';
import { FairQueue } from '../lib/turns/fair-queue.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import type { PoolDefinition, PoolOutcome, PoolState } from './pool-state.js';
import { PoolUsers, type WorkerSlot } from './pool-users.js';
import { type PoolContext, PooledSession, type PoolWalk } from './pooled-session.js';
import { RetryPace } from './retry-pace.js';
import { isComeTo, type WalkOutcome } from './run-steps.js';
import { secondsOf, withinTime } from './time-limit.js';

class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

const waitIsOver = new Error('no session became free in time');
const checkoutIsOver = new Error('the session was in use for too long');
const poolStops = new Error('the pool stops');

/** Fixed delay, because the end of a drain is unknown. */
const drained = { kind: 'drained', retryAfterSeconds: 30 } as const;

interface SessionPoolOptions {
  readonly definition: PoolDefinition;
  readonly context: PoolContext;
  readonly host: HostSessionOptions;
  readonly log: Log;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly before?: SessionPool | undefined;
  readonly metrics?: Pick<Metrics, 'poolWaited'>;
}

const MOST_WAITING = 1_000;
const MOST_WAITING_OF_CALLER = 250;
const SIGN_OFF_MILLISECONDS = 5_000;

type Served = PooledSession | 'cannotSignOn' | 'drained' | 'stopping';

/**
 * Lends signed-on sessions of a host. A session is lent only if its home screen is recognized in the same turn of the
 * event loop. A session that does not return to its home screen is ended and replaced.
 */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #host: HostSessionOptions;
  readonly #users: PoolUsers;
  readonly #queue = new FairQueue<Served>({
    most: MOST_WAITING,
    mostOfAddress: MOST_WAITING_OF_CALLER,
    refusal: () => new QueueFullError('too many calls wait'),
  });
  /** All sessions until their connections are closed. */
  readonly #sessions = new Set<PooledSession>();
  /** Used as a stack, so that surplus sessions become idle. */
  readonly #free: PooledSession[] = [];
  /** Each lent session with the source that aborts its call. */
  readonly #lent = new Map<PooledSession, StopSource>();
  readonly #opening = new Set<PooledSession>();
  readonly #pace: RetryPace;
  readonly #stop = new AbortController();
  #isStopping = false;
  #isRetired = false;
  #isDrained = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #emptied: () => void = () => {};

  constructor(options: SessionPoolOptions) {
    const { definition, host, before } = options;
    const { keepAliveMilliseconds: milliseconds } = definition;
    this.#options = options;
    this.#host = {
      ...host,
      keepAlive: milliseconds === undefined ? undefined : { milliseconds, by: 'noOperation' },
    };
    setMaxListeners(0, this.#stop.signal);
    this.#users = new PoolUsers(
      definition.users,
      definition.sessionsPerUser,
      before === undefined ? undefined : before.#users,
    );
    this.#users.left = () => this.#grow();
    this.#pace = new RetryPace(() => this.#grow());
  }

  get sessions(): readonly PooledSession[] {
    return [...this.#sessions];
  }

  get state(): PoolState {
    const { name, host, most } = this.#options.definition;
    const [free, lent] = [this.#free.length, this.#lent.size];
    return {
      name,
      host,
      most,
      isDrained: this.#isDrained,
      free,
      lent,
      between: this.#sessions.size - free - lent,
      waiting: this.#queue.size,
      users: this.#users.states,
      trouble: this.#pace.trouble,
    };
  }

  start(): void {
    const { idleMilliseconds } = this.#options.definition;
    this.#idleTimer = setInterval(() => this.#endIdle(), Math.max(1_000, idleMilliseconds / 4)).unref();
    this.#grow();
  }

  /** @throws the abort reason of `signal` */
  async walk(walk: PoolWalk): Promise<WalkOutcome | PoolOutcome> {
    const { caller, signal } = walk;
    const { definition, metrics = noMetrics } = this.#options;
    const since = performance.now();
    const deadline = since + definition.waitMilliseconds;
    const told = () => metrics.poolWaited(definition.name, secondsSince(since));
    for (;;) {
      const taken = await this.#take(caller, deadline, signal).finally(told);
      if (!(taken instanceof PooledSession)) return taken;
      // the host may have written since the last check
      if (taken.isAtHome) return this.#lend(taken, walk);
      void this.#takeBack(taken);
    }
  }

  /** Call when another pool replaces this one. Calls are completed, then sessions sign off. */
  retire(): void {
    this.#isRetired = true;
    clearInterval(this.#idleTimer);
    this.#pace.stop();
    if (this.#queue.size === 0) this.#signOffFree();
  }

  /** Stops lending until the pool is resumed. Sessions sign off as soon as they are free. */
  drain(): void {
    this.#isDrained = true;
    while (this.#queue.serve('drained'));
    this.#signOffFree();
  }

  resume(): void {
    this.#isDrained = false;
    this.#grow();
  }

  /** Ends all sessions. Free sessions sign off; lent ones may continue for `graceMilliseconds`. */
  async stop(graceMilliseconds: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#idleTimer);
    this.#pace.stop();
    while (this.#queue.serve('stopping'));
    const isEmpty = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const session of this.#opening) session.end();
    this.#signOffFree();
    const timer = setTimeout(() => {
      this.#stop.abort(poolStops);
      for (const call of this.#lent.values()) call.abort(poolStops);
      for (const session of this.#sessions) session.end();
    }, graceMilliseconds);
    if (this.#sessions.size > 0) await isEmpty;
    clearTimeout(timer);
  }

  get isEmpty(): boolean {
    return this.#sessions.size === 0 && this.#queue.size === 0;
  }

  async #take(caller: string, deadline: number, signal: AbortSignal): Promise<PooledSession | PoolOutcome> {
    signal.throwIfAborted();
    if (this.#isStopping) return { kind: 'stopping' };
    if (this.#isDrained) return drained;
    const session = this.#free.pop();
    if (session !== undefined) {
      this.#grow();
      return session;
    }
    if (this.#isHopeless) return { kind: 'cannotSignOn' };
    const left = deadline - performance.now();
    if (left <= 0) return this.#nothing();
    try {
      const served = await withinTime(left, signal, waitIsOver, (within) => {
        const turn = this.#queue.wait(caller, within);
        this.#grow();
        return turn;
      });
      if (served === 'drained') return drained;
      return typeof served === 'string' ? { kind: served } : served;
    } catch (error) {
      if (error === waitIsOver || error instanceof QueueFullError) return this.#nothing();
      throw error;
    }
  }

  #nothing(): PoolOutcome {
    const isThere = this.#sessions.size > this.#opening.size;
    const { waitMilliseconds } = this.#options.definition;
    if (!isThere && this.#pace.trouble !== undefined) {
      return { kind: 'hostUnreachable', retryAfterSeconds: secondsOf(this.#pace.leftMilliseconds) };
    }
    return { kind: 'noSession', retryAfterSeconds: secondsOf(waitMilliseconds) };
  }

  get #isHopeless(): boolean {
    return this.#sessions.size === 0 && this.#users.areStopped;
  }

  async #lend(session: PooledSession, { signal, ...walk }: PoolWalk): Promise<WalkOutcome | PoolOutcome> {
    const { checkoutMilliseconds } = this.#options.definition;
    let isClean = false;
    try {
      const outcome = await withinTime(checkoutMilliseconds, signal, checkoutIsOver, (end) => {
        this.#lent.set(session, end);
        return session.walk(walk, end);
      });
      isClean = isComeTo(outcome);
      return outcome;
    } catch (error) {
      if (error === checkoutIsOver) return { kind: 'overTime', seconds: secondsOf(checkoutMilliseconds) };
      if (error === poolStops) return { kind: 'stopping' };
      // cancelled by the caller, or rejected before anything was sent: the host is not in trouble
      isClean = signal.aborted || error instanceof ServiceError;
      throw error;
    } finally {
      this.#lent.delete(session);
      if (isClean) void this.#takeBack(session);
      else this.#replace(session);
    }
  }

  async #takeBack(session: PooledSession): Promise<void> {
    const { name, checkoutMilliseconds } = this.#options.definition;
    let isHome = session.isAtHome;
    // let the finished call get its answer before the session returns to the home screen
    if (!isHome && this.#queue.size === 0) await nextTurn();
    try {
      isHome ||= await withinTime(checkoutMilliseconds, this.#stop.signal, checkoutIsOver, (signal) =>
        session.comeHome(signal),
      );
    } catch (error) {
      if (error !== checkoutIsOver && error !== poolStops) {
        this.#options.log.error({ pool: name, err: error }, 'a pool session could not return to its home screen');
      }
    }
    if (isHome) this.#offer(session);
    else this.#replace(session);
  }

  #offer(session: PooledSession): void {
    session.lastUsed = performance.now();
    if (this.#isStopping || this.#isDrained) void this.#signOff(session);
    else if (this.#queue.serve(session)) return;
    else if (this.#isRetired) void this.#signOff(session);
    else this.#free.push(session);
  }

  #replace(session: PooledSession): void {
    // avoids a fast loop with a host that always leaves the home screen
    if (!session.wasLent) this.#inTrouble('the host has left the home screen by itself, and no key leads back');
    session.end();
    this.#grow();
  }

  #signOffFree(): void {
    for (const session of this.#free.splice(0)) void this.#signOff(session);
  }

  async #signOff(session: PooledSession): Promise<void> {
    try {
      await withinTime(SIGN_OFF_MILLISECONDS, this.#stop.signal, checkoutIsOver, (signal) => session.signOff(signal));
    } catch (error) {
      if (error !== poolStops) {
        this.#options.log.error({ pool: this.#options.definition.name, err: error }, 'a session could not sign off');
      }
      session.end();
    }
  }

  #grow(): void {
    if (this.#isStopping || this.#isDrained) return;
    const { ready, most } = this.#options.definition;
    const kept = this.#isRetired ? 0 : ready;
    for (;;) {
      const coming = this.#free.length + this.#opening.size;
      if (this.#sessions.size >= most || coming >= this.#queue.size + kept) return;
      // while the host is in trouble, only one at a time
      if (this.#pace.trouble !== undefined && (this.#opening.size > 0 || this.#pace.leftMilliseconds > 0)) return;
      const now = performance.now();
      const life = this.#users.take(now);
      if (life === undefined) {
        const { nextAt } = this.#users;
        if (nextAt !== undefined && nextAt > now) this.#pace.again(nextAt - now);
        return;
      }
      void this.#open(life);
    }
  }

  async #open(life: WorkerSlot): Promise<void> {
    const { definition, log } = this.#options;
    const session = new PooledSession(
      life,
      { ...this.#options, host: this.#host },
      { strayed: () => this.#strayed(session), ended: () => this.#ended(session) },
    );
    this.#sessions.add(session);
    this.#opening.add(session);
    const facts = { pool: definition.name, host: definition.host, user: life.definition.user };
    try {
      const end = await session.signOn(this.#stop.signal);
      this.#opening.delete(session);
      if (end.kind === 'signedOn') {
        life.accepted();
        if (this.#pace.isOver()) log.info(facts, 'the pool has sessions again');
        this.#offer(session);
      } else if (end.kind === 'refused') {
        const isStopped = life.refused();
        this.#pace.isOver();
        const what = isStopped ? 'the user is stopped: no further sign-on is attempted' : 'it will be retried';
        log[isStopped ? 'error' : 'warn'](
          { ...facts, reason: end.words },
          `the host refused a sign-on of a pool; ${what}`,
        );
        session.end();
      } else {
        life.undecided();
        this.#inTrouble(end.words);
        session.end();
      }
    } catch (error) {
      this.#opening.delete(session);
      life.undecided();
      session.end();
      if (error === poolStops) return this.#grow();
      this.#inTrouble('the sign-on failed');
      log.error({ ...facts, err: error }, 'a sign-on of a pool failed');
    }
    this.#grow();
  }

  #inTrouble(words: string): void {
    if (this.#isStopping || this.#isDrained) return;
    const { name, host } = this.#options.definition;
    const nextTryMilliseconds = this.#pace.failed(words);
    if (nextTryMilliseconds === undefined) return;
    this.#options.log.warn(
      { pool: name, host, reason: words, nextTryMilliseconds },
      'a pool can have no session of its host',
    );
  }

  /** Returns a free session to its home screen before a call needs it. */
  #strayed(session: PooledSession): void {
    if (this.#takeFree(session)) void this.#takeBack(session);
  }

  #takeFree(session: PooledSession): boolean {
    const at = this.#free.indexOf(session);
    if (at >= 0) this.#free.splice(at, 1);
    return at >= 0;
  }

  #ended(session: PooledSession): void {
    this.#sessions.delete(session);
    // avoids a fast loop with a host that disconnects idle sessions
    if (this.#takeFree(session) && !session.wasLent) this.#inTrouble('the host ended an idle session');
    session.life.leave();
    if (this.#isHopeless) while (this.#queue.serve('cannotSignOn'));
    if (this.#sessions.size === 0) this.#emptied();
  }

  #endIdle(): void {
    const { ready, idleMilliseconds } = this.#options.definition;
    const since = performance.now() - idleMilliseconds;
    while (this.#free.length > ready) {
      const [session] = this.#free;
      if (session === undefined || session.lastUsed > since) return;
      this.#free.shift();
      void this.#signOff(session);
    }
  }
}
