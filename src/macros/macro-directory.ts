import { ServiceError } from '../lib/errors.js';

/** A directory of macros (specification 2.7): one for all, one for each security group, one for each user. */
export type MacroDirectory =
  | { readonly level: 'global' }
  | { readonly level: 'group'; readonly name: string }
  | { readonly level: 'user'; readonly name: string };

/** The directory of a group or of a user, which the security database has a record of. */
export type RecordDirectory = Exclude<MacroDirectory, { level: 'global' }>;

export const macroLevels = ['global', 'group', 'user'] as const;
export type MacroLevel = MacroDirectory['level'];

/** The name of the one file of each (specification 2.7). */
export const MACRO_FILE_NAME = 'macros.json';

/** The error for a directory whose group or user the security database does not have. */
export function noDirectory({ level, name }: RecordDirectory): ServiceError {
  const detail = `The security database has no ${level} ${name.slice(0, 70)}.`;
  return new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail });
}
