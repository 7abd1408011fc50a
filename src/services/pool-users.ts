import type { PoolUserDefinition, PoolUserState } from './pool-state.js';

const MOST_REFUSALS = 3;
const FIRST_PAUSE_MILLISECONDS = 1_000;

export interface WorkerSlot {
  readonly definition: PoolUserDefinition;
  accepted(): void;
  /** @returns true if the user is now stopped */
  refused(): boolean;
  undecided(): void;
  leave(): void;
}

interface User {
  readonly definition: PoolUserDefinition;
  sessions: number;
  opening: number;
  refusals: number;
  /** Time of the next allowed sign-on (`performance.now()`). */
  pausedUntil: number;
}

/** Current and refused sign-ons of a user never exceed MOST_REFUSALS, so that the host does not lock the user. */
export class PoolUsers {
  readonly #users: readonly User[];
  readonly #sessionsPerUser: number;
  #left: () => void = () => {};

  /** @param before replaced pool: its sessions count, and refused users stay refused until their password changes */
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

  take(now: number): WorkerSlot | undefined {
    let chosen: User | undefined;
    for (const user of this.#users) {
      if (!this.#maySignOn(user) || user.pausedUntil > now) continue;
      if (chosen === undefined || user.sessions < chosen.sessions) chosen = user;
    }
    return chosen === undefined ? undefined : this.#life(chosen);
  }

  /** Time of the next possible sign-on; undefined if none becomes possible by waiting. */
  get nextAt(): number | undefined {
    const times = this.#users.filter((user) => this.#maySignOn(user)).map(({ pausedUntil }) => pausedUntil);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #maySignOn(user: User): boolean {
    const isTried = user.refusals > 0 && user.opening > 0;
    return user.sessions < this.#sessionsPerUser && user.refusals + user.opening < MOST_REFUSALS && !isTried;
  }

  #life(user: User): WorkerSlot {
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

/** Keeps the sessions of a user whose password changed, but not the refusals. */
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
