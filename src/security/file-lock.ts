import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A lock older than this is taken over, whoever holds it: work under a lock takes far less. */
export const fileLockBounds = { waitMilliseconds: 10_000, oldestMilliseconds: 60_000 };
export type FileLockBounds = typeof fileLockBounds;

const LONGEST_PAUSE_MILLISECONDS = 64;

interface Holder {
  /** Of this holding of the lock; where the file is not one of ours (a power failure emptied it): which file it is. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  readonly ageMilliseconds: number;
}

/** Tokens of this process. A lock with its process id and another token was left by an earlier process of that id. */
const ownTokens = new Set<string>();

/**
 * Does the work while no other process, and nobody else in this one, is inside withFileLock for the same path. The lock
 * is the file `<path>.lock`; one whose process is gone is taken over.
 *
 * @throws Error where the lock does not become free in time
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, bounds = fileLockBounds): Promise<T> {
  const lock = `${path}.lock`;
  const token = randomBytes(12).toString('hex');
  ownTokens.add(token);
  try {
    const deadline = performance.now() + bounds.waitMilliseconds;
    for (
      let longest = 2;
      !(await takes(lock, token, bounds));
      longest = Math.min(longest * 2, LONGEST_PAUSE_MILLISECONDS)
    ) {
      if (performance.now() >= deadline) throw await heldTooLong(lock, bounds);
      await pause(longest * (0.5 + Math.random() / 2));
    }
    const since = performance.now();
    try {
      return await work();
    } finally {
      // later it may be another's already; one that is left grows old and is taken over
      if (performance.now() - since < bounds.oldestMilliseconds / 2) await rm(lock, { force: true }).catch(() => {});
    }
  } finally {
    ownTokens.delete(token);
  }
}

/**
 * Takes the lock where it is free or stale. Only who holds the claim `<lock>.<token>` replaces the lock of that token, so
 * that of several who find it stale one wins. A claim is a lock itself: that of a process which was killed is taken over.
 */
async function takes(lock: string, token: string, bounds: FileLockBounds): Promise<boolean> {
  const holder = await holderOf(lock);
  if (holder === undefined) return creates(lock, token);
  if (!isStale(holder, bounds)) return false;
  const claim = `${lock}.${holder.token}`;
  if (!(await takes(claim, token, bounds))) return false;
  const isStillThere = (await holderOf(lock))?.token === holder.token;
  await (isStillThere ? rename(claim, lock) : rm(claim, { force: true }));
  return isStillThere;
}

/** A link appears with its content or not at all; an exclusive open would show an empty lock for a moment. */
async function creates(lock: string, token: string): Promise<boolean> {
  const own = `${lock}.new-${token}`;
  try {
    await writeFile(own, `${process.pid} ${hostname()} ${token}\n`, { flag: 'wx', mode: 0o644 });
    await link(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Undefined where the lock is free. */
async function holderOf(lock: string): Promise<Holder | undefined> {
  const handle = await open(lock).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    // age and content of one file: by its name it might be replaced in between
    const { mtimeMs, ino } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512));
    const found = /^(\d{1,10}) (\S+) ([0-9a-f]{24})\n$/.exec(buffer.toString('latin1', 0, bytesRead));
    const [, pid = 0, host = '', token = `${ino}-${Math.floor(mtimeMs)}`] = found ?? [];
    return { token, pid: Number(pid), host, ageMilliseconds: Date.now() - mtimeMs };
  } finally {
    await handle.close();
  }
}

function isStale({ token, pid, host, ageMilliseconds }: Holder, { oldestMilliseconds }: FileLockBounds): boolean {
  if (ownTokens.has(token)) return false;
  if (ageMilliseconds > oldestMilliseconds) return true;
  if (host !== hostname()) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function heldTooLong(lock: string, { waitMilliseconds }: FileLockBounds): Promise<Error> {
  const { pid = 0, host = '' } = (await holderOf(lock)) ?? {};
  const who = pid === 0 ? 'by no process that can be told' : `by process ${pid} on ${host}`;
  return new Error(`${lock}: held ${who}; waited ${waitMilliseconds / 1000} s for it to become free`);
}
