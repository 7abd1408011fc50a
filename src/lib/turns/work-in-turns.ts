import { FairTurns, type Peer } from './fair-turns.js';

/** Work that can pause at each `yield`. */
export type RestingWork<Result> = Generator<undefined, Result, void>;

export function atOnce<Result>(work: RestingWork<Result>): Result {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/**
 * Runs the work in fair turns.
 * @param peer client of the work. Default: the work itself.
 */
export function inTurns<Result>(work: RestingWork<Result>, peer: Peer = work): Promise<Result> {
  return new Promise((resolve, reject) => begin(peer, work, resolve, reject));
}

/**
 * Like `inTurns`, but starts at once, with the time left in this turn.
 * @param rests called before the work pauses
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
