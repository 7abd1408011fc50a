import { createHash } from 'node:crypto';
import pino from 'pino';

/** How long the stack of an error stands for those of the same kind. */
const STACK_MILLISECONDS = 60_000;
/** Kinds of errors that are remembered; a further one replaces the oldest. */
const MOST_ERROR_KINDS = 1_000;
/** Errors and their causes that make a kind. */
const MOST_CAUSES = 10;

interface LoggedStack {
  readonly at: number;
  /** ISO 8601: the time of its line, as good as the millisecond. */
  readonly time: string;
}

/**
 * Writes errors into the log. Of errors of one kind (names, codes and frames of an error and its causes) the first one in a minute has its
 * stack. The others have all other members, and `stackAt`: when the stack was logged. During an outage every request
 * would otherwise write 2 KB.
 */
export class RepeatedStacks {
  readonly #now: () => number;
  /** By kind, the one logged first in front. */
  readonly #logged = new Map<string, LoggedStack>();

  /** @param now milliseconds of a clock that nobody sets */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The members of the log for an error; other values stay as they are. */
  written(error: unknown): unknown {
    if (!(error instanceof Error)) return pino.stdSerializers.err(error as Error);
    const serialized = pino.stdSerializers.err(error);
    const kind = kindOf(error);
    const logged = this.#logged.get(kind);
    const now = this.#now();
    if (logged !== undefined && now - logged.at < STACK_MILLISECONDS) {
      return { ...withoutStacks(serialized), stackAt: logged.time };
    }
    this.#logged.delete(kind);
    this.#logged.set(kind, { at: now, time: new Date().toISOString() });
    for (const oldest of this.#logged.keys()) {
      if (this.#logged.size <= MOST_ERROR_KINDS) break;
      this.#logged.delete(oldest);
    }
    return serialized;
  }
}

/** Messages are left out: they name addresses, ids and times. */
function kindOf(error: Error): string {
  const hash = createHash('sha256');
  let cause: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    const { name, stack = '', code } = cause as Error & { readonly code?: unknown };
    const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
    hash.update(`${name} ${String(code)}\n${frames.join('\n')}\n`);
    cause = cause.cause;
  }
  return hash.digest('base64');
}

/** The members of an error, and of errors in it, but their stacks. */
function withoutStacks(error: object): object {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(error)) {
    if (name === 'stack') continue;
    members[name] = Array.isArray(value) ? value.map(withoutStack) : withoutStack(value);
  }
  return members;
}

function withoutStack(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'stack' in value ? withoutStacks(value) : value;
}
