import { type DocumentFault, errorAt, warningAt } from '../lib/documents/document-fault.js';
import type { StoreDocument } from './configuration-document.js';
import { readStoreAddress } from './store-address.js';

/** Whether the database of a configuration can be meant; whether it can be reached says `doctor`. */
export function* checkStore(store: StoreDocument | undefined): Generator<DocumentFault> {
  if (store === undefined) return;
  const address = readStoreAddress(store.postgresql);
  if (address.kind === 'fault') yield errorAt(['store', 'postgresql'], address.fault);
  const { env } = store.password ?? {};
  if (env !== undefined && (process.env[env] ?? '') === '') {
    yield errorAt(['store', 'password', 'env'], `the environment variable "${env}" is not set`);
  }
  if (store.ca !== undefined && address.kind !== 'fault' && !address.value.usesTls) {
    yield warningAt(['store', 'ca'], 'has no effect: there is no TLS');
  }
}
