import type { IncomingMessage } from 'node:http';

const ends = new WeakMap<IncomingMessage, () => void>();

/** Notes that a request counts as under way until `end` is called. */
export function noteUnderWay(request: IncomingMessage, end: () => void): void {
  ends.set(request, end);
}

/** A request that waits for something outside this process is not under way: its client may begin others. */
export function waitsOutside(request: IncomingMessage): void {
  ends.get(request)?.();
}
