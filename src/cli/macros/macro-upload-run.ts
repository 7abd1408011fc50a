import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { foldedName } from '../../access/users/security-name.js';
import { readAtMost, unreadable } from '../../config/read-source.js';
import { MACRO_FILE_NAME, type MacroDirectory } from '../../macros/macro-directory.js';
import { MOST_MACRO_FILE_BYTES } from '../../macros/macro-set.js';
import { counted, printableText } from '../output.js';
import type { UploadPair } from './macro-arguments.js';
import { PortalError } from './macro-portal.js';

const clearLine = '\r\u001b[K';
const NARROWEST_LINE = 20;

export interface Progress {
  readonly step: UploadProgress;
  readonly tell: (words: string) => void;
}

export function printOutcomes(): Progress {
  return {
    step: (upload, reason) => {
      (reason === undefined ? process.stdout : process.stderr).write(`${outcomeOf(upload, reason)}\n`);
    },
    tell,
  };
}

/** For many uploads: one line on standard error, rewritten if it is a terminal. A report follows. */
export function showProgress(total: number): Progress {
  const { stderr } = process;
  let done = 0;
  const words: UploadProgress = (upload, reason) => {
    done++;
    stderr.write(`${done}/${total} ${outcomeOf(upload, reason)}\n`);
  };
  if (!stderr.isTTY) return { step: words, tell };
  return {
    step: (upload) => {
      done++;
      const line = printableText(`${done}/${total} ${titleOf(upload)}`);
      // a line that wraps could not be rewritten
      stderr.write(`${clearLine}${line.slice(0, Math.max(NARROWEST_LINE, stderr.columns - 1))}`);
      if (done === total) stderr.write(clearLine);
    },
    tell: (said) => {
      stderr.write(clearLine);
      tell(said);
    },
  };
}

/** Prints failures last, so that they remain visible. */
export function printReport({ uploaded, failed, stopped, notTried }: UploadReport, output: string | undefined): void {
  if (process.stderr.isTTY) process.stderr.write(clearLine);
  const rest = notTried === 0 ? '' : `, ${notTried} not tried`;
  const counts = `${uploaded} uploaded, ${failed.length} failed${rest}`;
  const said = output === undefined ? '' : `. Details: ${printableText(output)}`;
  process.stdout.write(`Upload ended: ${counts}${said}\n`);
  if (failed.length === 0) return;
  process.stderr.write(
    `${counted(failed.length, 'failure')}${stopped ? ', the last of which stopped the run' : ''}:\n`,
  );
  for (const { upload, reason } of failed)
    process.stderr.write(`  ${printableText(`${titleOf(upload)}: ${reason}`)}\n`);
}

function outcomeOf(upload: PlannedUpload, reason: string | undefined): string {
  return printableText(`${titleOf(upload)}: ${reason === undefined ? 'uploaded' : `failed: ${reason}`}`);
}

function tell(words: string): void {
  process.stderr.write(`${printableText(words)}\n`);
}

const reasons: typeof unreadable = { ...unreadable, ENOTDIR: 'no such file' };

class MacroFileError extends Error {
  override readonly name = 'MacroFileError';
}

/** True if a local subdirectory is inside the base directory (specification 4.6 rule 5). */
export function isBelow(base: string, folder: string): boolean {
  const way = relative(resolve(base), resolve(base, folder));
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/** In the folder `name` of the subdirectory if that exists, otherwise in the subdirectory itself. */
async function macroFileOf(subdirectory: string, name: string): Promise<string> {
  const own = join(subdirectory, name);
  const folder = (await isFolder(own)) ? own : subdirectory;
  return join(folder, MACRO_FILE_NAME);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function readMacroFile(file: string): Promise<Buffer> {
  const bytes = await readAtMost(file, MOST_MACRO_FILE_BYTES).catch(({ code = '', message }: NodeJS.ErrnoException) => {
    throw new MacroFileError(`${file}: cannot be read: ${reasons[code] ?? message}`);
  });
  if (bytes.length > MOST_MACRO_FILE_BYTES) {
    throw new MacroFileError(`${file}: it has more than ${MOST_MACRO_FILE_BYTES} bytes`);
  }
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw new MacroFileError(`${file}: it is not JSON: ${(error as Error).message}`);
  }
  const { macros } = Object(content) as { macros?: unknown };
  if (!Array.isArray(macros)) throw new MacroFileError(`${file}: it has no list "macros"`);
  return bytes;
}

interface UploadScope {
  readonly base: string;
  readonly groupDirectory: string;
  readonly userDirectory: string;
  readonly global: boolean;
  readonly groups: boolean;
}

interface PlannedUpload {
  readonly directory: MacroDirectory;
  readonly file: string;
}

interface FailedUpload {
  readonly upload: PlannedUpload;
  readonly reason: string;
}

interface UploadReport {
  readonly uploaded: number;
  readonly failed: readonly FailedUpload[];
  /** True if the last failure would affect all further uploads; they were not tried. */
  readonly stopped: boolean;
  readonly notTried: number;
}

/** Called after each upload; `reason` is undefined on success. */
type UploadProgress = (upload: PlannedUpload, reason: string | undefined) => void;

export type SendMacroFile = (directory: MacroDirectory, file: Buffer) => Promise<void>;

/** Plans uploads: global, then each user, and each group once before its first user (specification 4.6). */
export async function planUploads(pairs: readonly UploadPair[], scope: UploadScope): Promise<PlannedUpload[]> {
  const within = (folder: string) => resolve(scope.base, folder);
  const plan: PlannedUpload[] = [];
  const groupsPosted = new Set<string>();
  if (scope.global) plan.push({ directory: { level: 'global' }, file: resolve(within('global'), MACRO_FILE_NAME) });
  for (const { group, user } of pairs) {
    if (scope.groups && !groupsPosted.has(foldedName(group))) {
      groupsPosted.add(foldedName(group));
      const file = await macroFileOf(within(scope.groupDirectory), group);
      plan.push({ directory: { level: 'group', name: group }, file });
    }
    const file = await macroFileOf(within(scope.userDirectory), user);
    plan.push({ directory: { level: 'user', name: user }, file });
  }
  return plan;
}

/** Checks all files before anything is sent. @returns faulty uploads with reasons */
export async function findFileFaults(plan: readonly PlannedUpload[]): Promise<Map<PlannedUpload, string>> {
  const faults = new Map<PlannedUpload, string>();
  for (const upload of plan) {
    try {
      await readMacroFile(upload.file);
    } catch (error) {
      if (!(error instanceof MacroFileError)) throw error;
      faults.set(upload, error.message);
    }
  }
  return faults;
}

/** Uploads one file after the other. Ends early after a failure that would affect all further uploads. */
export async function runUploads(
  plan: readonly PlannedUpload[],
  fileFaults: ReadonlyMap<PlannedUpload, string>,
  send: SendMacroFile,
  progress: UploadProgress,
): Promise<UploadReport> {
  const failed: FailedUpload[] = [];
  for (const [index, upload] of plan.entries()) {
    const outcome = await sendOne(upload, fileFaults.get(upload), send);
    progress(upload, outcome.kind === 'failed' ? outcome.reason : undefined);
    if (outcome.kind === 'uploaded') continue;
    failed.push({ upload, reason: outcome.reason });
    if (!outcome.lasting) continue;
    const tried = index + 1;
    return { uploaded: tried - failed.length, failed, stopped: true, notTried: plan.length - tried };
  }
  return { uploaded: plan.length - failed.length, failed, stopped: false, notTried: 0 };
}

type UploadOutcome =
  | { readonly kind: 'uploaded' }
  /** `lasting`: all further uploads would fail too. */
  | { readonly kind: 'failed'; readonly reason: string; readonly lasting: boolean };

async function sendOne(upload: PlannedUpload, fault: string | undefined, send: SendMacroFile): Promise<UploadOutcome> {
  if (fault !== undefined) return { kind: 'failed', reason: fault, lasting: false };
  try {
    await send(upload.directory, await readMacroFile(upload.file));
    return { kind: 'uploaded' };
  } catch (error) {
    if (error instanceof PortalError) return { kind: 'failed', reason: error.message, lasting: error.lasting };
    if (error instanceof MacroFileError) return { kind: 'failed', reason: error.message, lasting: false };
    throw error;
  }
}

function titleOf({ directory }: PlannedUpload): string {
  return directory.level === 'global' ? 'global' : `${directory.level} ${directory.name}`;
}
