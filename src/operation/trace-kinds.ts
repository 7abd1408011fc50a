import { ServiceError } from '../lib/errors.js';
import type { Reason } from '../lib/locale.js';
import type { TraceSink, TraceSinks } from '../lib/log/trace-sinks.js';
import { unknownName } from '../lib/text/nearest-name.js';
import type { LiveSession, LiveSessions } from './live-session.js';

/** A session with a host, an inbound or outbound line, a scenario, or all scenarios of an entry point. */
export const traceKinds = ['session', 'line', 'scenario', 'entry-point'] as const;

export type TraceKind = (typeof traceKinds)[number];

export interface TraceSubject {
  readonly kind: TraceKind;
  /** Name in the configuration, or identifier of a session. */
  readonly name: string;
}

export interface Traceable {
  /** Details for the audit trail, because a session identifier is useless later. */
  readonly facts: object;
  trace(sink: TraceSink, by: string): () => void;
}

export type FindTraceable = (name: string) => Traceable;

/** @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_OPERATION_REFUSED */
export function traceableSessions(sessions: LiveSessions): FindTraceable {
  return (id) => {
    const session = sessions.find(id);
    if (session === undefined) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    const { facts, trace } = session;
    if (trace === undefined || facts.state === 'ending') {
      throw new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail: { code: 'session.noTrace' } });
    }
    return { facts: recordedFacts(facts), trace };
  };
}

function recordedFacts({ user, line, transaction, host, logicalUnit }: LiveSession): object {
  return { user, line, transaction, host, logicalUnit };
}

/** For objects with a name in the configuration. @throws ServiceError SVC_ERR_TRACE_SUBJECT */
export function traceableByName(kind: TraceKind, names: () => readonly string[], sinks: TraceSinks): FindTraceable {
  return (name) => {
    const all = names();
    if (all.includes(name)) return { facts: {}, trace: (sink) => sinks.open(name, sink) };
    throw new ServiceError('SVC_ERR_TRACE_SUBJECT', {
      detail: unknownName(unknownSubject[kind], name.slice(0, 70), all),
    });
  };
}

const unknownSubject: Readonly<Record<TraceKind, Reason['code']>> = {
  session: 'trace.noSession',
  line: 'trace.noLine',
  scenario: 'trace.noScenario',
  'entry-point': 'trace.noEntryPoint',
};

/** In paths of the admin API. */
export const traceCollections = {
  session: 'sessions',
  line: 'lines',
  scenario: 'scenarios',
  'entry-point': 'entry-points',
} as const;

export interface TraceHead extends TraceSubject {
  readonly by: string;
  /** ISO 8601, UTC: start and latest end. */
  readonly began: string;
  readonly until: string;
  readonly mostBytes: number;
}

/** Formatted as a comment in traces of 3270 emulators. */
export function headLine({ kind, name, by, began, until, mostBytes }: TraceHead): string {
  return `// Trace of ${kind} ${name}, begun ${began} by ${by}, until ${until} or ${mostBytes} bytes`;
}

const HEAD = /^\/\/ Trace of (\S+) (.+), begun (\S+Z) by (.+), until (\S+Z) or (\d{1,10}) bytes$/;

export function readHeadLine(text: string): TraceHead | undefined {
  const [, written, name, began, by, until, mostBytes] = HEAD.exec(text) ?? [];
  const kind: TraceKind | undefined = traceKinds.find((known) => known === written);
  if (kind === undefined || name === undefined || began === undefined || by === undefined || until === undefined) {
    return undefined;
  }
  return { kind, name, by, began, until, mostBytes: Number(mostBytes) };
}
