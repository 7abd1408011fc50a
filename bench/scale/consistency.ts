import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../../test/support/random.js';
import { ClusterBed } from './cluster-bed.js';
import type { BedNode } from './node-configuration.js';
import { type RegisterFigures, Registers } from './registers.js';

/** Kill and restart of a server, a short stop, a cut from PostgreSQL for a while, closed connections to PostgreSQL. */
const troubles = ['kill', 'stop', 'cut off', 'cut'] as const;
type Trouble = (typeof troubles)[number];

export interface ConsistencyFigures extends RegisterFigures {
  readonly happened: Readonly<Record<Trouble, number>>;
  readonly auditEntries: number;
}

interface ConsistencyOptions {
  readonly nodes: number;
  readonly clients: number;
  readonly milliseconds: number;
  readonly seed: number;
  readonly quietMilliseconds: number;
  readonly told: (words: string) => void;
}

const STANDSTILL_MILLISECONDS = 1_500;
/** Longer than a server may be silent before the others consider it lost, and longer than a statement may take. */
const CUT_OFF_MILLISECONDS = 8_000;
const MOST_STARTS = 5;

export async function consistency(options: ConsistencyOptions): Promise<ConsistencyFigures> {
  const { nodes, clients, milliseconds, seed, quietMilliseconds, told } = options;
  const bed = await ClusterBed.start({ nodes: Array.from({ length: nodes }, () => 1), users: clients, hasLines: true });
  const random = randomFrom(seed);
  const oneOf = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)];
  const happened = { kill: 0, stop: 0, 'cut off': 0, cut: 0 };
  try {
    const registers = new Registers(bed.nodes, clients);
    registers.begin();
    const away = new Map<BedNode, Promise<void>>();
    const until = (node: BedNode, back: Promise<void>) =>
      away.set(
        node,
        back.finally(() => away.delete(node)),
      );
    const begun = performance.now();
    while (performance.now() - begun < milliseconds) {
      await pause(quietMilliseconds);
      const trouble = oneOf(troubles) ?? 'kill';
      const node = oneOf(bed.nodes.filter((each) => !away.has(each)));
      if (node === undefined) continue;
      happened[trouble]++;
      told(`${trouble} ${trouble === 'cut' ? 'PostgreSQL' : node.code}`);
      if (trouble === 'cut') await bed.cutDatabase();
      else if (trouble === 'stop') {
        bed.signal(node, 'SIGSTOP');
        await pause(STANDSTILL_MILLISECONDS);
        bed.signal(node, 'SIGCONT');
      } else if (trouble === 'cut off') {
        bed.cutOff(node);
        until(
          node,
          pause(CUT_OFF_MILLISECONDS).then(() => bed.mend(node)),
        );
      } else {
        await bed.kill(node);
        until(node, beginAgain(bed, node));
      }
    }
    await Promise.all(away.values());
    await pause(quietMilliseconds);
    await registers.end();
    await registers.readAll();
    return { ...registers.figures, happened, auditEntries: await bed.auditEntries() };
  } finally {
    await bed.stop();
  }
}

/** A server that loses its database during its start exits; a service manager would restart it. */
async function beginAgain(bed: ClusterBed, node: BedNode): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await bed.begin(node);
      return;
    } catch (error) {
      if (tries === MOST_STARTS) throw error;
    }
  }
}
