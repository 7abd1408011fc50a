import { setTimeout as pause } from 'node:timers/promises';
import { ClusterBed } from './cluster-bed.js';
import type { BedNode } from './node-configuration.js';
import { type RegisterFigures, Registers } from './registers.js';

/** What happens to a cluster: a server is killed and started again, stands still for a moment, or connections with PostgreSQL are cut. */
export const troubles = ['kill', 'stop', 'cut'] as const;
export type Trouble = (typeof troubles)[number];

export interface ConsistencyFigures extends RegisterFigures {
  readonly auditEntries: number;
}

interface ConsistencyOptions {
  readonly nodes: number;
  readonly clients: number;
  /** What happens, one after the other; a server that is killed begins again meanwhile. */
  readonly troubles: Iterable<Trouble>;
  readonly quietMilliseconds: number;
  readonly told: (words: string) => void;
}

const STANDSTILL_MILLISECONDS = 1_500;

/** Clients write and read at all servers, while those have troubles. */
export async function consistency(options: ConsistencyOptions): Promise<ConsistencyFigures> {
  const { nodes, clients, quietMilliseconds, told } = options;
  const bed = await ClusterBed.start({ nodes: Array.from({ length: nodes }, () => 1), users: clients });
  try {
    const registers = new Registers(bed.nodes, clients);
    registers.begin();
    const beginning = new Map<BedNode, Promise<void>>();
    const begin = (node: BedNode) => {
      const begun = bed.begin(node).finally(() => beginning.delete(node));
      beginning.set(node, begun);
    };
    for (const trouble of options.troubles) {
      await pause(quietMilliseconds);
      const there = bed.nodes.filter((node) => !beginning.has(node));
      const node = there[Math.floor(Math.random() * there.length)];
      if (node === undefined) continue;
      told(`${trouble} ${trouble === 'cut' ? 'PostgreSQL' : node.code}`);
      if (trouble === 'cut') await bed.cutDatabase();
      else if (trouble === 'stop') {
        bed.signal(node, 'SIGSTOP');
        await pause(STANDSTILL_MILLISECONDS);
        bed.signal(node, 'SIGCONT');
      } else {
        await bed.kill(node);
        begin(node);
      }
    }
    await Promise.all(beginning.values());
    await pause(quietMilliseconds);
    await registers.end();
    await registers.readAll();
    return { ...registers.figures, auditEntries: await bed.auditEntries() };
  } finally {
    await bed.stop();
  }
}
