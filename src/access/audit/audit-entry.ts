import { createHash } from 'node:crypto';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { isSecretName } from '../../lib/secrets/secret-text.js';
import type { AuditKind } from './audit-kinds.js';
import { LARGEST_LINE_BYTES } from './audit-lines.js';

/** Of `who`, `from`, `what` and `subject`. Longer texts are truncated. */
const LONGEST_TEXT_CHARACTERS = 1000;

export const NO_HASH = '0'.repeat(64);

export interface Actor {
  /** User name, or `command line: root`. */
  readonly who: string;
  readonly from: string;
}

export const NOBODY_SIGNED_ON = 'nobody signed on';

const auditStages = ['intended', 'done', 'failed'] as const;
export type AuditStage = (typeof auditStages)[number];

export interface AuditEntry extends Actor {
  readonly what: AuditKind;
  readonly subject: string;
  /** Any JSON value. Values under names of secrets are written as `(secret)`. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditLine extends Omit<AuditEntry, 'what'> {
  /** A string because other versions may have other kinds. */
  readonly what: string;
  /** Line number, from 1. */
  readonly sequence: number;
  /** Only in entries about changes. */
  readonly stage?: AuditStage;
  /** Only in outcomes: sequence number of the intent. */
  readonly intent?: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** SHA-256 of the previous line without its line end. Zeros in the first line. */
  readonly previous: string;
}

export type EntryJson = Readonly<Record<'who' | 'from' | 'what' | 'subject', string>> & {
  readonly stage?: AuditStage;
  readonly intent?: number;
  readonly before?: string;
  readonly after?: string;
};

/** Serializes an entry at once, because its objects may change before the entry is written. */
export function jsonOf({ who, from, what, subject, before, after }: AuditEntry): EntryJson {
  const beforeJson = jsonText(before);
  const afterJson = jsonText(after);
  return {
    who: jsonText(shortened(who)),
    from: jsonText(shortened(from)),
    what: jsonText(shortened(what)),
    subject: jsonText(shortened(subject)),
    ...(beforeJson === undefined ? {} : { before: beforeJson }),
    ...(afterJson === undefined ? {} : { after: afterJson }),
  };
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT_CHARACTERS ? text : `${text.slice(0, LONGEST_TEXT_CHARACTERS - 1)}…`;
}

function jsonText(value: string): string;
function jsonText(value: unknown): string | undefined;
function jsonText(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value, withoutSecret);
  return text === undefined ? undefined : withoutTerminalCodes(text);
}

/** Booleans, null and undefined stay: whether a secret is set is not a secret. */
function withoutSecret(name: string, value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return isSecretName(name) ? '(secret)' : value;
}

/** Escapes control characters, bidirectional controls and Unicode line separators. The JSON value stays the same. */
function withoutTerminalCodes(json: string): string {
  return json.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function lineOf(entry: EntryJson, sequence: number, time: string, previous: string): string {
  const { who, from, what, subject, stage, intent } = entry;
  const staged = `${stage === undefined ? '' : `,"stage":"${stage}"`}${intent === undefined ? '' : `,"intent":${intent}`}`;
  let { before = '', after = '' } = entry;
  for (;;) {
    const line =
      `{"sequence":${sequence},"time":"${time}","who":${who},"from":${from},"what":${what},"subject":${subject}${staged}` +
      `${before && `,"before":${before}`}${after && `,"after":${after}`},"previous":"${previous}"}`;
    if (Buffer.byteLength(line) <= LARGEST_LINE_BYTES) return line;
    if (before.length >= after.length) before = omitted(before);
    else after = omitted(after);
  }
}

function omitted(json: string): string {
  return `{"omitted":${Buffer.byteLength(json)}}`;
}

export function readLine(bytes: Buffer): ReadOutcome<AuditLine> {
  if (bytes.length > LARGEST_LINE_BYTES) return readFault(`it is longer than ${LARGEST_LINE_BYTES} bytes`);
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (!isAuditLine(value)) return readFault('it is not an audit entry');
    // Rejects spaces, duplicate names, and bytes that are not UTF-8.
    return Buffer.from(textOfLine(value)).equals(bytes)
      ? readAs(value)
      : readFault('it does not have the form of an entry: it was changed');
  } catch {
    return readFault('it is not JSON');
  }
}

export function textOfLine(line: AuditLine): string {
  return withoutTerminalCodes(JSON.stringify(line));
}

function isAuditLine(value: unknown): value is AuditLine {
  const { sequence, time, who, from, what, subject, stage, intent, previous } = Object(value) as Record<
    string,
    unknown
  >;
  return (
    Number.isSafeInteger(sequence) &&
    (stage === undefined || auditStages.some((known) => known === stage)) &&
    (intent === undefined || Number.isSafeInteger(intent)) &&
    [time, who, from, what, subject, previous].every((text) => typeof text === 'string') &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(`${time}`) &&
    /^[0-9a-f]{64}$/.test(`${previous}`)
  );
}

export function hashOf(line: string | Buffer): string {
  return createHash('sha256').update(line).digest('hex');
}
