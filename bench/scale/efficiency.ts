import { Pool } from 'undici';
import { rateAnswers } from '../scenario/known-answers.js';
import type { KnownAnswer } from '../scenario/load-task.js';
import { processorSeconds } from '../scenario/process-usage.js';
import { median } from '../sessions/report.js';
import { ClusterBed } from './cluster-bed.js';
import type { BedNode } from './node-configuration.js';

export interface EfficiencyFigures {
  readonly name: string;
  /** Of the server, in each round. */
  readonly requestsPerProcessorSecond: readonly number[];
  readonly requestsPerSecond: readonly number[];
  /** Of the processor time of all processes, that of the one that was started: a supervisor serves no requests. */
  readonly firstProcessShare: number;
}

interface EfficiencyOptions {
  /** Requests to each contender before it is measured: of two processes each has half of them. */
  readonly warmUp: number;
  readonly rounds: number;
  readonly roundMilliseconds: number;
  readonly connections: number;
}

/**
 * Requests of scenarios to a server of one process, to one of two workers, and to two servers of one process each, in turn. The last
 * ones have no supervisor: what they lose against the first is lost by the machine, which has two busy processes.
 */
export async function efficiency(options: EfficiencyOptions): Promise<readonly EfficiencyFigures[]> {
  const bed = await ClusterBed.start({ nodes: [1, 2, 1, 1], users: 0 });
  try {
    const answers = await rateAnswers(bed.demo);
    const [one, supervised, ...two] = bed.nodes;
    if (one === undefined || supervised === undefined) throw new Error('there are not enough servers');
    const measured = [
      { name: 'one process', nodes: [one] },
      { name: 'supervisor and two workers', nodes: [supervised] },
      { name: 'two processes without a supervisor', nodes: two },
    ].map((contender) => ({
      ...contender,
      perProcessorSecond: [] as number[],
      perSecond: [] as number[],
      shares: [] as number[],
    }));
    const warmUp = {
      connections: options.connections,
      requests: options.warmUp,
      milliseconds: Number.POSITIVE_INFINITY,
    };
    for (const { nodes } of measured) await send(bed, nodes, answers, warmUp);
    const load = {
      connections: options.connections,
      requests: Number.POSITIVE_INFINITY,
      milliseconds: options.roundMilliseconds,
    };
    for (let round = 0; round < options.rounds; round++) {
      for (const { nodes, perProcessorSecond, perSecond, shares } of measured) {
        const { requests, seconds, processor, first } = await send(bed, nodes, answers, load);
        perProcessorSecond.push(requests / processor);
        perSecond.push(requests / seconds);
        shares.push(first / processor);
      }
    }
    return measured.map(({ name, perProcessorSecond, perSecond, shares }) => ({
      name,
      requestsPerProcessorSecond: perProcessorSecond,
      requestsPerSecond: perSecond,
      firstProcessShare: median(shares),
    }));
  } finally {
    await bed.stop();
  }
}

async function send(
  bed: ClusterBed,
  nodes: readonly BedNode[],
  answers: readonly KnownAnswer[],
  load: { readonly connections: number; readonly requests: number; readonly milliseconds: number },
) {
  const connections = load.connections / nodes.length;
  const pools = nodes.map(({ client }) => new Pool(`http://${client}`, { connections, pipelining: 1 }));
  const processes = nodes.flatMap((node) => bed.processesOf(node));
  const used = () => processes.map((pid) => processorSeconds(pid));
  let requests = 0;
  const [before, begun] = [used(), performance.now()];
  const work = async (pool: Pool) => {
    while (performance.now() - begun < load.milliseconds && requests < load.requests) {
      const answer = answers[requests++ % answers.length];
      const { body } = await pool.request({ path: answer?.path ?? '', method: 'GET' });
      const text = await body.text();
      if (text !== answer?.body) throw new Error(`expected ${answer?.body}, received ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(pools.flatMap((pool) => Array.from({ length: connections }, () => work(pool))));
  const processor = used().map((seconds, at) => seconds - (before[at] ?? 0));
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(pools.map((pool) => pool.destroy()));
  return { requests, processor: processor.reduce((sum, one) => sum + one, 0), first: processor[0] ?? 0, seconds };
}
