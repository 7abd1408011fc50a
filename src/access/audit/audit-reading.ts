import type { FileHandle } from 'node:fs/promises';
import { type AuditLine, readLine } from './audit-entry.js';
import { archivesOf, openIfThere } from './audit-files.js';
import { linesFromEnd } from './audit-lines.js';

/** Entries that may lie between an intent and its outcome, where the outcome is to be known. */
export const LONGEST_CHANGE_ENTRIES = 2_000;
const SEQUENCE = /^\{"sequence":(\d{1,15}),/;

/**
 * The entries of a trail, the last first, through all of its files. Those that are not before a number are left out but for
 * outcomes.
 * @throws Error where a file cannot be read, or a line is no entry
 */
async function* entriesFromEnd(file: string, before: number): AsyncGenerator<AuditLine> {
  const reading = { next: Number.POSITIVE_INFINITY, before };
  const current = await openIfThere(file);
  if (current !== undefined) yield* entriesOf(current, file, reading);
  // one that was archived meanwhile was read already
  for (const { path, first } of [...(await archivesOf(file))].reverse()) {
    if (first >= reading.next || first >= before + LONGEST_CHANGE_ENTRIES) continue;
    const handle = await openIfThere(path);
    if (handle !== undefined) yield* entriesOf(handle, path, reading);
  }
}

/** Entries that are read for one page of what is looked for. */
const MOST_READ = 20_000;

interface PageExtent {
  readonly count: number;
  readonly before: number;
  readonly mostRead?: number;
}

/** Some of the entries that are looked for, the newest first. */
export interface AuditPage {
  readonly entries: readonly AuditLine[];
  /** Those before this number have not been looked at; undefined: there are none. */
  readonly next: number | undefined;
}

/**
 * At most `count` entries that are asked for, among the last before a number. An intent is among them only where it has no outcome.
 * @throws Error where a file cannot be read, or a line is no entry
 */
export function findEntries(file: string, query: AuditQuery, extent: PageExtent): Promise<AuditPage> {
  return findAmong(entriesFromEnd(file, extent.before), query, extent);
}

/** @param lines newest first; of those that are not before the number only the outcomes are needed */
export async function findAmong(
  lines: AsyncIterable<AuditLine>,
  query: AuditQuery,
  { count, before, mostRead = MOST_READ }: PageExtent,
): Promise<AuditPage> {
  const entries: AuditLine[] = [];
  let read = 0;
  for await (const { line, isFound } of judgedEntries(lines, query, before)) {
    read++;
    if (isFound) entries.push(line);
    const { sequence } = line;
    if (entries.length === count || read === mostRead) return { entries, next: sequence > 1 ? sequence : undefined };
  }
  return { entries, next: undefined };
}

/**
 * All entries before a number that are asked for, as they are read. An intent is among them only where it has no outcome.
 * @throws Error where a file cannot be read, or a line is no entry
 */
export function searchEntries(file: string, query: AuditQuery, before: number): AsyncGenerator<AuditLine> {
  return searchAmong(entriesFromEnd(file, before), query, before);
}

/** @param lines as `findAmong` has them */
export async function* searchAmong(
  lines: AsyncIterable<AuditLine>,
  query: AuditQuery,
  before: number,
): AsyncGenerator<AuditLine> {
  for await (const { line, isFound } of judgedEntries(lines, query, before)) if (isFound) yield line;
}

async function* judgedEntries(
  lines: AsyncIterable<AuditLine>,
  query: AuditQuery,
  before: number,
): AsyncGenerator<{ readonly line: AuditLine; readonly isFound: boolean }> {
  const finished = new Set<number>();
  for await (const line of lines) {
    if (line.intent !== undefined) finished.add(line.intent);
    const isFinished = finished.delete(line.sequence);
    if (line.sequence < before) yield { line, isFound: !isFinished && isAskedFor(line, query) };
  }
}

interface Reading {
  /** Number of the entry that was read last. */
  next: number;
  readonly before: number;
}

async function* entriesOf(handle: FileHandle, file: string, reading: Reading): AsyncGenerator<AuditLine> {
  try {
    for await (const bytes of linesFromEnd(handle)) {
      const number = Number(SEQUENCE.exec(bytes.toString('latin1', 0, 32))?.[1] ?? 0);
      // most of what is passed over need not be read
      if (number >= reading.before && number > 0 && !bytes.includes('"intent":')) continue;
      const read = readLine(bytes);
      if (read.kind === 'fault') throw new Error(`${file}: a line is broken: ${read.fault}`);
      reading.next = read.value.sequence;
      yield read.value;
    }
  } finally {
    await handle.close();
  }
}

/** How a change may have ended; what only reports has no outcome. */
export const auditOutcomes = ['done', 'failed', 'unfinished'] as const;
type AuditOutcome = (typeof auditOutcomes)[number];

/** What entries are looked for; what is not given is not asked for. Texts are found in any case of letters. */
export interface AuditQuery {
  /** Part of who did it, or of the address. */
  readonly who?: string | undefined;
  /** Part of the address. */
  readonly address?: string | undefined;
  /** Part of the word for what was done. */
  readonly what?: string | undefined;
  /** Part of anything in the entry. */
  readonly text?: string | undefined;
  /** Days, `YYYY-MM-DD` in UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
}

/** Whether an entry is one of those; an intent is asked for only where it has no outcome. */
function isAskedFor(line: AuditLine, { who, address, what, text, from, to, outcome }: AuditQuery): boolean {
  const day = line.time.slice(0, 10);
  return (
    (who === undefined || holds(line.who, who) || holds(line.from, who)) &&
    (address === undefined || holds(line.from, address)) &&
    (what === undefined || holds(line.what, what)) &&
    (from === undefined || day >= from) &&
    (to === undefined || day <= to) &&
    (outcome === undefined || outcomeOf(line) === outcome) &&
    (text === undefined || holds(JSON.stringify(line), text))
  );
}

function outcomeOf({ stage }: AuditLine): AuditOutcome | undefined {
  return stage === 'intended' ? 'unfinished' : stage;
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
