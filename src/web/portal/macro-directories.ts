import { isSecurityName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import type { MacroDirectory, MacroLevel } from '../../macros/macro-directory.js';
import { readMacroSet } from '../../macros/macro-reading.js';
import type { MacroSet } from '../../macros/macro-set.js';
import type { PortalRequest } from './portal-route.js';

/** A directory that a page is about. */
export interface ShownDirectory {
  readonly directory: MacroDirectory;
  /** Whether its group or user is gone, and its files are not. */
  readonly isLeft: boolean;
}

/**
 * The directory in the path of a page.
 * @throws ServiceError SVC_ERR_MACRO_DIRECTORY, SVC_ERR_MACRO_UNCONFIGURED
 */
export async function directoryOf({ macros, segment }: PortalRequest, level: MacroLevel): Promise<ShownDirectory> {
  const { store } = macros;
  const name = segment('name');
  try {
    return { directory: await macros.directory(level, name), isLeft: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SVC_ERR_MACRO_DIRECTORY') throw error;
    if (level === 'global' || !isSecurityName(name)) throw error;
    const directory = { level, name };
    if ((await store.versions(directory)).length > 0) return { directory, isLeft: true };
    throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: `There is no ${level} "${name}".` });
  }
}

/** `everybody`, `group OPS`, `user ANNA`. */
export function holderText(directory: MacroDirectory): string {
  return directory.level === 'global' ? 'everybody' : `${directory.level} ${directory.name}`;
}

/** What is in a file; undefined where somebody put one there that is no macro file. */
export function soundMacroSet(bytes: Uint8Array): MacroSet | undefined {
  try {
    return readMacroSet(bytes, true);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
