import { createHash } from 'node:crypto';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { isSecretName } from '../../lib/secrets/secret-text.js';
import type { AuditKind } from './audit-kinds.js';
import { LARGEST_LINE_BYTES } from './audit-lines.js';

/** Of `who`, `from`, `what` and `subject`: the rest is cut off. */
const LONGEST_TEXT_CHARACTERS = 1000;

/** `previous` of the first line. */
export const NO_HASH = '0'.repeat(64);

/** Who does something. */
export interface Actor {
  /** The name of a user, or `command line: root`. */
  readonly who: string;
  /** An address, or `command line`. */
  readonly from: string;
}

/** `who` of entries that anonymous clients cause. */
export const NOBODY_SIGNED_ON = 'nobody signed on';

/** A change that is about to be made, and what became of it. */
const auditStages = ['intended', 'done', 'failed'] as const;
export type AuditStage = (typeof auditStages)[number];

export interface AuditEntry extends Actor {
  readonly what: AuditKind;
  readonly subject: string;
  /** Whatever JSON can say. Values under names of secrets are written as `(secret)`. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A line of the file as it stands there. */
export interface AuditLine extends Omit<AuditEntry, 'what'> {
  /** Trails of other versions may have other kinds. */
  readonly what: string;
  /** 1, 2, 3 …: the number of the line. */
  readonly sequence: number;
  /** Of a change; what only reports has none. */
  readonly stage?: AuditStage;
  /** Of an outcome: the line of the intent. */
  readonly intent?: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** SHA-256 of the bytes of the line before, without its end; of the first line: zeros. */
  readonly previous: string;
}

export type EntryJson = Readonly<Record<'who' | 'from' | 'what' | 'subject', string>> & {
  readonly stage?: AuditStage;
  readonly intent?: number;
  readonly before?: string;
  readonly after?: string;
};

/** The values of an entry as JSON, as they are now: objects may be changed before their turn to be written comes. */
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

/** That there is a password, or that there is none, is no secret. */
function withoutSecret(name: string, value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return isSecretName(name) ? '(secret)' : value;
}

/** The same JSON, with nothing in it that a terminal obeys or that some take for the end of a line. */
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

/** What the line says, or what is wrong with it. */
export function readLine(bytes: Buffer): ReadOutcome<AuditLine> {
  if (bytes.length > LARGEST_LINE_BYTES) return readFault(`it is longer than ${LARGEST_LINE_BYTES} bytes`);
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (!isAuditLine(value)) return readFault('it is no entry of an audit trail');
    // finds spaces, names that stand twice, and bytes that are no UTF-8
    return Buffer.from(textOfLine(value)).equals(bytes)
      ? readAs(value)
      : readFault('it is not written as entries are: it was changed');
  } catch {
    return readFault('it is no JSON');
  }
}

/** The line as it stands in the file. */
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
