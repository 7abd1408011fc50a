import type { ThreadWork } from '../../src/lib/turns/thread-orders.js';

/** Does what it is named after. */
type TriedWork =
  | { readonly kind: 'echo'; readonly value: unknown }
  | { readonly kind: 'loop' | 'grow' | 'end' | 'refuse' }
  | { readonly kind: 'throw'; readonly secret: string }
  /** Without processor time, as of a thread that others keep from running. */
  | { readonly kind: 'wait'; readonly milliseconds: number | undefined };

export const triedWork: ThreadWork<TriedWork, unknown> = {
  name: 'tried work',
  module: new URL('./tried-work-worker.js', import.meta.url),
};
