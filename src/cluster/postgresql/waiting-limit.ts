import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  readonly until: number;
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Time limit of a task on the clock of `performance.now()`: the given milliseconds from now, but no later than the
 * limit of the enclosing task.
 */
export function limitOf(milliseconds: number): number {
  const own = performance.now() + milliseconds;
  const scope = scopes.getStore();
  return scope === undefined || scope.isOver ? own : Math.min(scope.until, own);
}

/**
 * All waits in `work` share one limit. Timers and jobs that `work` leaves behind get their own limits.
 * @param work may call `over` to end the limit for the rest
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

/** Rejects at the limit with `reason`. The later result of the promise is ignored. */
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
