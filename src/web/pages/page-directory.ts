import { ServiceError } from '../../lib/errors.js';
import type { EntryPoint } from '../../lines/entry-point/entry-point.js';
import {
  applicationTypes,
  type SecurityLevel,
  securityLevels,
  type Transaction,
} from '../../lines/entry-point/transaction.js';

interface PageDirectory {
  readonly name: string;
  readonly security: SecurityLevel;
}

/**
 * Finds the directory of a path: the default directory if the path names none, otherwise the application of the first
 * page-directory transaction (type 4) whose external name is the first name of the path, ignoring case, and whose URL
 * prefix, if any, starts the path (reference 1.2).
 * @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN
 */
export function pageDirectoryOf({ definition }: EntryPoint, directories: readonly string[]): PageDirectory {
  const [first] = directories;
  if (first === undefined) return { name: definition.directory, security: securityLevels.public };
  const folded = first.toUpperCase();
  const transaction = definition.transactions.find(
    (candidate) =>
      candidate.applicationType === applicationTypes.pageDirectory &&
      candidate.externalName.toUpperCase() === folded &&
      prefixMatches(candidate, directories),
  );
  if (transaction?.application === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  return { name: transaction.application, security: transaction.security };
}

/** @throws ServiceError as `pageDirectoryOf` does, and SVC_ERR_TRANSACTION_SECURED if the directory is not public */
export function publicDirectoryOf(entryPoint: EntryPoint, directories: readonly string[]): string {
  const { name, security } = pageDirectoryOf(entryPoint, directories);
  if (security !== securityLevels.public) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  return name;
}

/** Without a prefix, only `/directory/page` matches. In the prefix, `?` matches any character and `%20` a blank. */
function prefixMatches({ logonMessage }: Transaction, directories: readonly string[]): boolean {
  if (logonMessage.trim() === '') return directories.length === 1;
  const path = `/${directories.join('/')}/`;
  const prefix = logonMessage.replaceAll('%20', ' ');
  if (prefix.length > path.length) return false;
  for (let index = 0; index < prefix.length; index += 1) {
    if (prefix[index] !== '?' && prefix[index] !== path[index]) return false;
  }
  return true;
}
