import type { TraceSink } from '../lib/log/trace-sinks.js';
import type { ScreenImage } from '../tn3270/screen/screen-image.js';

const IDENTIFIER = /^([a-z0-9]{1,8})-[0-9a-f]{12}(?![0-9a-f])/;

/** Unique across nodes. @param node undefined if there is only one */
export function sessionIdentifier(node: string | undefined, id: string): string {
  return node === undefined ? id : `${node}-${id}`;
}

export function nodeOfIdentifier(name: string): string | undefined {
  return IDENTIFIER.exec(name)?.[1];
}

type SessionKind = 'browser' | 'scenario' | 'pool';

export interface LiveSession {
  readonly id: string;
  readonly node: string;
  readonly kind: SessionKind;
  readonly state: 'connecting' | 'connected' | 'ending';
  readonly user: string;
  readonly address: string;
  readonly line: string;
  /** External name of the transaction, or name of the pool. */
  readonly transaction: string;
  readonly host: string;
  readonly logicalUnit: string | undefined;
  readonly name: string;
  /** Start and last user action in milliseconds since 1970. */
  readonly began: number;
  readonly lastUsed: number;
  readonly watchedBy: readonly string[];
  readonly tracedBy: readonly string[];
}

/** The admin API sends it as JSON (docs/run/operation.md). */
export interface SessionReport extends Omit<LiveSession, 'began' | 'lastUsed'> {
  /** ISO 8601. */
  readonly began: string;
  readonly idleSeconds: number;
}

export function sessionReport({ began, lastUsed, ...facts }: LiveSession): SessionReport {
  const idleSeconds = Math.max(0, Math.floor((Date.now() - lastUsed) / 1_000));
  return { ...facts, began: new Date(began).toISOString(), idleSeconds };
}

export interface ScreenWatcher {
  changed(): void;
  ended(): void;
}

export interface ScreenWatch {
  /** The user's screen without undisplayed text. While a scenario runs, the last one that the user saw, if any. */
  readonly image: ScreenImage | undefined;
  leave(): void;
}

/** Operations on a session; undefined if the session does not support them. */
export interface OperableSession {
  readonly facts: LiveSession;
  /** Ends the session orderly, within seconds. The user is informed that an operator ended it. */
  end(): void;
  /** Sends a message to the user; undefined if the session has no user. */
  readonly show: ((text: string, from: string) => void) | undefined;
  /** The user is informed immediately who watches. Undefined if the session has no user. */
  readonly watch: ((watcher: ScreenWatcher, by: string) => ScreenWatch) | undefined;
  /**
   * Traces the connection without undisplayed text. The user sees who traces. @returns a function that ends the trace
   */
  readonly trace: ((sink: TraceSink, by: string) => () => void) | undefined;
}

export interface SessionsElsewhere {
  readonly sessions: readonly LiveSession[];
  /** Requests new reports if the last ones are old. @throws ServiceError SVC_ERR_STORE_UNAVAILABLE */
  refresh(): Promise<void>;
}

export interface LiveSessions {
  list(): readonly LiveSession[];
  find(id: string): OperableSession | undefined;
}
