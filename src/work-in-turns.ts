import { FairTurns } from './fair-turns.js';

/** Work that can rest wherever it yields. */
export type RestingWork<Result> = Generator<undefined, Result, void>;

export function atOnce<Result>(work: RestingWork<Result>): Result {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** Others have the event loop meanwhile. */
export function inTurns<Result>(work: RestingWork<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    FairTurns.ofThisProcess.run((mayGoOn) => {
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
  });
}
