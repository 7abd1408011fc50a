import { readFileSync, readlinkSync } from 'node:fs';
import type { ErrorCode } from '../errors.js';

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

/** A kind of work that threads do. Orders and results are plain data: they are copied from thread to thread. */
export interface ThreadWork<Order, Result> {
  readonly name: string;
  /** Calls `answerOrders` when it is loaded. */
  readonly module: URL;
  /** Only for the types. */
  readonly types?: (order: Order) => Result;
}

/** What a thread is asked. */
export interface ThreadOrder {
  readonly name: string;
  readonly module: string;
  readonly order: unknown;
  /** Of the result, serialized. */
  readonly mostBytes: number;
}

export type ThreadReply =
  /** The module is loaded, and the work begins. `thread` is the number that the system has given to it, if it can be read. */
  | { readonly kind: 'begun'; readonly thread: number | undefined }
  /** Serialized as `node:v8` does. */
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** A ServiceError was thrown. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string | undefined }
  /** Another error was thrown. Messages may quote texts of users, and only those of the operating system are passed on. */
  | { readonly kind: 'failed'; readonly message: string; readonly frames: string };

type Answer = (order: unknown) => unknown;

const answers = new Map<string, Answer>();

/** Says how this thread does a kind of work. */
export function answerOrders<Order, Result>(
  { name }: ThreadWork<Order, Result>,
  answer: (order: Order) => Result | Promise<Result>,
): void {
  answers.set(name, (order) => answer(order as Order));
}

/** @throws Error if the module of the work does not call `answerOrders` */
export function answerTo(name: string): Answer {
  const answer = answers.get(name);
  if (answer === undefined) throw new Error(`no answer to orders of ${name}`);
  return answer;
}
