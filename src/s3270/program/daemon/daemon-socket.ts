import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Length of a Unix socket path in bytes (unix(7): 108, including the final NUL). */
const LONGEST_PATH = 107;

/** SALLYPORT_S3270_SOCKET, or a path in a folder that only this user can access. */
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

/** Returns undefined if no other user can replace the socket or connect to it. */
export function folderFault(socketPath: string): string | undefined {
  const folder = dirname(socketPath);
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return `${folder} does not exist`;
  if (!stat.isDirectory()) return `${folder} is not a folder`;
  if (stat.uid !== process.getuid?.()) return `${folder} belongs to another user`;
  if ((stat.mode & 0o077) !== 0) return `${folder} is open to other users: chmod 700 ${folder}`;
  return undefined;
}
