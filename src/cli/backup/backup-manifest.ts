import { basename, dirname, join, relative, sep } from 'node:path';
import { AUDIT_TRAIL_NAME } from '../../access/audit/file-audit-trail.js';
import { TOKENS_NAME } from '../../access/tokens/file-token-store.js';
import type { Configuration } from '../../config/configuration.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** First file of an archive; lists the other files in order. */
export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 'sallyport-backup';
const FORMAT_VERSION = 1;

export const backupBounds = {
  files: 200_000,
  bytes: 64 * 1024 ** 3,
  pathCharacters: 1_024,
  nameBytes: 255,
  depth: 16,
  manifestBytes: 64 * 1024 ** 2,
};

/** The data folder, and parts that a configuration stores elsewhere. */
const backupRoots = ['data', 'macros', 'users'] as const;
type BackupRoot = (typeof backupRoots)[number];

export interface BackedUpFile {
  /** With `/`, starting with the root: `data/audit.jsonl`. */
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly sha256: string;
}

export interface BackupManifest {
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly made: string;
  readonly roots: readonly BackupRoot[];
  readonly files: readonly BackedUpFile[];
}

export function manifestText(manifest: BackupManifest): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...manifest })}\n`;
}

export function readManifest(text: string, bounds = backupBounds): ReadOutcome<BackupManifest> {
  let value: Record<string, unknown>;
  try {
    value = Object(JSON.parse(text));
  } catch {
    return readFault(`its ${MANIFEST_NAME} is not JSON`);
  }
  const { format, formatVersion, version, made, roots, files } = value;
  if (format !== FORMAT) return readFault(`its ${MANIFEST_NAME} is not the manifest of a backup`);
  if (formatVersion !== FORMAT_VERSION) {
    return readFault(`it has format ${JSON.stringify(formatVersion)}; this version reads ${FORMAT_VERSION}`);
  }
  if (typeof version !== 'string' || typeof made !== 'string' || Number.isNaN(Date.parse(made))) {
    return readFault(`its ${MANIFEST_NAME} lacks the time of creation or the version`);
  }
  if (!Array.isArray(roots) || !roots.every(isRoot)) return readFault(`its ${MANIFEST_NAME} names unknown folders`);
  if (!Array.isArray(files)) return readFault(`its ${MANIFEST_NAME} lists no files`);
  if (files.length > bounds.files)
    return readFault(`it has ${files.length} files; at most ${bounds.files} are restored`);
  const seen = new Set<string>();
  let bytes = 0;
  for (const file of files) {
    if (!isFile(file)) return readFault(`its ${MANIFEST_NAME} has an entry that does not describe a file`);
    const fault = pathFault(file.path, bounds) ?? (seen.has(file.path) ? 'it occurs twice' : undefined);
    if (fault !== undefined)
      return readFault(`its file ${JSON.stringify(file.path.slice(0, 100))} is rejected: ${fault}`);
    if (!roots.some((root) => file.path.startsWith(`${root}/`))) {
      return readFault(
        `its file ${JSON.stringify(file.path.slice(0, 100))} is rejected: it is outside the folders of the backup`,
      );
    }
    seen.add(file.path);
    bytes += file.bytes;
  }
  if (bytes > bounds.bytes) return readFault(`it has ${bytes} bytes; at most ${bounds.bytes} are restored`);
  return readAs({ version, made, roots, files });
}

function isRoot(value: unknown): value is BackupRoot {
  return backupRoots.some((root) => root === value);
}

function isFile(value: unknown): value is BackedUpFile {
  const { path, bytes, mode, sha256 } = Object(value) as Record<string, unknown>;
  const isCount = (number: unknown) => Number.isSafeInteger(number) && Number(number) >= 0;
  return (
    typeof path === 'string' &&
    isCount(bytes) &&
    isCount(mode) &&
    Number(mode) <= 0o777 &&
    /^[0-9a-f]{64}$/.test(`${sha256}`)
  );
}

/** Reason to reject a path: it leaves the folder, or file systems do not accept it. */
export function pathFault(path: string, bounds = backupBounds): string | undefined {
  if (path.length > bounds.pathCharacters) return `its path has more than ${bounds.pathCharacters} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return 'its path has a backslash or a control character';
  const names = path.split('/');
  if (names.length > bounds.depth) return `it is nested in more than ${bounds.depth} folders`;
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'its path leads outside the backup';
  const isLong = names.some((name) => Buffer.byteLength(name) > bounds.nameBytes);
  return isLong ? `a name of its path has more than ${bounds.nameBytes} bytes` : undefined;
}

export interface DataPlace {
  readonly root: BackupRoot;
  /** A folder with all its content, or one file. */
  readonly path: string;
  /** Path in the archive: `data`, `users/security.yaml`. */
  readonly name: string;
}

type Places = Pick<Configuration, 'data' | 'security' | 'macros'>;

export function dataPlaces({ data, security, macros }: Places): readonly DataPlace[] {
  const places: DataPlace[] = [{ root: 'data', path: data, name: 'data' }];
  if (macros !== undefined && !isWithin(macros, data)) places.push({ root: 'macros', path: macros, name: 'macros' });
  const { database } = security;
  if (!isWithin(database, data)) {
    places.push({ root: 'users', path: database, name: `users/${basename(database)}` });
  }
  return places;
}

/** Files that several processes change under locks, in locking order. */
export function lockedFiles({ data, security }: Places): readonly string[] {
  return [security.database, join(data, TOKENS_NAME), join(data, AUDIT_TRAIL_NAME)];
}

/** New name in the same folder and therefore on the same file system, so that it can be renamed atomically. */
export function besides(path: string, what: string): string {
  return join(dirname(path), `.${basename(path)}.${what}`);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && way !== '';
}
