import type { PoolUserDefinition, PoolUserState } from './pool-definition.js';

/** Sign-ons in a row that a host may refuse a user. */
const MOST_REFUSALS = 3;
const FIRST_PAUSE_MILLISECONDS = 1_000;

/** A user of a pool in one session. */
export interface Seat {
  readonly definition: PoolUserDefinition;
  /** The host takes him. */
  accepted(): void;
  /** The host has said no. @returns whether he is stopped now */
  refused(): boolean;
  /** The host has said nothing about him. */
  undecided(): void;
  /** The session is over. */
  leave(): void;
}

interface User {
  readonly definition: PoolUserDefinition;
  sessions: number;
  opening: number;
  refusals: number;
  /** Until when he is left alone (`performance.now()`). */
  pausedUntil: number;
}

/**
 * The users of a pool, and who may sign on. Sign-ons under way and refused ones are together never more than may be refused: no host
 * is given the reason to lock a user.
 */
export class PoolUsers {
  readonly #users: readonly User[];
  readonly #sessionsPerUser: number;
  #left: () => void = () => {};

  /**
   * @param before of the pool that this one takes the place of: its sessions are still there, and refused users stay refused until
   * their password is another one
   */
  constructor(definitions: readonly PoolUserDefinition[], sessionsPerUser: number, before?: PoolUsers) {
    this.#sessionsPerUser = sessionsPerUser;
    const users = before === undefined ? [] : before.#users;
    this.#users = definitions.map((definition) => {
      const known = users.find((user) => user.definition.user === definition.user);
      if (known === undefined) return { definition, sessions: 0, opening: 0, refusals: 0, pausedUntil: 0 };
      const isSame = Buffer.compare(known.definition.password, definition.password) === 0;
      return isSame ? known : inPlaceOf(known, definition);
    });
    if (before !== undefined) before.#left = () => this.#left();
  }

  /** Is told when a user may have another session again. */
  set left(listener: () => void) {
    this.#left = listener;
  }

  get states(): readonly PoolUserState[] {
    return this.#users.map((user) => ({
      user: user.definition.user,
      sessions: user.sessions,
      refusals: user.refusals,
      isStopped: isStopped(user),
    }));
  }

  get areStopped(): boolean {
    return this.#users.every(isStopped);
  }

  /** Of the users who may sign on now, the one with the fewest sessions. */
  take(now: number): Seat | undefined {
    let chosen: User | undefined;
    for (const user of this.#users) {
      if (!this.#maySignOn(user) || user.pausedUntil > now) continue;
      if (chosen === undefined || user.sessions < chosen.sessions) chosen = user;
    }
    return chosen === undefined ? undefined : this.#seat(chosen);
  }

  /** When a user may sign on who may not yet; undefined: time alone changes nothing. */
  get nextAt(): number | undefined {
    const times = this.#users.filter((user) => this.#maySignOn(user)).map(({ pausedUntil }) => pausedUntil);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #maySignOn(user: User): boolean {
    const isTried = user.refusals > 0 && user.opening > 0;
    return user.sessions < this.#sessionsPerUser && user.refusals + user.opening < MOST_REFUSALS && !isTried;
  }

  #seat(user: User): Seat {
    let isOpening = true;
    let isLeft = false;
    user.sessions++;
    user.opening++;
    const decided = () => {
      if (isOpening) user.opening--;
      isOpening = false;
    };
    return {
      definition: user.definition,
      accepted: () => {
        decided();
        user.refusals = 0;
      },
      refused: () => {
        decided();
        user.pausedUntil = performance.now() + FIRST_PAUSE_MILLISECONDS * 2 ** user.refusals++;
        return isStopped(user);
      },
      undecided: decided,
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        decided();
        user.sessions--;
        this.#left();
      },
    };
  }
}

function isStopped({ refusals }: User): boolean {
  return refusals >= MOST_REFUSALS;
}

/** The same user with another password: what the host said of the old one does not count, his sessions do. */
function inPlaceOf(known: User, definition: PoolUserDefinition): User {
  return {
    definition,
    get sessions() {
      return known.sessions;
    },
    set sessions(count) {
      known.sessions = count;
    },
    opening: 0,
    refusals: 0,
    pausedUntil: 0,
  };
}
