import { machineKey } from '../../cluster/nodes/machine-key.js';
import type { NodeStore } from '../../cluster/nodes/node-store.js';
import type { Seals } from '../../cluster/nodes/other-nodes.js';
import { Seal } from '../../cluster/nodes/seal.js';

/** With a key for each kind of internal line, which is read when the part starts. */
export function sealsOf(workerFolder: string | undefined, store: NodeStore | undefined): Seals {
  const unavailable = (what: string) => Promise.reject(new Error(`the internal line has no key without ${what}`));
  return {
    unix: new Seal(() => (workerFolder === undefined ? unavailable('processes') : machineKey(workerFolder))),
    https: new Seal(() => store?.sealKey() ?? unavailable('a database')),
  };
}
