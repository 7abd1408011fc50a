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
 * The directory that a path leads to: none named: the default directory of the entry point; else the application of
 * the first page-directory transaction (type 4) whose external name is the first name of the path, in any case, and
 * whose URL prefix, if it has one, begins the path (reference 1.2).
 *
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

/** One that anybody may see. @throws ServiceError as `pageDirectoryOf` does, and SVC_ERR_TRANSACTION_SECURED */
export function publicDirectoryOf(entryPoint: EntryPoint, directories: readonly string[]): string {
  const { name, security } = pageDirectoryOf(entryPoint, directories);
  if (security !== securityLevels.public) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  return name;
}

/** Without a prefix only `/directory/page` is meant. In the prefix `?` stands for any character, `%20` for a blank. */
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
