import { resolve } from 'node:path';
import { foldedName } from '../../access/users/security-name.js';
import { MACRO_FILE_NAME, type MacroDirectory } from '../../macros/macro-directory.js';
import { MacroFileError, macroFileOf, readMacroFile } from './macro-file.js';
import { PortalError } from './macro-portal.js';
import type { UploadPair } from './macro-upload-pair.js';

interface UploadScope {
  /** The base directory, and the sub-directories in it. */
  readonly base: string;
  readonly groupDirectory: string;
  readonly userDirectory: string;
  readonly global: boolean;
  /** Whether the files of the groups are posted. */
  readonly groups: boolean;
}

/** One file on its way to one directory. */
export interface PlannedUpload {
  readonly directory: MacroDirectory;
  readonly file: string;
}

interface FailedUpload {
  readonly upload: PlannedUpload;
  readonly reason: string;
}

export interface UploadReport {
  readonly uploaded: number;
  readonly failed: readonly FailedUpload[];
  /** Whether the last failure would have come again with each further upload, and how many were not tried for it. */
  readonly stopped: boolean;
  readonly notTried: number;
}

/** Told of each upload when it is done; without a reason it came through. */
export type UploadProgress = (upload: PlannedUpload, reason: string | undefined) => void;

/** @throws PortalError */
export type SendMacroFile = (directory: MacroDirectory, file: Buffer) => Promise<void>;

/** The uploads of a run: global, then each user, and each group once, before its first user (specification 4.6). */
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

/** @returns the uploads whose file cannot be sent, found before anything is sent */
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

/** Sends what can be sent, one after the other. A failure that would come again with each ends the run. */
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
  /** `lasting`: it would come again with each. */
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

/** `group SALES`, `global`. */
export function titleOf({ directory }: PlannedUpload): string {
  return directory.level === 'global' ? 'global' : `${directory.level} ${directory.name}`;
}
