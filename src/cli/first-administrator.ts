import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/configuration.js';
import { installationFolder } from '../config/installation.js';
import { openSecurityDatabase } from '../config/open-security-database.js';
import { AUDIT_TRAIL_NAME, AuditTrail } from '../security/audit-trail.js';

/** 96 bits, in 16 characters. */
const PASSWORD_BYTES = 12;
const NAME = 'admin';

/**
 * The first start of the default configuration makes an administrator (contract). Another configuration is told how to make one.
 * @returns what is to be printed, once; empty where there are users
 */
export async function firstAdministrator(configuration: Configuration): Promise<string> {
  const { security, inboundLines, file, data } = configuration;
  const hasPortal = inboundLines.some(({ portal }) => portal !== undefined);
  if (!hasPortal || existsSync(security.database)) return '';
  if (file !== join(installationFolder, 'sallyport.yaml')) {
    if (security.ldap !== undefined) return '';
    return `There are no users yet: sallyport user add ${NAME} --role administrator --config ${file}\n`;
  }
  const opened = await openSecurityDatabase(configuration);
  try {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    const user = { name: NAME, role: 'administrator', groups: [], expires: undefined } as const;
    const change = await opened.file.addUser(user, password);
    const audit = new AuditTrail({ file: join(data, AUDIT_TRAIL_NAME) });
    await audit.append({
      who: 'Sallyport',
      from: 'first start',
      what: 'user.added',
      subject: `user ${NAME}`,
      ...change,
    });
    return (
      `The administrator of the portal is ${NAME}, with the password ${password}\n` +
      `(made now and shown this once; change it: npx sallyport user passwd ${NAME})\n`
    );
  } finally {
    await opened.close();
  }
}
