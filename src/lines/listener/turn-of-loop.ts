/** On a busy machine, a request that has already arrived may not have been read yet. */
export function afterPolling(work: () => void): void {
  setImmediate(work);
}

/** In which every source of events is looked at. */
export async function oneTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
