import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.js';

/**
 * `oldestMilliseconds`: an older lock is replaced, even if its process is alive. Work under a lock takes far less time.
 */
export const fileLockBounds = { waitMilliseconds: 5_000, oldestMilliseconds: 60_000 };
export type FileLockBounds = typeof fileLockBounds;

const PAUSE_MILLISECONDS = 4;
const LONGEST_PAUSE_MILLISECONDS = 64;
/** Interval at which a waiting process touches its ticket, and the age at which a ticket is skipped. */
const SHOW_MILLISECONDS = 250;
const SILENT_MILLISECONDS = 2_000;
const RETRY_AFTER_SECONDS = '5';
const TIME_DIGITS = 14;
const TICKET = /^\d{14}-[0-9a-f]{24}\.wait$/;

interface Holder {
  /**
   * Unique for each acquisition. For a file with invalid content (for example empty after a power failure), its inode
   * and time.
   */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  readonly ageMilliseconds: number;
}

/** A lock with the process ID of this process and another token is from an earlier process with the same ID. */
const ownTokens = new Set<string>();

/**
 * Runs `work` while no other caller in any process holds the lock of the same path. The lock is the file `<path>.lock`.
 * A lock of a dead process is replaced. Each waiting caller has a ticket, `<path>.lock.<time>-<token>.wait`, and the
 * oldest ticket gets the lock.
 * @throws ServiceError SVC_ERR_FILE_BUSY if the lock does not become free in time
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, bounds = fileLockBounds): Promise<T> {
  const lock = `${path}.lock`;
  const token = randomBytes(12).toString('hex');
  ownTokens.add(token);
  const ticket = new Ticket(lock, token);
  try {
    await ticket.draw();
    const deadline = performance.now() + bounds.waitMilliseconds;
    for (;;) {
      const before = await ticket.countBefore(bounds);
      if (before === 0 && (await takes(lock, ticket, bounds))) break;
      if (performance.now() >= deadline) throw await heldTooLong(lock, bounds);
      // The first in the queue checks often, the others less often.
      const longest = Math.min(LONGEST_PAUSE_MILLISECONDS, PAUSE_MILLISECONDS * 2 ** before);
      await pause(longest * (0.5 + Math.random() / 2));
    }
    await ticket.discard();
    const since = performance.now();
    try {
      return await work();
    } finally {
      // After that time, the lock may belong to another process. A lock that is not removed expires.
      if (performance.now() - since < bounds.oldestMilliseconds / 2) await rm(lock, { force: true }).catch(() => {});
    }
  } finally {
    await ticket.discard();
    ownTokens.delete(token);
  }
}

/** Place in the queue: a file with the same content as the lock. */
class Ticket {
  readonly token: string;
  readonly #lock: string;
  readonly #name: string;
  #isThere = false;
  #shownAt = 0;

  constructor(lock: string, token: string) {
    this.#lock = lock;
    this.token = token;
    // Sorts the tickets of this machine. Between machines, only as exact as their clocks.
    this.#name = `${basename(lock)}.${String(Date.now()).padStart(TIME_DIGITS, '0')}-${token}.wait`;
  }

  get #path(): string {
    return join(dirname(this.#lock), this.#name);
  }

  async draw(): Promise<void> {
    await writeFile(this.#path, ownContent(this.token), { flag: 'wx', mode: 0o644 });
    this.#isThere = true;
    this.#shownAt = performance.now();
  }

  async discard(): Promise<void> {
    if (!this.#isThere) return;
    this.#isThere = false;
    await rm(this.#path, { force: true }).catch(() => {});
  }

  /**
   * Number of older tickets. Removes tickets of dead processes. Skips tickets that were not touched for a while, so
   * that a suspended process does not block the lock.
   */
  async countBefore(bounds: FileLockBounds): Promise<number> {
    await this.#show();
    const folder = dirname(this.#lock);
    const older = (await readdir(folder)).filter((name) => name < this.#name && this.#isTicket(name)).sort();
    for (const [at, name] of older.entries()) {
      const holder = await holderOf(join(folder, name));
      if (holder === undefined) continue;
      if (isStale(holder, bounds)) await rm(join(folder, name), { force: true });
      else if (holder.ageMilliseconds < SILENT_MILLISECONDS) return older.length - at;
    }
    return 0;
  }

  /** Touches the ticket to show that its process is still waiting. */
  async #show(): Promise<void> {
    if (performance.now() - this.#shownAt < SHOW_MILLISECONDS) return;
    this.#shownAt = performance.now();
    const now = new Date();
    await utimes(this.#path, now, now).catch(() => {});
  }

  #isTicket(name: string): boolean {
    const prefix = `${basename(this.#lock)}.`;
    return name.startsWith(prefix) && TICKET.test(name.slice(prefix.length));
  }
}

/**
 * Takes a free or stale lock. To replace a stale lock, a caller must first hold the claim `<lock>.<token>`, so that
 * only one of several callers succeeds. A claim is itself a lock and can become stale.
 */
async function takes(lock: string, { token }: Pick<Ticket, 'token'>, bounds: FileLockBounds): Promise<boolean> {
  const holder = await holderOf(lock);
  if (holder === undefined) return creates(lock, token);
  if (!isStale(holder, bounds)) return false;
  const claim = `${lock}.${holder.token}`;
  if (!(await takes(claim, { token }, bounds))) return false;
  const isStillThere = (await holderOf(lock))?.token === holder.token;
  await (isStillThere ? rename(claim, lock) : rm(claim, { force: true }));
  return isStillThere;
}

/** Uses `link`, so that the lock appears with its content. A file opened exclusively would be empty for a moment. */
async function creates(lock: string, token: string): Promise<boolean> {
  const own = `${lock}.new-${token}`;
  try {
    await writeFile(own, ownContent(token), { flag: 'wx', mode: 0o644 });
    await link(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

function ownContent(token: string): string {
  return `${process.pid} ${hostname()} ${token}\n`;
}

async function holderOf(lock: string): Promise<Holder | undefined> {
  const handle = await open(lock).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    // Read age and content through one handle, because the file may be replaced in between.
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

async function heldTooLong(lock: string, { waitMilliseconds }: FileLockBounds): Promise<ServiceError> {
  const { pid = 0, host = '' } = (await holderOf(lock)) ?? {};
  const holder = pid === 0 ? 'an unknown process' : `process ${pid} on ${host}`;
  return new ServiceError('SVC_ERR_FILE_BUSY', {
    detail: `${lock}: held by ${holder}; waited ${waitMilliseconds / 1000} s for it to become free`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
