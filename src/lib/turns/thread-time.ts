import { readFileSync, readlinkSync } from 'node:fs';

const NANOSECONDS_OF_MILLISECOND = 1_000_000;

/** The number that Linux has given to the thread that calls; undefined on other systems. */
export function ownThread(): number | undefined {
  const number = Number(read(() => readlinkSync('/proc/thread-self').split('/').at(-1)));
  return Number.isInteger(number) ? number : undefined;
}

/** Processor time that a thread of this process has used, in milliseconds; undefined if the system does not say or the thread has ended. */
export function processorTime(thread: number): number | undefined {
  // the time on a processor, the time of waiting for one, and the number of turns
  const [used = ''] = read(() => readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1'))?.split(' ') ?? [];
  return /^\d+$/.test(used) ? Number(used) / NANOSECONDS_OF_MILLISECOND : undefined;
}

function read(text: () => string | undefined): string | undefined {
  try {
    return text();
  } catch {
    return undefined;
  }
}
