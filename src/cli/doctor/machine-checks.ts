import { readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIT_TRAIL_NAME, FileAuditTrail } from '../../access/audit/file-audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import { installationFolder } from '../../config/installation.js';
import { messageOf } from '../../lib/text/messages.js';
import { folderCondition } from '../../operation/health/folder-probe.js';
import { fileHandleLimit, handlesNeeded } from '../serve/file-handles.js';
import { type Finding, findingsOf } from './finding.js';

const MEGABYTE = 1024 * 1024;
const LITTLE_ROOM_BYTES = 1024 * MEGABYTE;
const NO_ROOM_BYTES = 50 * MEGABYTE;
/** Clocks of other machines may be slightly ahead, for example on a network file system. */
const CLOCK_TOLERANCE_MILLISECONDS = 60_000;
/** End of life of Node.js lines (github.com/nodejs/Release, as of 2026-11). */
const nodeLinesEnd: Readonly<Record<string, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

export async function checkNode(version: string, now: number): Promise<Finding> {
  const { ok, warning, fault } = findingsOf('Node.js', version);
  const { engines }: { engines: { node: string } } = JSON.parse(
    await readFile(join(installationFolder, 'package.json'), 'utf8'),
  );
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = engines.node
    .replace(/[^\d.]/g, '')
    .split('.')
    .map(Number);
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    return fault(`older than ${engines.node}`, `install Node.js ${engines.node}`);
  }
  const end = nodeLinesEnd[`${major}`];
  if (end === undefined) return ok(`satisfies ${engines.node}`);
  if (Date.parse(end) > now) return ok(`satisfies ${engines.node}, and receives security fixes until ${end}`);
  return warning(
    `satisfies ${engines.node}, but has received no security fixes since ${end}`,
    'install a later line of Node.js',
  );
}

/** @param pid of the running server; undefined to check the limit of this process */
export async function checkFileHandles(configuration: Configuration, pid: number | undefined): Promise<Finding> {
  const { ok, warning } = findingsOf('file handles', pid === undefined ? 'this shell' : `process ${pid}`);
  const limit = await fileHandleLimit(pid);
  if (limit === undefined) return ok('the limit is not known on this system');
  const { needed } = handlesNeeded(configuration);
  if (needed <= limit) return ok(`${limit} may be open, and the configuration needs up to ${needed}`);
  return warning(
    `${limit} may be open, and the configuration needs up to ${needed}`,
    'raise the limit (ulimit -n, LimitNOFILE= of systemd), or lower the limits in the configuration',
  );
}

export async function checkFolder(name: string, folder: string): Promise<readonly Finding[]> {
  const space = findingsOf('disk space', name);
  const rights = findingsOf('folder', name);
  const facts = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (facts instanceof Error) {
    if (facts.code === 'ENOENT') return [rights.ok('does not exist yet; the server creates it when needed')];
    return [rights.fault(messageOf(facts), 'let the user of the server read and write it')];
  }
  if (!facts.isDirectory()) return [rights.fault('is not a folder', 'name a folder in the configuration')];
  const findings: Finding[] = [];
  const { bavail, bsize, blocks, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const words = `${Math.floor(free / MEGABYTE)} MiB free of ${Math.floor((blocks * bsize) / MEGABYTE)}`;
  const advice = 'free disk space: if the audit trail cannot be written, nothing can be changed';
  if (free < NO_ROOM_BYTES) findings.push(space.fault(words, advice));
  else if (free < LITTLE_ROOM_BYTES) findings.push(space.warning(words, advice));
  else if (files > 0 && ffree < 1_000) findings.push(space.warning(`${ffree} more files can be created`, advice));
  else findings.push(space.ok(words));
  const fault = await folderCondition(name, folder).fault();
  const mode = (facts.mode & 0o777).toString(8);
  if (fault !== undefined) findings.push(rights.fault(fault, adviceOn(fault)));
  else if ((facts.mode & 0o077) !== 0) {
    findings.push(rights.warning(`other users can read it (mode ${mode})`, `chmod 700 ${folder}`));
  } else findings.push(rights.ok(`is writable by its owner only (mode ${mode})`));
  return findings;
}

function adviceOn(fault: string): string {
  if (/\b(?:ENOSPC|EDQUOT)\b/.test(fault)) return 'free disk space there';
  return /\bEROFS\b/.test(fault) ? 'mount it for writing' : 'let the user of the server read and write it';
}

/** No time server is queried. Files or entries with a time after now reveal a clock that was set back. */
export async function checkClock({ data, file }: Configuration, now: number): Promise<Finding> {
  const { ok, warning, fault } = findingsOf('clock', new Date(now).toISOString());
  const advice =
    'set and synchronize the clock (chrony, systemd-timesyncd); audit entries and locks of users depend on it';
  const [entry] = await new FileAuditTrail({ file: join(data, AUDIT_TRAIL_NAME) }).latest(1).catch(() => []);
  const late = now + CLOCK_TOLERANCE_MILLISECONDS;
  if (entry !== undefined && Date.parse(entry.time) > late) {
    return fault(`the last audit entry is of ${entry.time}, later than the clock`, advice);
  }
  for (const path of [join(installationFolder, 'package.json'), file, join(data, AUDIT_TRAIL_NAME)]) {
    const written = await stat(path).then(
      (facts) => facts.mtimeMs,
      () => 0,
    );
    if (written > late)
      return warning(`${path} was written at ${new Date(written).toISOString()}, later than the clock`, advice);
  }
  return ok('no file or audit entry is later than the clock');
}
