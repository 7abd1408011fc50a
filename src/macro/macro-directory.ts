/** A directory of macros (specification 2.7): one for all, one for each security group, one for each user. */
export type MacroDirectory =
  | { readonly level: 'global' }
  | { readonly level: 'group'; readonly name: string }
  | { readonly level: 'user'; readonly name: string };

export const macroLevels = ['global', 'group', 'user'] as const;
export type MacroLevel = MacroDirectory['level'];

/** The name of the one file of each (specification 2.7). */
export const MACRO_FILE_NAME = 'macros.json';
