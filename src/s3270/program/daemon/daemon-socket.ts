import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Bytes of the path of a Unix socket (unix(7): 108 with the zero at its end). */
const LONGEST_PATH = 107;

/**
 * Where the daemon of this user listens: SALLYPORT_S3270_SOCKET, or a folder of the user's own that nobody else may enter.
 * @throws Error where the path is too long for a socket
 */
export function daemonSocketPath(environment: NodeJS.ProcessEnv = process.env): string {
  const { SALLYPORT_S3270_SOCKET: named, XDG_RUNTIME_DIR: runtime } = environment;
  const path = named || join(runtime || join(homedir(), '.cache'), 'sallyport', 's3270.sock');
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    throw new Error(
      `${path} is too long for a socket (${LONGEST_PATH} bytes). Set SALLYPORT_S3270_SOCKET to a shorter one.`,
    );
  }
  return path;
}

/**
 * What keeps others from listening there in the daemon's place, or from talking to it.
 * @returns what is wrong with the folder; undefined: it is this user's alone
 */
export function folderFault(socketPath: string): string | undefined {
  const folder = dirname(socketPath);
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return `${folder} does not exist`;
  if (!stat.isDirectory()) return `${folder} is not a folder`;
  if (stat.uid !== process.getuid?.()) return `${folder} belongs to another user`;
  if ((stat.mode & 0o077) !== 0) return `${folder} is open to other users: chmod 700 ${folder}`;
  return undefined;
}
