import type { FileHandle } from 'node:fs/promises';
import { type AuditLine, readLine } from './audit-entry.js';
import { archivesOf, openIfThere } from './audit-files.js';
import { linesFromEnd } from './audit-lines.js';

/** Maximum distance between an intent and an outcome that is still matched to it. */
export const LONGEST_CHANGE_ENTRIES = 2_000;
const SEQUENCE = /^\{"sequence":(\d{1,15}),/;

/**
 * Entries of all files of a trail, last entry first. Of the entries not before `before`, only outcomes are returned.
 * @throws Error if a file cannot be read or a line is not an entry
 */
async function* entriesFromEnd(file: string, before: number): AsyncGenerator<AuditLine> {
  const reading = { next: Number.POSITIVE_INFINITY, before };
  const current = await openIfThere(file);
  if (current !== undefined) yield* entriesOf(current, file, reading);
  // Skip a file that was already read before it was archived.
  for (const { path, first } of [...(await archivesOf(file))].reverse()) {
    if (first >= reading.next || first >= before + LONGEST_CHANGE_ENTRIES) continue;
    const handle = await openIfThere(path);
    if (handle !== undefined) yield* entriesOf(handle, path, reading);
  }
}

const MOST_READ = 20_000;

interface PageExtent {
  readonly count: number;
  readonly before: number;
  readonly mostRead?: number;
}

export interface AuditPage {
  readonly entries: readonly AuditLine[];
  /** Where to continue: entries before this sequence number have not been searched. Undefined at the end. */
  readonly next: number | undefined;
}

/**
 * Returns at most `count` matching entries before a sequence number. An intent is returned only if it has no outcome.
 * @throws Error if a file cannot be read or a line is not an entry
 */
export function findEntries(file: string, query: AuditQuery, extent: PageExtent): Promise<AuditPage> {
  return findAmong(entriesFromEnd(file, extent.before), query, extent);
}

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
 * All matching entries before a sequence number, read on demand. An intent is returned only if it has no outcome.
 * @throws Error if a file cannot be read or a line is not an entry
 */
export function searchEntries(file: string, query: AuditQuery, before: number): AsyncGenerator<AuditLine> {
  return searchAmong(entriesFromEnd(file, before), query, before);
}

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
  next: number;
  readonly before: number;
}

async function* entriesOf(handle: FileHandle, file: string, reading: Reading): AsyncGenerator<AuditLine> {
  try {
    for await (const bytes of linesFromEnd(handle)) {
      const number = Number(SEQUENCE.exec(bytes.toString('latin1', 0, 32))?.[1] ?? 0);
      // Parse only outcomes among the entries that are skipped.
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

export const auditOutcomes = ['done', 'failed', 'unfinished'] as const;
type AuditOutcome = (typeof auditOutcomes)[number];

/** Filters. Texts match in any letter case. */
export interface AuditQuery {
  /** Part of the user name or of the address. */
  readonly who?: string | undefined;
  readonly address?: string | undefined;
  readonly what?: string | undefined;
  readonly text?: string | undefined;
  /** Days as `YYYY-MM-DD` in UTC, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
}

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
