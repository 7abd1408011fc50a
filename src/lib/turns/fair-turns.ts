interface TurnClock {
  readonly now: () => number;
  /** Runs the function after the event loop has polled all other sources. */
  readonly nextTurn: (run: () => void) => void;
  /** Runs the function after all settled promises and their reactions. Default: at once. */
  readonly settled?: (run: () => void) => void;
  /** Without it, starts that wait for external events keep their slots until they end. */
  readonly after?: (milliseconds: number, run: () => void) => void;
}

/**
 * Runs at least one step, then continues while `mayGoOn` returns true.
 * @returns true if the work is complete
 */
type Work = (mayGoOn: () => boolean) => boolean;

/** Client address, or an object for a peer without address. */
export type Peer = string | object;

export const MILLISECONDS_A_PEER = 4;
/** Time limit of all peers before the event loop polls other sources. */
const MILLISECONDS_A_TURN = 12;
/** Limit for the excess time that is charged to later turns. */
const MOST_MILLISECONDS_OWED = 100;
/** Active starts per peer: neither finished nor waiting for external events. */
const MOST_UNDER_WAY = 8;
/** Starts that are active for longer count as waiting. */
const MILLISECONDS_UNDER_WAY = 25;

class PeerState {
  readonly peer: Peer;
  readonly works = new Set<Work>();
  readonly starts = new Set<Work>();
  /** End functions of active starts, with their start times, oldest first. */
  readonly underWay = new Map<() => void, number>();
  /** Milliseconds used in this turn, plus the excess of earlier turns. */
  spent = 0;
  #hasStarted = false;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  get isIdle(): boolean {
    return this.works.size === 0 && this.starts.size === 0 && this.underWay.size === 0 && this.spent === 0;
  }

  /** Removes the next work from its queue. Alternates between starts and other works. */
  next(hasRoom: () => boolean): { readonly work: Work; readonly queue: Set<Work> } | undefined {
    const mayStart = this.starts.size > 0 && hasRoom();
    this.#hasStarted = mayStart && (this.works.size === 0 || !this.#hasStarted);
    const queue = this.#hasStarted ? this.starts : this.works;
    const [work] = queue;
    if (work === undefined) return undefined;
    queue.delete(work);
    return { work, queue };
  }
}

/**
 * Shares a thread fairly among peers, each of which may send too much. Peers take turns, and the works of one peer take
 * turns within its time slice. A work is also charged for the promises that it settles.
 */
export class FairTurns {
  static readonly ofHosts = new FairTurns(realClock());
  /** Turns of work for clients, by client address. Separate from the hosts, so that many hosts do not delay clients. */
  static readonly ofClients = new FairTurns(realClock());

  readonly #clock: TurnClock;
  readonly #settled: (run: () => void) => void;
  readonly #peers = new Map<Peer, PeerState>();
  readonly #ready = new Set<PeerState>();
  #spent = 0;
  #isScheduled = false;
  #isTurn = false;
  /** Number of peers without a slice in this turn so far. */
  #left = 0;
  #charged: PeerState | undefined;
  #chargedFrom = 0;
  #isSettling = false;
  #willLookAgain = false;
  #current: PeerState | undefined;
  readonly #spenders = new Set<PeerState>();

  constructor(clock: TurnClock) {
    this.#clock = clock;
    this.#settled = clock.settled ?? ((run) => run());
  }

  /**
   * Runs the work at once if no work is waiting and the peer has time left in this turn. The rest runs in later turns.
   * @returns true if the work is complete
   */
  run(peer: Peer, work: Work): boolean {
    return this.#runOrQueue(this.#stateOf(peer), work, false);
  }

  /** Like `run`, but the work waits while the peer has `MOST_UNDER_WAY` active starts. */
  start(peer: Peer, work: Work): boolean {
    return this.#runOrQueue(this.#stateOf(peer), work, true);
  }

  queue(peer: Peer, work: Work): void {
    const state = this.#stateOf(peer);
    state.works.add(work);
    this.#wake(state);
  }

  /** Resolves in a turn of the peer. Undefined if it may run now. */
  turn(peer: Peer): Promise<void> | undefined {
    const state = this.#stateOf(peer);
    if (this.#mayRun(state, state.works)) {
      this.#charge();
      this.#charged = state;
      this.#settle();
      return undefined;
    }
    return new Promise((resolve) => {
      this.run(peer, () => {
        resolve();
        return true;
      });
    });
  }

  leave(peer: Peer, work: Work): void {
    const state = this.#peers.get(peer);
    if (state === undefined) return;
    state.works.delete(work);
    state.starts.delete(work);
    this.#forget(state);
  }

  /**
   * Registers an active start.
   * @returns function that ends it, callable more than once
   */
  underWay(peer: Peer): () => void {
    const state = this.#stateOf(peer);
    const end = () => {
      if (!state.underWay.delete(end)) return;
      if (state.starts.size > 0) this.#wake(state);
      else this.#forget(state);
    };
    state.underWay.set(end, this.#clock.now());
    return end;
  }

  #stateOf(peer: Peer): PeerState {
    let state = this.#peers.get(peer);
    if (state === undefined) {
      state = new PeerState(peer);
      this.#peers.set(peer, state);
    }
    return state;
  }

  #runOrQueue(state: PeerState, work: Work, isStart: boolean): boolean {
    const queue = isStart ? state.starts : state.works;
    let isDone = false;
    if (this.#mayRun(state, queue) && (!isStart || this.#hasRoom(state))) {
      isDone = this.#perform(state, work, isStart);
      this.#settle();
    }
    if (!isDone) queue.add(work);
    this.#wake(state);
    this.#forget(state);
    return isDone;
  }

  /** A peer may use the time of a whole turn if no other peer waits. */
  #mayRun({ spent }: PeerState, queue: ReadonlySet<Work>): boolean {
    const isFree = this.#ready.size === 0 && !this.#isTurn && this.#spent < MILLISECONDS_A_TURN;
    return isFree && queue.size === 0 && spent < MILLISECONDS_A_TURN;
  }

  #wake(state: PeerState): void {
    if (this.#isReady(state)) this.#ready.add(state);
    if (this.#ready.size > 0) this.#schedule();
  }

  #forget(state: PeerState): void {
    if (!state.isIdle || state === this.#charged) return;
    this.#ready.delete(state);
    this.#peers.delete(state.peer);
  }

  #isReady(state: PeerState): boolean {
    return state.works.size > 0 || (state.starts.size > 0 && this.#hasRoom(state));
  }

  /** Starts that are active for too long count as waiting and free their slots. */
  #hasRoom({ underWay }: PeerState): boolean {
    if (underWay.size < MOST_UNDER_WAY) return true;
    const latest = this.#clock.now() - MILLISECONDS_UNDER_WAY;
    for (const [end, began] of underWay) {
      if (began > latest) break;
      underWay.delete(end);
    }
    if (underWay.size < MOST_UNDER_WAY) return true;
    this.#lookAgain();
    return false;
  }

  #lookAgain(): void {
    if (this.#willLookAgain || this.#clock.after === undefined) return;
    this.#willLookAgain = true;
    this.#clock.after(MILLISECONDS_UNDER_WAY, () => {
      this.#willLookAgain = false;
      for (const state of this.#peers.values()) if (state.starts.size > 0) this.#wake(state);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.nextTurn(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#charge();
    this.#charged = undefined;
    this.#isScheduled = false;
    this.#isTurn = true;
    this.#spent = 0;
    this.#current = undefined;
    this.#left = this.#ready.size;
    for (const state of this.#spenders) {
      state.spent = Math.min(state.spent, MOST_MILLISECONDS_OWED) - MILLISECONDS_A_PEER;
      if (state.spent > 0) continue;
      state.spent = 0;
      this.#spenders.delete(state);
      this.#forget(state);
    }
    this.#goOn();
  }

  /** Runs one work. The next one follows after all reactions of this one are done and charged. */
  readonly #goOn = (): void => {
    this.#charge();
    this.#charged = undefined;
    const state = this.#next();
    const work = state?.next(() => this.#hasRoom(state));
    if (state === undefined || work === undefined) {
      this.#endTurn();
      return;
    }
    try {
      if (!this.#perform(state, work.work, work.queue === state.starts)) work.queue.add(work.work);
    } finally {
      this.#settled(this.#goOn);
    }
  };

  #next(): PeerState | undefined {
    while (this.#spent < MILLISECONDS_A_TURN) {
      const current = this.#current;
      if (current !== undefined && current.spent < MILLISECONDS_A_PEER && this.#isReady(current)) return current;
      if (this.#left === 0) return undefined;
      this.#left--;
      const [first] = this.#ready;
      if (first === undefined) return undefined;
      this.#ready.delete(first);
      if (this.#isReady(first)) this.#ready.add(first);
      this.#current = first;
    }
    return undefined;
  }

  #endTurn(): void {
    this.#isTurn = false;
    this.#current = undefined;
    for (const state of this.#ready) {
      if (this.#isReady(state)) continue;
      this.#ready.delete(state);
      this.#forget(state);
    }
    if (this.#ready.size > 0) this.#schedule();
  }

  #perform(state: PeerState, work: Work, isStart: boolean): boolean {
    const outer = this.#charged;
    this.#charge();
    this.#charged = state;
    const end = this.#chargedFrom + MILLISECONDS_A_PEER - state.spent;
    try {
      return work(() => this.#clock.now() < end && (!isStart || this.#hasRoom(state)));
    } finally {
      this.#charge();
      this.#charged = outer ?? state;
    }
  }

  #charge(): void {
    const now = this.#clock.now();
    const spent = now - this.#chargedFrom;
    this.#chargedFrom = now;
    if (this.#charged === undefined || spent === 0) return;
    this.#spent += spent;
    this.#charged.spent += spent;
    this.#spenders.add(this.#charged);
    // The next turn subtracts a time slice, because limits apply to the time between two polls of the event loop.
    this.#schedule();
  }

  #settle(): void {
    if (this.#isSettling) return;
    this.#isSettling = true;
    this.#settled(() => {
      this.#isSettling = false;
      const charged = this.#charged;
      this.#charge();
      this.#charged = undefined;
      if (charged !== undefined) this.#forget(charged);
    });
  }
}

function realClock(): TurnClock {
  return {
    now: () => performance.now(),
    nextTurn: (run) => setImmediate(run),
    // Node.js runs all promise reactions before a `nextTick` callback that one of them adds.
    settled: (run) => queueMicrotask(() => process.nextTick(run)),
    after: (milliseconds, run) => setTimeout(run, milliseconds).unref(),
  };
}

export interface ClientTurn {
  readonly peer: string;
  /** Call before a wait for an external event. The start is then no longer active. */
  waitsOutside(): void;
}

/**
 * Waits for an external event and continues in a turn of the client, so that responses that arrive together are not
 * processed in one block.
 */
export async function outside<Result>(client: ClientTurn | undefined, wait: () => Promise<Result>): Promise<Result> {
  if (client === undefined) return wait();
  client.waitsOutside();
  try {
    return await wait();
  } finally {
    await FairTurns.ofClients.turn(client.peer);
  }
}
