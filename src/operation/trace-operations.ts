import { ServiceError } from '../errors.js';
import type { Actor } from '../security/audit-entry.js';
import type { AuditRecord } from '../security/audit-record.js';
import type { LiveSessions, OperableSession } from './live-session.js';
import type { OpenTrace, TraceFile, TraceFiles } from './trace-files.js';

export const traceBounds = {
  /** Traces that are being written. */
  atOnce: 5,
  /** That are kept. */
  kept: 50,
  defaultMinutes: 10,
  mostMinutes: 60,
  /** Of one trace. */
  bytes: 4 * 1024 * 1024,
};

const MINUTE_MILLISECONDS = 60_000;

export interface TraceReport extends TraceFile {
  /** Whether it is still being written. */
  readonly isOpen: boolean;
}

interface RunningTrace {
  readonly session: string;
  readonly file: OpenTrace;
  readonly timer: NodeJS.Timeout;
  readonly detach: () => void;
}

/** Traces of sessions. Who may do it is the affair of whoever calls: a trace shows what its user sees and types. */
export class TraceOperations {
  readonly #sessions: LiveSessions;
  readonly #files: TraceFiles;
  readonly #audit: () => AuditRecord;
  readonly #running = new Map<string, RunningTrace>();
  /** Traces that are about to begin. */
  #beginning = 0;

  constructor(sessions: LiveSessions, files: TraceFiles, audit: () => AuditRecord) {
    this.#sessions = sessions;
    this.#files = files;
    this.#audit = audit;
  }

  /**
   * Traces a session from now on. The trace ends by itself: after the minutes, at its bound, with the session, when the server stops.
   * @returns its name
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  async start(actor: Actor, id: string, minutes: number = traceBounds.defaultMinutes): Promise<string> {
    if (!Number.isSafeInteger(minutes) || minutes < 1 || minutes > traceBounds.mostMinutes) {
      throw refused(`A trace lasts 1 to ${traceBounds.mostMinutes} minutes.`);
    }
    const { user, host } = this.#traceable(id).facts;
    if ([...this.#running.values()].some(({ session }) => session === id)) throw refused('It is being traced already.');
    if (this.#running.size + this.#beginning >= traceBounds.atOnce) {
      throw refused(`${traceBounds.atOnce} sessions are being traced, as many as may be.`);
    }
    this.#beginning += 1;
    try {
      if ((await this.#files.list()).length >= traceBounds.kept) {
        throw refused(`${traceBounds.kept} traces are kept, as many as may be: remove some.`);
      }
      const name = `${id}-${new Date().toISOString().replace(/[-:.]/g, '')}`;
      const entry = { ...actor, what: 'trace.started', subject: `session ${id}`, after: { name, user, host, minutes } };
      await this.#audit().record(entry, () => this.#begin(name, id, minutes));
      return name;
    } finally {
      this.#beginning -= 1;
    }
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE */
  async stop(actor: Actor, name: string): Promise<void> {
    if (!this.#running.has(name)) throw new ServiceError('SVC_ERR_TRACE_UNKNOWN');
    await this.#audit().record({ ...actor, what: 'trace.stopped', subject: `trace ${name}` }, () => this.#end(name));
  }

  async list(): Promise<readonly TraceReport[]> {
    return (await this.#files.list()).map((file) => ({ ...file, isOpen: this.#running.has(file.name) }));
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE */
  async read(actor: Actor, name: string): Promise<string> {
    const text = await this.#files.read(name);
    if (text === undefined) throw new ServiceError('SVC_ERR_TRACE_UNKNOWN');
    await this.#audit().note({ ...actor, what: 'trace.read', subject: `trace ${name}` });
    return text;
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  async remove(actor: Actor, name: string): Promise<void> {
    if (this.#running.has(name)) throw refused('It is still being written: stop it first.');
    if (!(await this.#files.list()).some((file) => file.name === name)) throw new ServiceError('SVC_ERR_TRACE_UNKNOWN');
    await this.#audit().record({ ...actor, what: 'trace.removed', subject: `trace ${name}` }, () =>
      this.#files.remove(name),
    );
  }

  /** Ends all. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)));
  }

  async #begin(name: string, id: string, minutes: number): Promise<void> {
    const file = await this.#files.begin(name);
    const end = () => void this.#end(name);
    let attach: NonNullable<OperableSession['trace']>;
    try {
      attach = this.#traceable(id).trace;
    } catch (error) {
      await file.close();
      await this.#files.remove(name);
      throw error;
    }
    const timer = setTimeout(end, minutes * MINUTE_MILLISECONDS).unref();
    const write = (line: string) => {
      if (!file.write(line)) end();
    };
    write(`// Trace started ${new Date().toISOString()}, session ${id}`);
    const detach = attach({ write, ended: end });
    this.#running.set(name, { session: id, file, timer, detach });
  }

  async #end(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#running.delete(name);
    clearTimeout(running.timer);
    running.detach();
    running.file.write(`// Trace stopped ${new Date().toISOString()}`);
    await running.file.close();
  }

  #traceable(id: string) {
    const session = this.#sessions.find(id);
    if (session === undefined) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    const { facts, trace } = session;
    if (trace === undefined || facts.state === 'ending')
      throw refused('Sessions of browsers that are not ending are traced, and no others.');
    return { facts, trace };
  }
}

function refused(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
}
