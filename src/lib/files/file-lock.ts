import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.js';

/** A lock older than this is taken over, whoever holds it: work under a lock takes far less. */
export const fileLockBounds = { waitMilliseconds: 5_000, oldestMilliseconds: 60_000 };
export type FileLockBounds = typeof fileLockBounds;

const PAUSE_MILLISECONDS = 4;
const LONGEST_PAUSE_MILLISECONDS = 64;
/** How often a waiting process shows its ticket, and the time after which a ticket that is not shown is passed over. */
const SHOW_MILLISECONDS = 250;
const SILENT_MILLISECONDS = 2_000;
const RETRY_AFTER_SECONDS = '5';
/** Of the time of a ticket, so that names sort by it. */
const TIME_DIGITS = 14;
const TICKET = /^\d{14}-[0-9a-f]{24}\.wait$/;

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
 * is the file `<path>.lock`; one whose process is gone is taken over. Everyone who waits has a ticket,
 * `<path>.lock.<time>-<token>.wait`, and the lock goes to the oldest ticket: first come, first served, across processes.
 *
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
      // the next one looks often, the others seldom
      const longest = Math.min(LONGEST_PAUSE_MILLISECONDS, PAUSE_MILLISECONDS * 2 ** before);
      await pause(longest * (0.5 + Math.random() / 2));
    }
    await ticket.discard();
    const since = performance.now();
    try {
      return await work();
    } finally {
      // later it may be another's already; one that is left grows old and is taken over
      if (performance.now() - since < bounds.oldestMilliseconds / 2) await rm(lock, { force: true }).catch(() => {});
    }
  } finally {
    await ticket.discard();
    ownTokens.delete(token);
  }
}

/** A place in the queue for a lock: a file with the content of the lock, which a link makes the lock. */
class Ticket {
  readonly token: string;
  readonly #lock: string;
  readonly #name: string;
  #isThere = false;
  #shownAt = 0;

  constructor(lock: string, token: string) {
    this.#lock = lock;
    this.token = token;
    // of all processes of this machine, and as good as the clocks are between machines
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
   * How many tickets are older. Those of processes that are gone are removed. Those that were not shown for a while are passed over:
   * a process that is stopped keeps nobody from the lock.
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

  /** Says that its process still waits: by the time of the file. */
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
 * Takes the lock if it is free or stale. Only the holder of the claim `<lock>.<token>` replaces the lock of that token, so
 * that one of several that find it stale wins. A claim is a lock itself: that of a process that was killed is taken over.
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

/** A link appears with its content or not at all; an exclusive open would show an empty lock for a moment. */
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

async function heldTooLong(lock: string, { waitMilliseconds }: FileLockBounds): Promise<ServiceError> {
  const { pid = 0, host = '' } = (await holderOf(lock)) ?? {};
  const holder = pid === 0 ? 'no process that is known' : `process ${pid} on ${host}`;
  return new ServiceError('SVC_ERR_FILE_BUSY', {
    detail: `${lock}: held by ${holder}; waited ${waitMilliseconds / 1000} s for it to become free`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
