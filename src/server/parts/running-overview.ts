import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import type { Health } from '../../operation/health/health.js';
import type { MinuteFigures } from '../../operation/minute-figures.js';
import {
  type ClusterLoad,
  type NodeFigures,
  type NodeList,
  type NodeLoad,
  readNodeLoad,
  sumOfLoads,
} from '../../operation/node-load.js';
import type { CheckReport, ServerOverview } from '../../operation/server-operations.js';
import type { LinesPart } from './lines-part.js';

interface OverviewGround {
  readonly health: Health;
  readonly minutes: MinuteFigures;
  readonly lines: Pick<LinesPart, 'reports'>;
  readonly nodes: NodeList;
  /** What another server says of its load. */
  readonly loadOf: (code: string) => Promise<string>;
  readonly now: () => number;
}

/** The server as a whole, asked for whenever somebody looks. */
export class RunningOverview implements ServerOverview {
  readonly startedAt: number;
  readonly #ground: OverviewGround;

  constructor(ground: OverviewGround) {
    this.#ground = ground;
    this.startedAt = ground.now();
  }

  get now(): number {
    return this.#ground.now();
  }

  async checks(): Promise<readonly CheckReport[]> {
    return (await this.#ground.health.all()).checks;
  }

  /** Of this server alone. */
  get own(): NodeLoad {
    const { lines, minutes } = this.#ground;
    const { reports } = lines;
    return {
      now: this.now,
      sessions: reports.reduce((sum, { sessions }) => sum + sessions, 0),
      connections: reports.reduce((sum, { connections }) => sum + connections, 0),
      lastHour: minutes.lastHour,
    };
  }

  async load(): Promise<ClusterLoad> {
    const { nodes } = this.#ground.nodes;
    const asked = await Promise.all(
      nodes.filter(({ isThis }) => !isThis).map(async (node) => ({ node, load: await this.#loadOf(node) })),
    );
    const counted = asked.flatMap(({ node, load }) =>
      load.kind === 'read' ? [{ code: node.code, load: load.value }] : [],
    );
    const own = nodes.filter(({ isThis }) => isThis).map(({ code }) => code);
    return {
      ...sumOfLoads(
        this.own,
        counted.map(({ load }) => load),
      ),
      counted: [...own, ...counted.map(({ code }) => code)].sort(),
      missing: new Map(asked.flatMap(({ node, load }) => (load.kind === 'fault' ? [[node.code, load.fault]] : []))),
    };
  }

  async #loadOf({ code, state }: NodeFigures): Promise<ReadOutcome<NodeLoad>> {
    if (state === 'gone') return readFault('it is gone');
    try {
      const load = readNodeLoad(await this.#ground.loadOf(code));
      return load === undefined ? readFault('its version tells nothing of it') : readAs(load);
    } catch {
      return readFault('it could not be asked');
    }
  }
}
