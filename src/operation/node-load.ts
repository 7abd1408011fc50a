import type { MinuteFigure } from './minute-figures.js';

/** How much a server does. */
export interface NodeLoad {
  /** On its clock, as its minutes are: milliseconds since 1970. */
  readonly now: number;
  /** Of its inbound lines, now. */
  readonly sessions: number;
  readonly connections: number;
  /** The minute that runs now and up to 59 before it, the oldest first. */
  readonly lastHour: readonly MinuteFigure[];
}

/** How much all servers of a cluster do together. */
export interface ClusterLoad extends NodeLoad {
  /** Codes of the servers that are counted; none where there is only one server. */
  readonly counted: readonly string[];
  /** Why others are not, by their codes. */
  readonly missing: ReadonlyMap<string, string>;
}

const MINUTE_MILLISECONDS = 60_000;
const MOST_MINUTES = 60;

/** What another server says of itself; undefined: another version says otherwise. */
export function readNodeLoad(text: string): NodeLoad | undefined {
  let said: Partial<Record<keyof NodeLoad, unknown>> | null;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { now, sessions, connections, lastHour } = said ?? {};
  if (!isCount(now) || !isCount(sessions) || !isCount(connections)) return undefined;
  if (!Array.isArray(lastHour) || lastHour.length > MOST_MINUTES) return undefined;
  const isMinute = (one: Partial<MinuteFigure> | null) =>
    isCount(one?.at) && isCount(one.sessions) && isCount(one.requests);
  return lastHour.every(isMinute) ? { now, sessions, connections, lastHour } : undefined;
}

/** What servers do together, on the clock of the first one. */
export function sumOfLoads(own: NodeLoad, others: readonly NodeLoad[]): NodeLoad {
  const current = startOfMinute(own.now);
  const minutes = new Map(own.lastHour.map((minute) => [minute.at, minute]));
  for (const { now, lastHour } of others) {
    const ahead = startOfMinute(now) - current;
    for (const { at, sessions, requests } of lastHour) {
      const here = at - ahead;
      const known = minutes.get(here) ?? { at: here, sessions: 0, requests: 0 };
      minutes.set(here, { at: here, sessions: known.sessions + sessions, requests: known.requests + requests });
    }
  }
  const all = [own, ...others];
  return {
    now: own.now,
    sessions: all.reduce((sum, { sessions }) => sum + sessions, 0),
    connections: all.reduce((sum, { connections }) => sum + connections, 0),
    lastHour: [...minutes.values()]
      .filter(({ at }) => at <= current && at > current - MOST_MINUTES * MINUTE_MILLISECONDS)
      .sort((one, other) => one.at - other.at),
  };
}

function startOfMinute(time: number): number {
  return time - (time % MINUTE_MILLISECONDS);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A server of the cluster as operators see it. */
export interface NodeFigures {
  readonly code: string;
  /** Whether it is the one that was asked. */
  readonly isThis: boolean;
  /** `gone`: it has said nothing for a while. */
  readonly state: 'up' | 'draining' | 'gone';
  /** `host:port` of its internal line; empty: only its own machine reaches it. */
  readonly address: string;
  readonly version: string;
  readonly sessions: number;
  /** Since it was heard of last. */
  readonly silentSeconds: number;
}

/** The servers of the cluster; none where there is only one server. */
export interface NodeList {
  readonly nodes: readonly NodeFigures[];
}
