import type { TraceSink } from '../lib/log/trace-taps.js';
import type { ScreenImage } from '../tn3270/screen/screen-image.js';

const IDENTIFIER = /^([a-z0-9]{1,8})-[0-9a-f]{12}(?![0-9a-f])/;

/** By which operators name a session: no other session of any node has it. @param node undefined: there is only one */
export function sessionIdentifier(node: string | undefined, id: string): string {
  return node === undefined ? id : `${node}-${id}`;
}

/** The node of a session that operators name, or of a trace of it; undefined: there is only one. */
export function nodeOfIdentifier(name: string): string | undefined {
  return IDENTIFIER.exec(name)?.[1];
}

/** Who has a session: a browser; a request whose scenario walks it; a pool of services. */
type SessionKind = 'browser' | 'scenario' | 'pool';

/** A host session as operators see it. */
export interface LiveSession {
  /** By which operators name it; it opens nothing. */
  readonly id: string;
  /** Code of the server that has it; empty: there is only one. */
  readonly node: string;
  readonly kind: SessionKind;
  readonly state: 'connecting' | 'connected' | 'ending';
  /** Who has signed on to Sallyport; of a pool, at the host; empty: nobody has. */
  readonly user: string;
  /** Of the client that began it; empty: no client did. */
  readonly address: string;
  /** Inbound line; empty: it came over none. */
  readonly line: string;
  /** External name; of a pool, the name of the pool. */
  readonly transaction: string;
  /** Name in the configuration. */
  readonly host: string;
  /** Undefined: the host has given none, or not yet. */
  readonly logicalUnit: string | undefined;
  /** What its user calls it; empty: nothing. */
  readonly name: string;
  /** When it began, and when its user did something last: milliseconds of the epoch. */
  readonly began: number;
  readonly lastUsed: number;
  /** Who watches it, by name. */
  readonly watchedBy: readonly string[];
  /** Who traces it, by name. */
  readonly tracedBy: readonly string[];
}

/** What somebody who watches a session is told. */
export interface ScreenWatcher {
  /** The screen, or what is said of it, may look another way. */
  changed(): void;
  /** It is over: nothing more is told. */
  ended(): void;
}

/** A screen that somebody watches, until they leave. */
export interface ScreenWatch {
  /**
   * What its user is shown now; while a scenario walks it, what was shown before, if anything. What is not displayed is not
   * in it.
   */
  readonly image: ScreenImage | undefined;
  leave(): void;
}

/** What can be done with one session. What it has none of cannot be done with it. */
export interface OperableSession {
  readonly facts: LiveSession;
  /** Ends it in an orderly way, within seconds; its user is told that an operator did. */
  end(): void;
  /** Undefined: nobody would read it. */
  readonly show: ((text: string, from: string) => void) | undefined;
  /** Its user is told by whom it is watched, from the first moment on. Undefined: nobody has it on a screen. */
  readonly watch: ((watcher: ScreenWatcher, by: string) => ScreenWatch) | undefined;
  /**
   * Writes what goes over its connection into a sink, with nothing in it that the screen does not show; its user is told by whom.
   * Undefined: it is not traced.
   * @returns what ends the trace
   */
  readonly trace: ((sink: TraceSink, by: string) => () => void) | undefined;
}

/** The host sessions of the other servers of a cluster. */
export interface SessionsElsewhere {
  /** As they were told last. */
  readonly sessions: readonly LiveSession[];
  /** Has them told anew where that was some time ago. @throws ServiceError SVC_ERR_STORE_UNAVAILABLE */
  refresh(): Promise<void>;
}

/** The host sessions of a server, whoever has them. */
export interface LiveSessions {
  /** Those that are not over, in no order. */
  list(): readonly LiveSession[];
  /** Undefined: there is none of that identifier, or it is over. */
  find(id: string): OperableSession | undefined;
}
