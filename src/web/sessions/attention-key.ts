import type { SubmittedKey } from '../../sessions/submit.js';
import { attentionKeyName } from '../../templates/attention-key-name.js';

/** What a client asks for by its attention key field (reference 2.3). */
export type RequestedKey = SubmittedKey | { readonly kind: 'disconnect' } | { readonly kind: 'pageClosed' };

/** Our own: a page tells, as it is closed, that nobody looks at it any more. */
const PAGE_CLOSED = 'PAGE-CLOSED';

/** @returns the key, and its name as VALID-PFKEYS lists it; undefined where there is none of that name */
export function requestedKey(written: string): { readonly key: RequestedKey; readonly name: string } | undefined {
  const text = written.trim().toUpperCase();
  if (text === PAGE_CLOSED) return { key: { kind: 'pageClosed' }, name: text };
  if (text === 'SYSREQ') return { key: { kind: 'systemRequest' }, name: text };
  const name = attentionKeyName(text);
  if (name === undefined) return undefined;
  return { key: keyOf(name), name };
}

function keyOf(name: string): RequestedKey {
  if (name === 'DISCONNECT') return { kind: 'disconnect' };
  if (name === 'ATTN') return { kind: 'attn' };
  // the INPUT scenario alone would have it, and the host nothing
  if (name === 'NULL-PF' || name.startsWith('SCENARIO')) return { kind: 'none' };
  if (name.startsWith('PF')) return { kind: 'attention', name: `PF${Number(name.slice(2))}` };
  if (name.startsWith('PA')) return { kind: 'attention', name };
  return { kind: 'attention', name: `${name[0]}${name.slice(1).toLowerCase()}` };
}
