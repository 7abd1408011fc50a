import { parentPort, workerData } from 'node:worker_threads';
import { readSecurityDocument, type SecurityDocument, writeSecurityDocument } from './security-document.js';

/** Text becomes a document, or a document text. */
export type SecurityFileTask = { readonly text: string } | { readonly document: SecurityDocument };

const task = workerData as SecurityFileTask;
parentPort?.postMessage('text' in task ? readSecurityDocument(task.text) : writeSecurityDocument(task.document));
