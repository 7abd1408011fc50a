import { ServiceError } from '../lib/errors.js';
import type { MinuteFigure } from './minute-figures.js';

export interface NodeLoad {
  /** Current time of this node's clock in milliseconds since 1970. */
  readonly now: number;
  readonly sessions: number;
  readonly connections: number;
  /** The current and up to 59 previous minutes, oldest first. */
  readonly lastHour: readonly MinuteFigure[];
}

export interface ClusterLoad extends NodeLoad {
  /** Codes of the nodes in the sum; empty without cluster. */
  readonly counted: readonly string[];
  /** Reasons why other nodes are missing, by node code. */
  readonly missing: ReadonlyMap<string, string>;
}

const MINUTE_MILLISECONDS = 60_000;
const MOST_MINUTES = 60;

/** Returns undefined if another version of Sallyport sent another format. */
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

/** Adds the loads of nodes on the clock of the first one. */
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

/** The admin API sends it as JSON (docs/run/operation.md). */
export interface NodeFigures {
  readonly code: string;
  /** `gone`: no sign of life for a while. */
  readonly state: 'up' | 'draining' | 'gone';
  /** `host:port` of the internal line; empty if the line accepts only connections of its own machine. */
  readonly address: string;
  readonly version: string;
  readonly sessions: number;
  readonly silentSeconds: number;
  readonly this: boolean;
}

export interface NodeList {
  readonly nodes: readonly NodeFigures[];
}

/** @throws ServiceError SVC_ERR_NODE_UNKNOWN */
export function nodeNamed({ nodes }: NodeList, code: string): NodeFigures {
  const node = nodes.find((one) => one.code === code);
  if (node === undefined) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
  return node;
}
