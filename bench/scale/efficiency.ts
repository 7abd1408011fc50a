import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { freePorts } from '../../test/support/free-port.js';
import { rateAnswers } from '../scenario/known-answers.js';
import type { KnownAnswer } from '../scenario/load-task.js';
import { PinnedProcess } from '../scenario/pinned-process.js';
import { processorSeconds } from '../scenario/process-usage.js';
import { median } from '../sessions/report.js';
import { ClusterBed } from './cluster-bed.js';

export interface EfficiencyFigures {
  readonly name: string;
  readonly requestsPerProcessorSecond: readonly number[];
  readonly requestsPerSecond: readonly number[];
  /** Share of the first process in the processor time of all processes: a supervisor serves no requests. */
  readonly firstProcessShare: number;
}

interface EfficiencyOptions {
  readonly warmUp: number;
  readonly rounds: number;
  readonly roundMilliseconds: number;
  readonly connections: number;
  /** True if `connections` is the number for each process instead of for a contender. */
  readonly isForEach: boolean;
  /** Requests per second to each serving process, below saturation; undefined for as many as possible. */
  readonly pace: number | undefined;
  /** Core reserved for the servers; undefined to let the kernel choose. */
  readonly core: number | undefined;
}

interface Contender {
  readonly name: string;
  readonly urls: readonly string[];
  readonly processes: () => readonly number[];
  readonly serving: number;
}

const plainProgram = fileURLToPath(new URL('../scenario/programs/plain-program.js', import.meta.url));
const START_TRIES = 200;
const PLAIN_PROCESSES = 2;

/**
 * Alternates scenario requests to a server of one process, a server with two workers, and two servers of one process.
 * The last have no supervisor, so their loss against the first is caused by the machine with two busy processes. For
 * comparison, the plain program runs with one and two processes, without any part of Sallyport.
 */
export async function efficiency(options: EfficiencyOptions): Promise<readonly EfficiencyFigures[]> {
  // processes started from here on inherit the core
  if (options.core !== undefined) pin(process.pid, options.core === 0 ? 1 : 0);
  const bed = await ClusterBed.start({ nodes: [1, 2, 1, 1], users: 0 });
  const plain: PinnedProcess[] = [];
  try {
    const answers = await rateAnswers(bed.demo);
    const [one, supervised, ...two] = bed.nodes;
    if (one === undefined || supervised === undefined) throw new Error('there are not enough servers');
    const contender = (name: string, nodes: typeof bed.nodes, serving = nodes.length): Contender => ({
      name,
      serving,
      urls: nodes.map(({ client }) => `http://${client}`),
      processes: () => nodes.flatMap((node) => bed.processesOf(node)),
    });
    const ports = await freePorts(PLAIN_PROCESSES);
    const output = join(bed.folder, 'plain.log');
    for (const port of ports) {
      const args = [plainProgram, String(port), bed.demo];
      plain.push(new PinnedProcess({ args, core: undefined, output }));
      await answered(`http://127.0.0.1:${port}/`);
    }
    const plainContender = (name: string, count: number): Contender => ({
      name,
      serving: count,
      urls: ports.slice(0, count).map((port) => `http://127.0.0.1:${port}`),
      processes: () => plain.slice(0, count).map(({ pid }) => pid),
    });
    const measured = [
      contender('one process', [one]),
      contender('supervisor and two workers', [supervised], 2),
      contender('two processes without a supervisor', two),
      plainContender('node:http and undici, one process', 1),
      plainContender('node:http and undici, two processes', PLAIN_PROCESSES),
    ].map((contender) => ({
      ...contender,
      perProcessorSecond: [] as number[],
      perSecond: [] as number[],
      shares: [] as number[],
    }));
    const { core } = options;
    if (core !== undefined) for (const { processes } of measured) for (const pid of processes()) pin(pid, core);
    const { connections, isForEach, pace } = options;
    const warmUp: Load = {
      connections,
      isForEach,
      pace: undefined,
      requests: options.warmUp,
      milliseconds: Number.POSITIVE_INFINITY,
    };
    for (const one of measured) await send(one, answers, warmUp);
    const load: Load = {
      connections,
      isForEach,
      pace,
      requests: Number.POSITIVE_INFINITY,
      milliseconds: options.roundMilliseconds,
    };
    for (let round = 0; round < options.rounds; round++) {
      for (const one of measured) {
        const { perProcessorSecond, perSecond, shares } = one;
        const { requests, seconds, processor, first } = await send(one, answers, load);
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
    for (const process of plain) await process.stop();
    await bed.stop();
  }
}

function pin(pid: number, core: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' });
}

async function answered(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch (error) {
      if (tries === START_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

interface Load extends Pick<EfficiencyOptions, 'connections' | 'isForEach' | 'pace'> {
  readonly requests: number;
  readonly milliseconds: number;
}

async function send(contender: Contender, answers: readonly KnownAnswer[], load: Load) {
  const connections = (load.connections * (load.isForEach ? contender.serving : 1)) / contender.urls.length;
  const pools = contender.urls.map((url) => new Pool(url, { connections, pipelining: 1 }));
  const processes = contender.processes();
  const used = () => processes.map((pid) => processorSeconds(pid));
  let requests = 0;
  const perMillisecond = ((load.pace ?? Number.POSITIVE_INFINITY) * contender.serving) / 1_000;
  const [before, begun] = [used(), performance.now()];
  const work = async (pool: Pool) => {
    while (performance.now() - begun < load.milliseconds && requests < load.requests) {
      const number = requests++;
      const early = number / perMillisecond - (performance.now() - begun);
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const answer = answers[number % answers.length];
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
