import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/configuration.js';
import { installationFolder } from '../config/installation.js';
import { openSecurityDatabase } from '../config/open-security-database.js';
import { AUDIT_TRAIL_NAME, AuditTrail } from '../security/audit-trail.js';
import { SecurityChanges } from '../security/security-changes.js';

/** 96 bits, in 16 characters. */
const PASSWORD_BYTES = 12;
const NAME = 'admin';

/**
 * The first start of the default configuration makes an administrator (contract). Where there is a portal and nobody who may use
 * it, that is said.
 * @returns what is to be printed, once; empty where there is an administrator
 */
export async function firstAdministrator(configuration: Configuration): Promise<string> {
  const { security, inboundLines, file, data } = configuration;
  const hasPortal = inboundLines.some(({ portal }) => portal !== undefined);
  // the administrators of a directory server are not looked for before anybody signs on
  if (!hasPortal || security.ldap !== undefined) return '';
  if (existsSync(security.database) || file !== join(installationFolder, 'sallyport.yaml')) {
    return (await hasAdministrator(configuration))
      ? ''
      : `Nobody can sign on at the portal yet: sallyport user add ${NAME} --role administrator --config ${file}\n`;
  }
  const opened = await openSecurityDatabase(configuration);
  try {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    const user = { name: NAME, role: 'administrator', groups: [], expires: undefined } as const;
    const audit = new AuditTrail({ file: join(data, AUDIT_TRAIL_NAME) });
    await new SecurityChanges(opened.file, audit).addUser({ who: 'Sallyport', from: 'first start' }, user, password);
    return (
      `The administrator of the portal is ${NAME}, with the password ${password}\n` +
      `(made now and shown this once; change it: npx sallyport user passwd ${NAME})\n`
    );
  } finally {
    await opened.close();
  }
}

async function hasAdministrator(configuration: Configuration): Promise<boolean> {
  const { file, close } = await openSecurityDatabase(configuration);
  try {
    const users = await file.records();
    return users.some(({ role, hasPassword, isExpired }) => role === 'administrator' && hasPassword && !isExpired);
  } finally {
    await close();
  }
}
