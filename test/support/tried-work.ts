import type { ThreadWork } from '../../src/lib/turns/thread-orders.js';

type TriedWork =
  | { readonly kind: 'echo'; readonly value: unknown }
  | { readonly kind: 'loop' | 'grow' | 'end' | 'refuse' }
  | { readonly kind: 'throw'; readonly secret: string }
  /** Waits without processor time, like a thread that is not scheduled. */
  | { readonly kind: 'wait'; readonly milliseconds: number | undefined };

export const triedWork: ThreadWork<TriedWork, unknown> = {
  name: 'tried work',
  module: new URL('./tried-work-worker.js', import.meta.url),
};
