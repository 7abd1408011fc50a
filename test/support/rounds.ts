/**
 * Number of random cases of a test: `everyRun` with different cases in each run, or all if SALLYPORT_TEST_ROUNDS=all.
 */
export function rounds(all: number, everyRun: number): number {
  return process.env.SALLYPORT_TEST_ROUNDS === 'all' ? all : everyRun;
}
