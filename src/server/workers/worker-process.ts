import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { nextTick } from 'node:process';
import { WORKER_CODE_VARIABLE, WORKER_FOLDER_VARIABLE } from '../../config/worker-code.js';
import type { Listener } from '../part.js';
import type { KeptPorts } from './kept-ports.js';

interface WorkerEnd {
  /** For people. */
  readonly words: string;
  readonly exitCode: number | undefined;
  /** By somebody else, or by a system that has no memory left: it did not end by itself. */
  readonly isKilled: boolean;
}

interface WorkerTellings {
  serving(message: ServingMessage): void;
  /** It hangs: it has not answered for as long as it may. */
  silent(): void;
  /** @returns why it is not done; undefined: it is */
  wished(wish: MachineWish): Promise<string | undefined>;
  ended(end: WorkerEnd): void;
}

/** Longer than a check of health may take, and shorter than who asks for it waits. */
const ANSWER_MILLISECONDS = 2_500;

/** In the time after which a worker is taken to hang. */
const LOOKS = 6;

/** The process of a worker, from its start to its end. */
export class WorkerProcess {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #asked = 0;
  #looking: NodeJS.Timeout | undefined;
  /** Looks since it has said anything. */
  #missed = 0;

  /**
   * @param code of the worker, which it finds in its environment
   * @param folder where all workers have their sockets
   * @param silenceMilliseconds after which it is taken to hang
   * @param ports of all workers
   */
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
    // a message to a worker that has just ended cannot be sent: its end is told by itself
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

  /** Undefined where it does not answer in time. */
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
   * Looks are counted and not the time: in a machine that was asleep, or had no turn for this process either, a worker has missed
   * one of them at most.
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

/** As node:cluster hands a connection to a worker or lets it listen at a port, and as the worker answers. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
  /** Of a port. */
  readonly key?: string;
  readonly errno?: number | null;
}

interface ConnectionHandle {
  close(): void;
}

/** Where each worker takes connections. */
const ports = new WeakMap<Worker, Set<string>>();

/**
 * Has other workers take connections that were handed to a worker which ended before it took them. If no other worker listens at
 * that port and it is not kept, the connections are closed. node:cluster forgets them, and their clients would wait for ever.
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
  // all that it has said was read by then, and nothing more is handed to it
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
 * Has node:cluster know at once that a worker has ended. Where a connection is on its way to it, Node tells of that at no time, and
 * connections that are handed to it meanwhile are forgotten.
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

/** What the supervisor asks a worker about itself: reports of its health by their kind, its metrics, and whether it hangs. */
export type WorkerQuestion = 'all' | 'ready' | 'metrics' | 'alive';

/** From the supervisor to a worker; what else it says are signals: SIGHUP, SIGTERM, and SIGUSR2 to drain. */
export interface QuestionMessage {
  readonly kind: 'question';
  readonly id: number;
  readonly question: WorkerQuestion;
}

/** From the supervisor to a worker: whether it does what was wished. */
export interface WishedMessage {
  readonly kind: 'wished';
  readonly id: number;
  /** Why it does not. */
  readonly refusal?: string | undefined;
}

/** What an operator wants of all workers, and told one of them. */
export type MachineWish = 'restart' | 'drain';

/** From a worker to the supervisor. */
export type WorkerMessage =
  | {
      readonly kind: 'serving';
      readonly listeners: readonly Listener[];
      /** Names of its lines whose port another program has. */
      readonly withoutPort: readonly string[];
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'wish'; readonly id: number; readonly wish: MachineWish };

export type ServingMessage = Extract<WorkerMessage, { kind: 'serving' }>;
