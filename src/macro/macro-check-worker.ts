import { parentPort } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import type { CheckedFile, FileToCheck } from './macro-check.js';
import { readMacroSet } from './macro-reading.js';

parentPort?.on('message', ({ number, bytes }: FileToCheck) => {
  let checked: CheckedFile = { number, fault: undefined };
  try {
    readMacroSet(bytes);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    checked = { number, fault: { code: error.code, detail: error.detail } };
  }
  parentPort?.postMessage(checked);
});
