import { FairTurns, type Peer } from './fair-turns.js';

/** Work that can rest wherever it yields. */
export type RestingWork<Result> = Generator<undefined, Result, void>;

export function atOnce<Result>(work: RestingWork<Result>): Result {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/**
 * Shares the event loop with others meanwhile.
 * @param peer the client that the work is done for; without one, the work is a peer of its own
 */
export function inTurns<Result>(work: RestingWork<Result>, peer: Peer = work): Promise<Result> {
  return new Promise((resolve, reject) => begin(peer, work, resolve, reject));
}

/**
 * The same, but at once what is done within this turn.
 * @param rests called before others have their turn
 */
export function atOnceOrInTurns<Result>(
  work: RestingWork<Result>,
  rests: () => void,
  peer: Peer = work,
): Result | Promise<Result> {
  let resolve: (result: Result) => void = (result) => {
    resultOf = () => result;
  };
  let reject = (fault: unknown): void => {
    resultOf = () => {
      throw fault;
    };
  };
  let resultOf: (() => Result) | undefined;
  begin(
    peer,
    work,
    (result) => resolve(result),
    (fault) => reject(fault),
  );
  if (resultOf !== undefined) return resultOf();
  rests();
  return new Promise((...settle) => {
    [resolve, reject] = settle;
  });
}

function begin<Result>(
  peer: Peer,
  work: RestingWork<Result>,
  resolve: (result: Result) => void,
  reject: (fault: unknown) => void,
): void {
  FairTurns.ofClients.run(peer, (mayGoOn) => {
    try {
      do {
        const next = work.next();
        if (next.done) {
          resolve(next.value);
          return true;
        }
      } while (mayGoOn());
      return false;
    } catch (fault) {
      reject(fault);
      return true;
    }
  });
}
