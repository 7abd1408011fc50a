import { isNodeCode } from '../lib/network/node-code.js';

/** Set only by the supervisor of several processes. */
export const WORKER_CODE_VARIABLE = 'SALLYPORT_NODE';
/** Set only by the supervisor: a private folder with one socket per process. */
export const WORKER_FOLDER_VARIABLE = 'SALLYPORT_NODE_FOLDER';

/** @throws Error if it is not a valid node code */
export function workerCode(): string | undefined {
  const code = process.env[WORKER_CODE_VARIABLE];
  if (code !== undefined && !isNodeCode(code)) {
    throw new Error(
      `${WORKER_CODE_VARIABLE} is not a valid node code. Do not set this variable: the supervisor sets it`,
    );
  }
  return code;
}

export function workerFolder(): string | undefined {
  return process.env[WORKER_FOLDER_VARIABLE];
}
