import type { Actor } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import type { Reason } from '../lib/locale.js';
import {
  type FindTraceable,
  headLine,
  readHeadLine,
  type Traceable,
  type TraceHead,
  type TraceKind,
  type TraceSubject,
} from './trace-kinds.js';

/** Formats of a trace: the readable part, or (only sessions) including rows of bytes that emulators replay. */
export const traceForms = ['text', 's3270'] as const;

export type TraceForm = (typeof traceForms)[number];

/** The admin API sends it as JSON (docs/run/operation.md). Null: the file has no readable first line. */
export interface TraceReport extends OrNull<Omit<TraceHead, 'name'>> {
  readonly name: string;
  readonly subject: string | null;
  readonly bytes: number;
  /** Last change; ISO 8601, UTC. */
  readonly written: string;
  readonly open: boolean;
}

type OrNull<T> = { readonly [Key in keyof T]: T[Key] | null };

interface TraceWish {
  readonly seconds?: number | undefined;
  readonly bytes?: number | undefined;
}

export interface TraceOrder {
  readonly subject: TraceSubject;
  readonly wish: TraceWish;
}

/** Rows of bytes, as in traces of 3270 emulators. */
const BYTE_ROWS = /^[<>] 0x[^\n]*\n/gm;

/** Callers check permissions, because traces contain screens and input of users. */
export class TraceOperations {
  readonly #find: Readonly<Record<TraceKind, FindTraceable>>;
  readonly #files: TraceFiles;
  readonly #audit: () => AuditTrail;
  readonly #running = new Map<string, RunningTrace>();
  readonly #beginning = new Set<string>();

  constructor(find: Readonly<Record<TraceKind, FindTraceable>>, files: TraceFiles, audit: () => AuditTrail) {
    this.#find = find;
    this.#files = files;
    this.#audit = audit;
  }

  /**
   * Starts a trace. It ends after the time, at its size limit, with the session, or when the server stops.
   * @returns its name
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_TRACE_SUBJECT, SVC_ERR_OPERATION_REFUSED,
   * SVC_ERR_AUDIT_UNAVAILABLE
   */
  async start(actor: Actor, { kind, name }: TraceSubject, wish: TraceWish = {}): Promise<string> {
    const { seconds = traceBounds.defaultSeconds, bytes = traceBounds.mostBytes } = wish;
    checkBound('seconds', seconds, traceBounds.leastSeconds, traceBounds.mostSeconds);
    checkBound('bytes', bytes, traceBounds.leastBytes, traceBounds.mostBytes);
    const { facts } = this.#find[kind](name);
    const subject = `${kind} ${name}`;
    const isTraced = [...this.#running.values()].some((running) => running.subject === subject);
    if (isTraced || this.#beginning.has(subject)) throw operationRefused({ code: 'trace.running' });
    this.#beginning.add(subject);
    try {
      // traces that are being started may be counted twice, which only lowers the limit
      if ((await this.#files.list()).length + this.#beginning.size > traceBounds.kept) {
        throw operationRefused({ code: 'trace.kept', values: { most: traceBounds.kept } });
      }
      const began = new Date();
      const until = new Date(began.getTime() + seconds * 1_000);
      const fileName = `${placeName(kind, name)}-${began.toISOString().replace(/[-:.]/g, '')}`;
      const after = { name: fileName, ...facts, seconds, bytes };
      const head: TraceHead = {
        kind,
        name,
        by: actor.who,
        began: began.toISOString(),
        until: until.toISOString(),
        mostBytes: bytes,
      };
      await this.#audit().record({ ...actor, what: 'trace.started', subject, after }, () =>
        this.#begin(fileName, head, seconds),
      );
      return fileName;
    } finally {
      this.#beginning.delete(subject);
    }
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE */
  async stop(actor: Actor, name: string): Promise<void> {
    if (!this.#running.has(name)) throw new ServiceError('SVC_ERR_TRACE_UNKNOWN');
    await this.#audit().record({ ...actor, what: 'trace.stopped', subject: `trace ${name}` }, async () =>
      this.#running.get(name)?.end(`stopped by ${actor.who}`),
    );
  }

  async list(): Promise<readonly TraceReport[]> {
    return (await this.#files.list()).map(({ name, bytes, written, head }) => {
      const {
        kind = null,
        name: subject = null,
        by = null,
        began = null,
        until = null,
        mostBytes = null,
      } = {
        ...readHeadLine(head),
      };
      const open = this.#running.has(name);
      return {
        name,
        kind,
        subject,
        by,
        began,
        until,
        bytes,
        mostBytes,
        written: new Date(written).toISOString(),
        open,
      };
    });
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN */
  async report(name: string): Promise<TraceReport> {
    const found = (await this.list()).find((file) => file.name === name);
    if (found === undefined) throw new ServiceError('SVC_ERR_TRACE_UNKNOWN');
    return found;
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  async read(actor: Actor, name: string, form: TraceForm = 'text'): Promise<string> {
    const text = await this.#files.read(name);
    if (text === undefined) throw new ServiceError('SVC_ERR_TRACE_UNKNOWN');
    const [head = ''] = text.split('\n', 1);
    const isOfSession = readHeadLine(head)?.kind === 'session';
    if (form === 's3270' && !isOfSession) throw operationRefused({ code: 'trace.form' });
    await this.#audit().note({ ...actor, what: 'trace.read', subject: `trace ${name}`, after: { form } });
    return form === 'text' && isOfSession ? text.replace(BYTE_ROWS, '') : text;
  }

  /** @throws ServiceError SVC_ERR_TRACE_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  async remove(actor: Actor, name: string): Promise<void> {
    const { open } = await this.report(name);
    if (open) throw operationRefused({ code: 'trace.open' });
    await this.#audit().record({ ...actor, what: 'trace.removed', subject: `trace ${name}` }, () =>
      this.#files.remove(name),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((running) => running.end('the server stops')));
  }

  async #begin(fileName: string, head: TraceHead, seconds: number): Promise<void> {
    const file = await this.#files.begin(fileName);
    const running = new RunningTrace(file, head, () => this.#running.delete(fileName));
    this.#running.set(fileName, running);
    try {
      // look up again, because the subject may have disappeared
      running.begin(this.#find[head.kind](head.name), seconds);
    } catch (error) {
      await running.end('it did not start');
      await this.#files.remove(fileName);
      throw error;
    }
  }
}

const LONGEST_SUBJECT = 30;

function placeName(kind: TraceKind, name: string): string {
  const plain = name.replace(/[^0-9A-Za-z]+/g, '-').slice(0, LONGEST_SUBJECT);
  return kind === 'session' ? plain : `${kind}-${plain}`;
}

function checkBound(what: 'seconds' | 'bytes', value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw operationRefused({ code: `trace.${what}`, values: { least, most } });
}

function operationRefused(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
}

export const traceBounds = {
  kept: 50,
  leastSeconds: 1,
  defaultSeconds: 600,
  mostSeconds: 3_600,
  /** Size of one trace, including its first and last line. */
  leastBytes: 4_096,
  mostBytes: 4 * 1024 * 1024,
};

/** Reserved for the last line with the reason of the end. */
const LAST_LINE_BYTES = 512;
const LONGEST_REASON = 100;

class RunningTrace {
  readonly subject: string;
  readonly #file: OpenTrace;
  readonly #onEnd: () => void;
  #left: number;
  #timer: NodeJS.Timeout | undefined;
  #detach: () => void = () => {};
  readonly #head: TraceHead;
  #closed: Promise<void> | undefined;

  constructor(file: OpenTrace, head: TraceHead, onEnd: () => void) {
    this.subject = `${head.kind} ${head.name}`;
    this.#file = file;
    this.#head = head;
    this.#onEnd = onEnd;
    this.#left = head.mostBytes - LAST_LINE_BYTES;
  }

  begin({ trace }: Traceable, seconds: number): void {
    this.#write(headLine(this.#head));
    this.#detach = trace(
      { write: (line) => this.#write(line), ended: () => void this.end('the traced object has ended') },
      this.#head.by,
    );
    if (this.#closed !== undefined) this.#detach();
    else this.#timer = setTimeout(() => void this.end('its time limit is reached'), seconds * 1_000).unref();
  }

  end(reason: string): Promise<void> {
    this.#closed ??= this.#end(reason);
    return this.#closed;
  }

  #end(reason: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#detach();
    this.#onEnd();
    this.#file.write(`// Trace ended ${new Date().toISOString()}: ${reason.slice(0, LONGEST_REASON)}`);
    return this.#file.close();
  }

  #write(line: string): void {
    if (this.#closed !== undefined) return;
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > this.#left) {
      void this.end(`with the next line it would have more than ${this.#head.mostBytes} bytes`);
      return;
    }
    this.#left -= bytes;
    if (!this.#file.write(line)) void this.end('too much data was waiting to be written');
  }
}

export interface TraceFile {
  readonly name: string;
  readonly bytes: number;
  readonly written: number;
  readonly head: string;
}

export interface OpenTrace {
  /** @returns false if too much data waits to be written: the caller must end the trace */
  write(line: string): boolean;
  close(): Promise<void>;
}

/** Names consist of letters, digits and `-`. */
export interface TraceFiles {
  begin(name: string): Promise<OpenTrace>;
  list(): Promise<readonly TraceFile[]>;
  read(name: string): Promise<string | undefined>;
  remove(name: string): Promise<boolean>;
}
