import type { IncomingMessage } from 'node:http';

/** A property, as an entry in a WeakMap for each request costs one percent of the time of a scenario request. */
const END = Symbol('end');

interface NotedRequest extends IncomingMessage {
  [END]?: () => void;
}

/** Notes that a request counts as under way until `end` is called. */
export function noteUnderWay(request: NotedRequest, end: () => void): void {
  request[END] = end;
}

/** A request that waits for something outside this process is not under way: its client may begin others. */
export function waitsOutside(request: NotedRequest): void {
  request[END]?.();
}
