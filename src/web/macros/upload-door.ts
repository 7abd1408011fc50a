import type { IncomingMessage } from 'node:http';
import type { Role } from '../../access/users/security-database.js';
import { ServiceError } from '../../lib/errors.js';
import type { MacroDirectory } from '../../macros/macro-directory.js';
import { isForeignSubmit, isNamelessSubmit } from '../http/request-origin.js';
import type { Requester } from '../sessions/user-sessions.js';
import { checkAfterBody } from '../sign-on/signed-on-user.js';
import { hasRole, type SiteSecurity } from '../sign-on/site-security.js';
import { type UploadForm, uploadedFile, uploadForm } from './uploaded-file.js';

/** A place where files come in, and what is asked of whoever sends one. */
export interface UploadDoor {
  readonly role: Role;
  /** Whose macros may be written. */
  readonly directories: 'all' | 'own';
  /**
   * Whether a form may come from a page that the browser does not want to name. Not where HTTP Basic may be all that it takes:
   * browsers send that along by themselves.
   */
  readonly takesNameless: boolean;
  readonly takes: (incoming: IncomingMessage) => Promise<UploadForm>;
}

/** A form of one part: the file. */
const fileAlone = async (incoming: IncomingMessage): Promise<UploadForm> => ({
  fields: new Map(),
  file: await uploadedFile(incoming),
});

export const uploadDoors = {
  /** `/SECURE/` of a portal line. */
  secure: { role: 'administrator', directories: 'all', takesNameless: false, takes: fileAlone },
  /** A client line, with the key that a page there was given. */
  own: { role: 'user', directories: 'own', takesNameless: true, takes: fileAlone },
  /** The form on a page of the portal, which has a token besides. */
  portal: { role: 'administrator', directories: 'all', takesNameless: true, takes: uploadForm },
} as const satisfies Readonly<Record<string, UploadDoor>>;

/** An upload that may be read. */
interface AdmittedUpload {
  /** @throws ServiceError SVC_ERR_SIGNON_ROLE where it is not the user's to write */
  checkDirectory(directory: MacroDirectory): void;
  /** @throws ServiceError SVC_ERR_MACRO_TYPE, SVC_ERR_MACRO_SIZE; SVC_ERR_SIGNON_* where whoever sends it may no more */
  read(): Promise<UploadForm>;
}

/**
 * The one way to the file of an upload. Nothing of the body is read before role, method and origin are right, and the role is
 * looked at again when all of it is there.
 * @throws ServiceError SVC_ERR_SIGNON_ROLE, SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN
 */
export function admitUpload(
  door: UploadDoor,
  incoming: IncomingMessage,
  { security, requester }: { readonly security: SiteSecurity; readonly requester: Requester },
): AdmittedUpload {
  const { user } = requester;
  if (!hasRole(user, door.role)) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
  if (incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'POST' } });
  if (isForeignSubmit(incoming) || (!door.takesNameless && isNamelessSubmit(incoming))) {
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  }
  return {
    checkDirectory: (directory) => {
      const isOwn = directory.level === 'user' && directory.name === user.name;
      if (door.directories === 'own' && !isOwn) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
    },
    read: async () => {
      const form = await door.takes(incoming);
      await checkAfterBody(security, requester, door.role);
      return form;
    },
  };
}
