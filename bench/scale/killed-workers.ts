import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import { rateAnswers } from '../scenario/known-answers.js';
import { ClusterBed, workersOf } from './cluster-bed.js';
import { ClusterLoad, type LoadFigures } from './cluster-load.js';
import { type RegisterFigures, Registers } from './registers.js';

export interface KilledWorkersFigures {
  readonly load: LoadFigures;
  readonly writes: RegisterFigures;
  readonly killed: number;
  readonly serving: number;
  readonly workers: number;
  readonly auditEntries: number;
}

interface KilledWorkersOptions {
  readonly workers: number;
  readonly sessions: number;
  readonly rate: number;
  readonly seconds: number;
  readonly told: (words: string) => void;
}

const WRITERS = 4;

export async function killedWorkers(options: KilledWorkersOptions): Promise<KilledWorkersFigures> {
  const { workers, sessions, rate, seconds, told } = options;
  const bed = await ClusterBed.start({ nodes: [workers], users: WRITERS });
  try {
    const [node] = bed.nodes;
    if (node === undefined) throw new Error('there is no server');
    const answers = await rateAnswers(bed.demo);
    const load = new ClusterLoad(bed.front, { sessions, thinkMilliseconds: 1_000, rate, answers });
    const writers = new Registers(bed.nodes, WRITERS);
    load.begin();
    writers.begin();
    await eventually(() => (load.open === sessions ? true : undefined));
    const [supervisor = 0] = bed.processesOf(node);
    let killed = 0;
    for (let second = 0; second < seconds; second++) {
      await pause(1_000);
      const there = workersOf(supervisor);
      const pid = there[Math.floor(Math.random() * there.length)];
      if (pid === undefined) continue;
      load.willKill(codeOf(pid));
      process.kill(pid, 'SIGKILL');
      killed++;
      if (second % 30 === 29) told(`${killed} workers were killed`);
    }
    await bed.allWell(node);
    await load.end();
    await writers.end();
    await writers.readAll();
    const metrics = await (await fetch(`http://127.0.0.1:${node.management}/metrics`)).text();
    return {
      load: load.figures,
      writes: writers.figures,
      killed,
      serving: metrics.match(/^sallyport_worker_up\{.*\} 1$/gm)?.length ?? 0,
      workers,
      auditEntries: await bed.auditEntries(),
    };
  } finally {
    await bed.stop();
  }
}

function codeOf(pid: number): string {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((variable) => variable.startsWith('SALLYPORT_NODE='))?.split('=')[1] ?? '';
}
