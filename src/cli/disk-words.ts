import { ServiceError } from '../lib/errors.js';

/** What it means, and what is to be done: an administrator need not know the names of errors. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room',
  EDQUOT: 'the quota of the disk is used up: make room',
  EROFS: 'the file system is read-only: mount it for writing',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENOENT: 'it is not there',
};

/** What went wrong, before the words of the system, which name the file where they can. */
export function diskWords(error: unknown): string {
  // a command has no log that would say why
  if (error instanceof ServiceError && error.code === 'SVC_ERR_AUDIT_UNAVAILABLE')
    return `the audit trail cannot be written, so nothing was changed: ${diskWords(error.cause)}`;
  if (error instanceof ServiceError && error.detail !== undefined) return error.detail;
  const { code, message } = error as NodeJS.ErrnoException;
  const meaning = code === undefined ? undefined : meanings[code];
  return meaning === undefined ? String(message) : `${meaning} (${message})`;
}
