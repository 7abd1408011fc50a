import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  readonly until: number;
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Time of `performance.now()` until which a piece of work may wait for the database: the given milliseconds from now, or the rest
 * of the work that it is part of.
 */
export function limitOf(milliseconds: number): number {
  const own = performance.now() + milliseconds;
  const scope = scopes.getStore();
  return scope === undefined || scope.isOver ? own : Math.min(scope.until, own);
}

/**
 * Everything that `work` waits for shares one limit. Timers and jobs that `work` leaves behind have limits of their own again.
 * @param work may call `over`: the limit does not apply to the rest
 */
export async function withinLimit<T>(until: number, work: (over: () => void) => Promise<T>): Promise<T> {
  const scope: Scope = { until, isOver: false };
  const over = () => {
    scope.isOver = true;
  };
  try {
    return await scopes.run(scope, () => work(over));
  } finally {
    over();
  }
}

/** Rejects at the limit with the reason; what becomes of the promise later is ignored. */
export async function orLate<T>(promise: Promise<T>, until: number, reason: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(reason)), Math.max(0, until - performance.now()));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
