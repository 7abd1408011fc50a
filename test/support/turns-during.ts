/** @returns the result of the work, and the number of event loop turns until then */
export async function turnsDuring<Result>(work: Promise<Result>): Promise<[Result, number]> {
  let turns = 0;
  const others = () => {
    turns++;
    next = setImmediate(others);
  };
  let next = setImmediate(others);
  const result = await work.finally(() => clearImmediate(next));
  return [result, turns];
}
