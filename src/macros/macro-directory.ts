import { ServiceError } from '../lib/errors.js';

/** A directory of macros (specification 2.7): one global, one for each security group, one for each user. */
export type MacroDirectory =
  | { readonly level: 'global' }
  | { readonly level: 'group'; readonly name: string }
  | { readonly level: 'user'; readonly name: string };

/** Directory of a group or user with a record in the security database. */
type RecordDirectory = Exclude<MacroDirectory, { level: 'global' }>;

export const macroLevels = ['global', 'group', 'user'] as const;
export type MacroLevel = MacroDirectory['level'];

/** File name in every directory (specification 2.7). */
export const MACRO_FILE_NAME = 'macros.json';

export function noDirectory({ level, name }: RecordDirectory): ServiceError {
  const values = { name: name.slice(0, 70) };
  return new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: `${level}.unknown`, values } });
}
