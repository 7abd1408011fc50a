import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_ADMINISTRATOR } from '../../access/users/user-administration.js';
import type { Configuration } from '../../config/configuration.js';
import { installationFolder } from '../../config/installation.js';
import { openUsers } from '../../config/open-users.js';

/**
 * Creates an administrator on the first start of the default configuration (contract), or warns if the portal has no
 * administrator.
 * @returns text to print once; empty if there is an administrator
 */
export async function firstAdministrator(configuration: Configuration): Promise<string> {
  const { security, inboundLines, file } = configuration;
  const hasPortal = inboundLines.some(({ portal }) => portal !== undefined);
  // administrators of a directory server are unknown until they sign on
  if (!hasPortal || security.ldap !== undefined) return '';
  const isFirstStart = !existsSync(security.database) && file === join(installationFolder, 'sallyport.yaml');
  const { administration, close } = await openUsers(configuration);
  try {
    if (isFirstStart) {
      const password = await administration.addFirstAdministrator();
      return (
        `The administrator of the portal is ${FIRST_ADMINISTRATOR}, with the password ${password}\n` +
        `(generated now, and shown only once; change it: npx sallyport user passwd ${FIRST_ADMINISTRATOR})\n`
      );
    }
    if (await administration.hasAdministrator()) return '';
    return `No user can sign on at the portal yet: sallyport user add ${FIRST_ADMINISTRATOR} --role administrator --config ${file}\n`;
  } finally {
    await close();
  }
}
