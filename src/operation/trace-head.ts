import { type TraceKind, type TraceSubject, traceKinds } from './trace-kinds.js';

/** What the first line of a trace says of it. */
export interface TraceHead extends TraceSubject {
  /** Who began it. */
  readonly by: string;
  /** ISO 8601, in UTC: when it began, and when it ends at the latest. */
  readonly began: string;
  readonly until: string;
  /** That it may have. */
  readonly mostBytes: number;
}

/** A remark in the text form of 3270 emulators. */
export function headLine({ kind, name, by, began, until, mostBytes }: TraceHead): string {
  return `// Trace of ${kind} ${name}, begun ${began} by ${by}, until ${until} or ${mostBytes} bytes`;
}

const HEAD = /^\/\/ Trace of (\S+) (.+), begun (\S+Z) by (.+), until (\S+Z) or (\d{1,10}) bytes$/;

/** Undefined: it is no trace of this version, or was not written to its end. */
export function readHeadLine(text: string): TraceHead | undefined {
  const [, written, name, began, by, until, mostBytes] = HEAD.exec(text) ?? [];
  const kind: TraceKind | undefined = traceKinds.find((known) => known === written);
  if (kind === undefined || name === undefined || began === undefined || by === undefined || until === undefined) {
    return undefined;
  }
  return { kind, name, by, began, until, mostBytes: Number(mostBytes) };
}
