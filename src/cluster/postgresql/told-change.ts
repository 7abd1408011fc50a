import type { ClusterChange } from '../nodes/node-store.js';

/** Other programs may use the same database. */
export const CHANGES_CHANNEL = 'sallyport_changes';

/** An expression that has all processes told that something has changed, when the statement or transaction that it is part of is kept. */
export function toldChange(what: ClusterChange): string {
  return `pg_notify('${CHANGES_CHANNEL}', '${what}')`;
}
