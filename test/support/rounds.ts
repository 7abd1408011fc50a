/**
 * How many random cases a test walks: a part of them in every run, as each run has others, and all of them where
 * SALLYPORT_TEST_ROUNDS=all says so.
 */
export function rounds(all: number, everyRun: number): number {
  return process.env.SALLYPORT_TEST_ROUNDS === 'all' ? all : everyRun;
}
