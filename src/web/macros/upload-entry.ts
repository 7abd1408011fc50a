import type { IncomingMessage } from 'node:http';
import type { Role } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { MacroDirectory } from '../../macros/macro-directory.js';
import { isForeignSubmit, isNamelessSubmit } from '../http/request-origin.js';
import type { Requester } from '../sessions/user-sessions.js';
import { checkAfterBody } from '../sign-on/signed-on-user.js';
import { hasRole, type SiteSecurity } from '../sign-on/site-security.js';
import { type UploadForm, uploadedFile, uploadForm } from './uploaded-file.js';

export interface UploadEntry {
  readonly role: Role;
  readonly directories: 'all' | 'own';
  /**
   * True if forms without an origin are accepted. Must be false if HTTP Basic is enough to authorize the upload,
   * because browsers send those credentials automatically.
   */
  readonly takesNameless: boolean;
  readonly takes: (incoming: IncomingMessage) => Promise<UploadForm>;
}

const fileAlone = async (incoming: IncomingMessage): Promise<UploadForm> => ({
  fields: new Map(),
  file: await uploadedFile(incoming),
});

export const uploadEntries = {
  /** `/SECURE/` of a portal line. */
  secure: { role: 'administrator', directories: 'all', takesNameless: false, takes: fileAlone },
  own: { role: 'user', directories: 'own', takesNameless: true, takes: fileAlone },
  portal: { role: 'administrator', directories: 'all', takesNameless: true, takes: uploadForm },
} as const satisfies Readonly<Record<string, UploadEntry>>;

interface AdmittedUpload {
  /** @throws ServiceError SVC_ERR_SIGNON_ROLE if the user may not write the directory */
  checkDirectory(directory: MacroDirectory): void;
  /**
   * @throws ServiceError SVC_ERR_MACRO_TYPE, SVC_ERR_MACRO_SIZE; SVC_ERR_SIGNON_* if the user has lost the permission
   */
  read(): Promise<UploadForm>;
}

/**
 * Checks role, method and origin before any of the body is read. `read` checks the role again after the body.
 * @throws ServiceError SVC_ERR_SIGNON_ROLE, SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN
 */
export function admitUpload(
  entry: UploadEntry,
  incoming: IncomingMessage,
  { security, requester }: { readonly security: SiteSecurity; readonly requester: Requester },
): AdmittedUpload {
  const { user } = requester;
  if (!hasRole(user, entry.role)) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
  if (incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'POST' } });
  if (isForeignSubmit(incoming) || (!entry.takesNameless && isNamelessSubmit(incoming))) {
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  }
  return {
    checkDirectory: (directory) => {
      const isOwn = directory.level === 'user' && directory.name === user.name;
      if (entry.directories === 'own' && !isOwn) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
    },
    read: async () => {
      const form = await entry.takes(incoming);
      await checkAfterBody(security, requester, entry.role);
      return form;
    },
  };
}
