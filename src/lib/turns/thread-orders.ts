import { readFileSync, readlinkSync } from 'node:fs';
import type { ErrorCode } from '../errors.js';
import type { PublicDetail } from '../locale.js';

const NANOSECONDS_OF_MILLISECOND = 1_000_000;

/** Linux ID of the calling thread. Undefined on other systems. */
export function ownThread(): number | undefined {
  const number = Number(read(() => readlinkSync('/proc/thread-self').split('/').at(-1)));
  return Number.isInteger(number) ? number : undefined;
}

/** CPU time of a thread of this process, in milliseconds. Undefined if not available or if the thread has ended. */
export function processorTime(thread: number): number | undefined {
  // Fields: CPU time, time in the run queue, number of time slices.
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

/** Kind of work for threads. Orders and results must be plain data, because they are copied between threads. */
export interface ThreadWork<Order, Result> {
  readonly name: string;
  /** Must call `answerOrders` when loaded. */
  readonly module: URL;
  /** Carries the types only. */
  readonly types?: (order: Order) => Result;
}

export interface ThreadOrder {
  readonly name: string;
  readonly module: string;
  readonly order: unknown;
  readonly mostBytes: number;
}

export type ThreadReply =
  /** The module is loaded. `thread` is its Linux ID, if available. */
  | { readonly kind: 'begun'; readonly thread: number | undefined }
  /** Serialized with `node:v8`. */
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: PublicDetail | undefined }
  /**
   * The work threw another error. Messages may quote user text, so only messages of the operating system are passed on.
   */
  | { readonly kind: 'failed'; readonly message: string; readonly frames: string };

type OrderHandler = (order: unknown) => unknown;

const answers = new Map<string, OrderHandler>();

export function answerOrders<Order, Result>(
  { name }: ThreadWork<Order, Result>,
  answer: (order: Order) => Result | Promise<Result>,
): void {
  answers.set(name, (order) => answer(order as Order));
}

export function answerTo(name: string): OrderHandler {
  const answer = answers.get(name);
  if (answer === undefined) throw new Error(`no answer to orders of ${name}`);
  return answer;
}
