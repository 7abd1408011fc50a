import { isNodeCode } from '../lib/network/node-code.js';

/** Set by the supervisor of several processes, and by nobody else. */
export const WORKER_CODE_VARIABLE = 'SALLYPORT_NODE';
/** Set by it, too: a folder that nobody else may enter, where each process has a socket. */
export const WORKER_FOLDER_VARIABLE = 'SALLYPORT_NODE_FOLDER';

/** The node code that the supervisor has given to this process; undefined: it has none. @throws Error where it cannot be one */
export function workerCode(): string | undefined {
  const code = process.env[WORKER_CODE_VARIABLE];
  if (code !== undefined && !isNodeCode(code)) {
    throw new Error(`${WORKER_CODE_VARIABLE} is no node code: only the supervisor sets it`);
  }
  return code;
}

/** Where the processes of this machine have their sockets; undefined: there is only one. */
export function workerFolder(): string | undefined {
  return process.env[WORKER_FOLDER_VARIABLE];
}
