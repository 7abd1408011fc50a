import { FairTurns } from './fair-turns.js';

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
