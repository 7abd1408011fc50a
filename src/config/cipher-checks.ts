import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/document-fault.js';
import { cipherStringFault } from '../lib/network/tls-ciphers.js';

/** The cipher string of a line or a host. */
export function* checkCiphers(
  path: KeyPath,
  tls: boolean | { readonly ciphers?: string } | undefined,
): Generator<DocumentFault> {
  if (typeof tls !== 'object' || tls.ciphers === undefined) return;
  const fault = cipherStringFault(tls.ciphers);
  if (fault !== undefined) yield errorAt(path, fault);
}
