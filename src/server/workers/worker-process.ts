import cluster, { type Worker } from 'node:cluster';
import { WORKER_CODE_VARIABLE, WORKER_FOLDER_VARIABLE } from '../../config/worker-code.js';
import type { KeptPorts } from './kept-ports.js';
import { handOverUntakenConnections } from './untaken-connections.js';
import type {
  MachineWish,
  QuestionMessage,
  ServingMessage,
  WishedMessage,
  WorkerMessage,
  WorkerQuestion,
} from './worker-messages.js';

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
