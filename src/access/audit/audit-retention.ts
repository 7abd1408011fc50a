import { open, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { followChain } from './audit-chain.js';
import type { AuditEntry } from './audit-entry.js';
import { archivesOf, baseOfFirst, openIfThere, readTail } from './audit-files.js';
import type { AuditTrail } from './audit-trail.js';
import { REMOVED } from './audit-verification.js';

interface Retention {
  readonly file: string;
  /** Milliseconds since 1970. Files with only older entries may be removed. */
  readonly before: number;
}

/**
 * Removes the oldest archived file if all its entries are older than `before`, and records the removal. Removes only
 * one file, so that a clock that is wrong for an hour does little damage. A file is kept if the next file does not
 * continue it, for an administrator to examine.
 * @returns the name of the removed file, or undefined
 * @throws Error if the next file does not continue the file, ServiceError SVC_ERR_AUDIT_UNAVAILABLE if the removal
 * cannot be recorded
 */
export async function removeOldestFile(audit: AuditTrail, { file, before }: Retention): Promise<string | undefined> {
  const [oldest, second] = await archivesOf(file);
  if (oldest === undefined) return undefined;
  const handle = await open(oldest.path);
  let last: { readonly sequence: number; readonly hash: string };
  try {
    const { size } = await handle.stat();
    const { time, ...tail } = await readTail(handle, oldest.path);
    if (time === undefined || Date.parse(time) >= before) return undefined;
    const base = await baseOfFirst(handle, oldest.first);
    last = await followChain(handle, base, size);
    if (last.hash !== tail.hash) throw new Error('its last line was replaced');
  } finally {
    await handle.close();
  }
  const next = await openIfThere(second?.path ?? file);
  try {
    const anchored = next === undefined ? undefined : await baseOfFirst(next, last.sequence + 1);
    if (anchored?.hash !== last.hash)
      throw new Error(`${oldest.path}: not removed: the next file does not continue it`);
  } finally {
    await next?.close();
  }
  const name = basename(oldest.path);
  const entry: AuditEntry = {
    who: 'sallyport',
    from: 'sallyport',
    what: REMOVED,
    subject: name,
    before: { first: oldest.first, last: last.sequence, lastHash: last.hash },
  };
  await audit.record(entry, async () => {
    await unlink(oldest.path).catch((error: NodeJS.ErrnoException) => {
      // Another process has removed it.
      if (error.code !== 'ENOENT') throw error;
    });
  });
  return name;
}
