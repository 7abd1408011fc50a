import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { nextTick } from 'node:process';
import { WORKER_CODE_VARIABLE, WORKER_FOLDER_VARIABLE } from '../../config/worker-code.js';
import type { Reason } from '../../lib/locale.js';
import type { Listener } from '../part.js';
import type { KeptPorts } from './kept-ports.js';

interface WorkerEnd {
  readonly words: string;
  readonly exitCode: number | undefined;
  readonly isKilled: boolean;
}

interface WorkerTellings {
  serving(message: ServingMessage): void;
  silent(): void;
  /** @returns the reason for a refusal, or undefined */
  wished(wish: MachineWish): Promise<Reason | undefined>;
  ended(end: WorkerEnd): void;
}

/** Longer than a health check may take, and shorter than its callers wait. */
const ANSWER_MILLISECONDS = 2_500;

/** Checks within the time after which a worker counts as hanging. */
const LOOKS = 6;

export class WorkerProcess {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #asked = 0;
  #looking: NodeJS.Timeout | undefined;
  #missed = 0;

  constructor(code: string, folder: string, silenceMilliseconds: number, ports: KeptPorts, tellings: WorkerTellings) {
    const worker = cluster.fork({ [WORKER_CODE_VARIABLE]: code, [WORKER_FOLDER_VARIABLE]: folder });
    this.#worker = worker;
    handOverUntakenConnections(worker, ports);
    ports.of(worker);
    worker.on('message', (message: WorkerMessage) => {
      this.#missed = 0;
      if (message.kind === 'serving') {
        this.#look(silenceMilliseconds / LOOKS, tellings);
        ports.serving();
        tellings.serving(message);
      } else if (message.kind === 'wish') void this.#answerWish(message, tellings);
      else this.#waiting.get(message.id)?.(message.answer);
    });
    // Messages to an ended worker fail. Its end is reported separately.
    worker.on('error', () => {});
    worker.once('exit', (exitCode: number | null, signal: string | null) => {
      clearInterval(this.#looking);
      for (const answered of this.#waiting.values()) answered(undefined);
      tellings.ended({
        words: signal === null ? `exit code ${exitCode}` : `signal ${signal}`,
        exitCode: exitCode ?? undefined,
        isKilled: signal === 'SIGKILL',
      });
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  signal(signal: 'SIGHUP' | 'SIGTERM' | 'SIGUSR2' | 'SIGKILL'): void {
    this.#worker.process.kill(signal);
  }

  /** Undefined if the worker does not answer in time. */
  ask(question: WorkerQuestion): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      const late = setTimeout(() => answered(undefined), ANSWER_MILLISECONDS);
      const answered = (answer: unknown) => {
        clearTimeout(late);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, answered);
      if (!this.#worker.isConnected()) return answered(undefined);
      this.#worker.send({ kind: 'question', id, question } satisfies QuestionMessage);
    });
  }

  async #answerWish({ id, wish }: Extract<WorkerMessage, { kind: 'wish' }>, { wished }: WorkerTellings): Promise<void> {
    const refusal = await wished(wish);
    if (this.#worker.isConnected()) this.#worker.send({ kind: 'wished', id, refusal } satisfies WishedMessage);
  }

  /**
   * Counts checks instead of time: after the machine was suspended, or this process had no CPU time, a worker has
   * missed at most one check.
   */
  #look(everyMilliseconds: number, { silent }: WorkerTellings): void {
    this.#looking = setInterval(() => {
      if (this.#missed === LOOKS) {
        clearInterval(this.#looking);
        silent();
        return;
      }
      this.#missed++;
      void this.ask('alive');
    }, everyMilliseconds);
  }
}

/** Internal messages of node:cluster about connections and ports, and their answers. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
  readonly key?: string;
  readonly errno?: number | null;
}

interface ConnectionHandle {
  close(): void;
}

const ports = new WeakMap<Worker, Set<string>>();

/**
 * Passes connections that were handed to an ended worker, but not taken, to other workers. Closes them if no other
 * worker listens at the port and it is not kept. node:cluster would drop them without closing, and their clients would
 * wait forever.
 */
function handOverUntakenConnections(worker: Worker, kept: Pick<KeptPorts, 'has'>): void {
  const untaken = new Map<number, { readonly key: string | undefined; readonly handle: ConnectionHandle }>();
  const ownPorts = new Set<string>();
  ports.set(worker, ownPorts);
  const { process } = worker;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [{ act, seq, ack, key, errno }, handle] = args as [ClusterMessage, ConnectionHandle | undefined];
    if (act === 'newconn' && seq !== undefined && handle) untaken.set(seq, { key, handle });
    else if (ack !== undefined && key !== undefined && !errno) ownPorts.add(key);
    return send(...args);
  };
  process.on('internalMessage', ({ act, ack, key }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
    if (act === 'close' && key !== undefined) ownPorts.delete(key);
  });
  tellOfEnd(worker);
  // All messages of the worker were read, and nothing more is handed to it.
  worker.once('disconnect', () => {
    ports.delete(worker);
    const others = Object.values(cluster.workers ?? {}).map((other) => other && ports.get(other));
    for (const [ack, { key, handle }] of [...untaken]) {
      const isServed = key !== undefined && (kept.has(key) || others.some((their) => their?.has(key)));
      if (isServed) process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false }, undefined);
      else handle.close();
    }
    untaken.clear();
  });
}

/**
 * Reports the end of a worker to node:cluster at once. While a connection is being sent to the worker, Node.js does not
 * emit `disconnect`, and further connections handed to the worker would be lost.
 */
function tellOfEnd({ process }: Worker): void {
  let isTold = false;
  process.once('disconnect', () => {
    isTold = true;
  });
  const disconnect = process.disconnect.bind(process);
  process.disconnect = () => {
    disconnect();
    nextTick(() => {
      if (!isTold) process.emit('disconnect');
    });
  };
}

/** Health reports by kind, metrics, and whether the worker responds. */
export type WorkerQuestion = 'all' | 'ready' | 'metrics' | 'alive';

/** From the supervisor. Its other commands are signals: SIGHUP, SIGTERM, and SIGUSR2 to drain. */
export interface QuestionMessage {
  readonly kind: 'question';
  readonly id: number;
  readonly question: WorkerQuestion;
}

export interface WishedMessage {
  readonly kind: 'wished';
  readonly id: number;
  /** Supervisors of earlier versions send an English text. */
  readonly refusal?: Reason | string | undefined;
}

export type MachineWish = 'restart' | 'drain';

export type WorkerMessage =
  | {
      readonly kind: 'serving';
      readonly listeners: readonly Listener[];
      /** Lines whose port is in use by another program. */
      readonly withoutPort: readonly string[];
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'wish'; readonly id: number; readonly wish: MachineWish };

export type ServingMessage = Extract<WorkerMessage, { kind: 'serving' }>;
