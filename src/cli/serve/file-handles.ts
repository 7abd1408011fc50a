import { readdir, readFile } from 'node:fs/promises';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';

/** Files, libraries, pipes and watchers of the process itself. */
const OWN_HANDLES = 64;
const LOOK_MILLISECONDS = 1_000;
/** Share of the limit: logged at the upper mark, and again only after usage fell below the lower mark. */
const UPPER_MARK = 0.9;
const LOWER_MARK = 0.8;

const REMEDY =
  'raise the limit of the process (ulimit -n, LimitNOFILE= of systemd), or lower the limits in the configuration';

/** Node raises its soft limit to the hard limit. Undefined if the system does not provide it (all but Linux). */
export async function fileHandleLimit(pid: number | 'self' = 'self'): Promise<number | undefined> {
  const limits = await readFile(`/proc/${pid}/limits`, 'latin1').catch(() => '');
  const limit = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return limit === undefined ? undefined : Number(limit);
}

export function warnOfFewHandles(configuration: Configuration, limit: number, log: Log): void {
  const { needed, clients, hosts, calls } = handlesNeeded(configuration);
  if (needed <= limit) return;
  log.warn(
    { limit, needed, clients, hosts, calls },
    `the process can open ${limit} files and connections, but the configuration needs up to ${needed}: ${REMEDY}`,
  );
}

export function handlesNeeded(configuration: Configuration) {
  const { inboundLines, outboundLines, sessions } = configuration;
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const clients = sum(inboundLines.map(({ limits }) => limits.connections));
  const hosts = Math.min(sessions.limit, sum(inboundLines.map(({ limits }) => limits.sessions)));
  const calls = sum(outboundLines.map(({ limits }) => limits.connections));
  return { needed: clients + hosts + calls + OWN_HANDLES, clients, hosts, calls };
}

/** Monitors used handles, because the system closes connections silently if there are none left. */
export function watchHandles(limit: number, log: Log): void {
  let isShort = false;
  const short = (used: number, words: string) => {
    if (!isShort) log.error({ used, limit }, `${words}, so new connections are closed without an answer: ${REMEDY}`);
    isShort = true;
  };
  setInterval(async () => {
    try {
      const used = (await readdir('/proc/self/fd')).length;
      if (used >= limit * UPPER_MARK) short(used, 'the process has almost no file handles left');
      else if (isShort && used < limit * LOWER_MARK) {
        isShort = false;
        log.info({ used, limit }, 'file handles are available again');
      }
    } catch (error) {
      if (isLackOfHandles(error)) short(limit, 'the process has no file handles left');
    }
  }, LOOK_MILLISECONDS).unref();
}

export function adviceOnHandles(error: unknown): string {
  return isLackOfHandles(error) ? ` (${REMEDY})` : '';
}

function isLackOfHandles(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE';
}
