/** The time, and the moments at which turns go on. */
interface TurnClock {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** After the event loop has looked at all other sources of work. */
  readonly nextTurn: (run: () => void) => void;
  /** After all promises that are settled now, and all that follow from them. Without it: at once. */
  readonly settled?: (run: () => void) => void;
  /** Without it, starts that wait for something outside keep their places until they end. */
  readonly after?: (milliseconds: number, run: () => void) => void;
}

/** Continues as long as `mayGoOn`, one step at least. @returns whether the work is complete */
type Work = (mayGoOn: () => boolean) => boolean;

/** One participant: a client address, or an object for a participant that has no address. */
export type Peer = string | object;

/** How long one peer is worked for before the others have their turn. */
export const MILLISECONDS_A_PEER = 4;
/** How long all peers together are worked for before the event loop looks at everything else. */
const MILLISECONDS_A_TURN = 12;
/** A peer whose work could not be interrupted in time is charged for at most this much in later turns. */
const MOST_MILLISECONDS_OWED = 100;
/** Starts of one peer that may be under way at once: begun, and neither finished nor waiting for something outside. */
const MOST_UNDER_WAY = 8;
/** A start that is under way for longer waits for something outside. */
const MILLISECONDS_UNDER_WAY = 25;

class PeerState {
  readonly peer: Peer;
  readonly works = new Set<Work>();
  /** Works that begin something new: they wait while the peer has too much under way. */
  readonly starts = new Set<Work>();
  /** Ends of the starts that are under way, with the times at which they began, oldest first. */
  readonly underWay = new Map<() => void, number>();
  /** Milliseconds of this turn, and those that the peer owes of earlier turns. */
  spent = 0;
  #hasStarted = false;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  get isIdle(): boolean {
    return this.works.size === 0 && this.starts.size === 0 && this.underWay.size === 0 && this.spent === 0;
  }

  /** Takes the next work out of its queue. Starts and other works take turns. */
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
 * Shares a thread among peers that can each send more than they should. Peers take turns; the works of one peer take turns
 * within its time. A work is charged for the promises that it settles, too.
 */
export class FairTurns {
  /** Of host connections, and of work that belongs to no client. */
  static readonly ofHosts = new FairTurns(realClock());
  /** Of everything that clients cause, by client address. Hosts do not delay clients, however many there are. */
  static readonly ofClients = new FairTurns(realClock());

  readonly #clock: TurnClock;
  readonly #settled: (run: () => void) => void;
  readonly #peers = new Map<Peer, PeerState>();
  /** Peers with work that may be done now, in the order of their turns. */
  readonly #ready = new Set<PeerState>();
  #spent = 0;
  #isScheduled = false;
  /** Whether the peers in `#ready` have their turns now. */
  #isTurn = false;
  /** Number of peers that have not had their slice in this turn. */
  #left = 0;
  /** The peer that is charged for the time since `#chargedFrom`. */
  #charged: PeerState | undefined;
  #chargedFrom = 0;
  #isSettling = false;
  #willLookAgain = false;
  /** The peer whose slice it is. */
  #current: PeerState | undefined;
  /** Peers that have used time of this turn, or owe time of earlier ones. */
  readonly #spenders = new Set<PeerState>();

  constructor(clock: TurnClock) {
    this.#clock = clock;
    this.#settled = clock.settled ?? ((run) => run());
  }

  /**
   * Works at once if nobody waits and the peer and this turn have time left; the rest follows in later turns.
   * @returns whether the work is complete
   */
  run(peer: Peer, work: Work): boolean {
    return this.#runOrQueue(this.#stateOf(peer), work, false);
  }

  /** The same for a work that begins something: it waits while the peer has `MOST_UNDER_WAY` under way. */
  start(peer: Peer, work: Work): boolean {
    return this.#runOrQueue(this.#stateOf(peer), work, true);
  }

  /** Works in the next turn, not at once. */
  queue(peer: Peer, work: Work): void {
    const state = this.#stateOf(peer);
    state.works.add(work);
    this.#wake(state);
  }

  /** Resolves in a turn of the peer; undefined: it has its turn now. */
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

  /** Counts something as under way. @returns ends that; may be called more than once */
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

  /** Whether the peer may work at once. If no other peer waits, it has the time of a whole turn. */
  #mayRun({ spent }: PeerState, queue: ReadonlySet<Work>): boolean {
    const isFree = this.#ready.size === 0 && !this.#isTurn && this.#spent < MILLISECONDS_A_TURN;
    return isFree && queue.size === 0 && spent < MILLISECONDS_A_TURN;
  }

  /** Has the peer's works done in a turn. */
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

  /** Starts that are under way for too long wait for something outside, and make room. */
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

  /** One work; the next one when all that it has caused is done and charged. */
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

  /** The peer that has its slice now. */
  #next(): PeerState | undefined {
    while (this.#spent < MILLISECONDS_A_TURN) {
      const current = this.#current;
      if (current !== undefined && current.spent < MILLISECONDS_A_PEER && this.#isReady(current)) return current;
      if (this.#left === 0) return undefined;
      this.#left--;
      const [first] = this.#ready;
      if (first === undefined) return undefined;
      this.#ready.delete(first);
      // behind the others
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

  /** Charges the peer for the time since it was charged last. */
  #charge(): void {
    const now = this.#clock.now();
    const spent = now - this.#chargedFrom;
    this.#chargedFrom = now;
    if (this.#charged === undefined || spent === 0) return;
    this.#spent += spent;
    this.#charged.spent += spent;
    this.#spenders.add(this.#charged);
    // the next turn subtracts it: limits apply to the time between two polls of the event loop
    this.#schedule();
  }

  /** Charges the peer for the promises that its work has settled. */
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
    // Node serves all promises before the next tick that is asked for by one of them
    settled: (run) => queueMicrotask(() => process.nextTick(run)),
    after: (milliseconds, run) => setTimeout(run, milliseconds).unref(),
  };
}

/** The turns of the client that caused some work. */
export interface ClientTurn {
  /** The participant in `FairTurns.ofClients`. */
  readonly peer: string;
  /** Called before a wait for something outside this process: what has begun is not under way meanwhile. */
  waitsOutside(): void;
}

/**
 * Waits for something outside this process, and continues in the turn of the client: answers that come together are not
 * dealt with in one piece.
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
