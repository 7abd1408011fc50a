import { Pool } from 'undici';
import { rateAnswers } from '../scenario/known-answers.js';
import type { KnownAnswer } from '../scenario/load-task.js';
import { processorSeconds } from '../scenario/process-usage.js';
import { ClusterBed } from './cluster-bed.js';
import type { BedNode } from './node-configuration.js';

export interface EfficiencyFigures {
  /** Of the server, in each round. */
  readonly requestsPerProcessorSecond: readonly number[];
  readonly requestsPerSecond: readonly number[];
}

interface EfficiencyOptions {
  /** Requests to each server before it is measured: of two workers each has half of them. */
  readonly warmUp: number;
  readonly rounds: number;
  readonly roundMilliseconds: number;
  readonly connections: number;
}

/** Requests of scenarios to a server of one process and to one of two workers, in turn. */
export async function efficiency(options: EfficiencyOptions): Promise<readonly [EfficiencyFigures, EfficiencyFigures]> {
  const bed = await ClusterBed.start({ nodes: [1, 2], users: 0 });
  try {
    const answers = await rateAnswers(bed.demo);
    const measured = bed.nodes.map((node) => ({ node, perProcessorSecond: [] as number[], perSecond: [] as number[] }));
    const warmUp = {
      connections: options.connections,
      requests: options.warmUp,
      milliseconds: Number.POSITIVE_INFINITY,
    };
    for (const { node } of measured) await send(bed, node, answers, warmUp);
    const load = {
      connections: options.connections,
      requests: Number.POSITIVE_INFINITY,
      milliseconds: options.roundMilliseconds,
    };
    for (let round = 0; round < options.rounds; round++) {
      for (const { node, perProcessorSecond, perSecond } of measured) {
        const { requests, seconds, processor } = await send(bed, node, answers, load);
        perProcessorSecond.push(requests / processor);
        perSecond.push(requests / seconds);
      }
    }
    const figures = measured.map(({ perProcessorSecond, perSecond }) => ({
      requestsPerProcessorSecond: perProcessorSecond,
      requestsPerSecond: perSecond,
    }));
    const [one, two] = figures;
    if (one === undefined || two === undefined) throw new Error('there are not two servers');
    return [one, two];
  } finally {
    await bed.stop();
  }
}

async function send(
  bed: ClusterBed,
  node: BedNode,
  answers: readonly KnownAnswer[],
  load: { readonly connections: number; readonly requests: number; readonly milliseconds: number },
) {
  const pool = new Pool(`http://${node.client}`, { connections: load.connections, pipelining: 1 });
  const used = () => bed.processesOf(node).reduce((sum, pid) => sum + processorSeconds(pid), 0);
  let requests = 0;
  const [before, begun] = [used(), performance.now()];
  const work = async () => {
    while (performance.now() - begun < load.milliseconds && requests < load.requests) {
      const answer = answers[requests++ % answers.length];
      const { body } = await pool.request({ path: answer?.path ?? '', method: 'GET' });
      const text = await body.text();
      if (text !== answer?.body) throw new Error(`expected ${answer?.body}, received ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  const [processor, seconds] = [used() - before, (performance.now() - begun) / 1_000];
  await pool.destroy();
  return { requests, processor, seconds };
}
