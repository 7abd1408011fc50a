import type { FileHandle } from 'node:fs/promises';
import { type AuditLine, readLine } from './audit-entry.js';
import { archivesOf } from './audit-files.js';
import { linesFromEnd } from './audit-lines.js';
import { openIfThere } from './audit-tail.js';

/** Entries that may lie between an intent and its outcome, where the outcome is to be known. */
const LONGEST_CHANGE_ENTRIES = 2_000;
const SEQUENCE = /^\{"sequence":(\d{1,15}),/;

/**
 * The entries of a trail, the last first, through all of its files. Those that are not before a number are left out but for
 * outcomes.
 * @throws Error where a file cannot be read, or a line is no entry
 */
export async function* entriesFromEnd(file: string, before = Number.POSITIVE_INFINITY): AsyncGenerator<AuditLine> {
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
