import { type Actor, createActor, fromCallback, waitFor } from 'xstate';
import {
  type RestartBounds,
  restartWait,
  type WorkerLifeEvent,
  type WorkerLifeOrder,
  workerMachine,
} from '../../../machines/worker.machine.js';
import type { Reason } from '../../lib/locale.js';
import type { Log } from '../../lib/log/log.js';
import type { KeptPorts } from './kept-ports.js';
import { type MachineWish, type ServingMessage, WorkerProcess, type WorkerQuestion } from './worker-process.js';

/** `waiting`: died and restarts soon. `givenUp`: died too often. */
export type WorkerState =
  | 'starting'
  | 'serving'
  | 'draining'
  | 'leaving'
  | 'stopping'
  | 'waiting'
  | 'givenUp'
  | 'ended';

interface WorkerLifeContext {
  readonly log: Log;
  readonly folder: string;
  readonly ports: KeptPorts;
  readonly bounds: RestartBounds;
  readonly startMilliseconds: number;
  readonly drainMilliseconds: number;
  readonly stopMilliseconds: number;
  readonly silenceMilliseconds: number;
  wished(wish: MachineWish): Promise<Reason | undefined>;
}

const signals = {
  drain: 'SIGUSR2',
  stop: 'SIGTERM',
  kill: 'SIGKILL',
  killUnstarted: 'SIGKILL',
  killSilent: 'SIGKILL',
} as const;

/** Runs one worker as a sequence of processes, according to `machines/worker.machine.ts`. */
export class WorkerLife {
  readonly code: string;
  readonly #actor: Actor<typeof workerMachine>;
  readonly #context: WorkerLifeContext;
  #isStarted = false;
  #process: WorkerProcess | undefined;
  #serving: ServingMessage | undefined;
  #exitCode: number | undefined;
  /** Set if a reload was requested during a start, which may have read the old configuration. */
  #mustReload = false;

  constructor(code: string, context: WorkerLifeContext) {
    this.code = code;
    this.#context = context;
    const { bounds, startMilliseconds, drainMilliseconds, stopMilliseconds } = context;
    this.#actor = createActor(
      workerMachine.provide({
        actors: {
          life: fromCallback<WorkerLifeOrder>(({ sendBack, receive }) => {
            receive(({ type }) => this.#order(type));
            this.#begin(sendBack);
          }),
        },
      }),
      { input: { bounds, startMilliseconds, drainMilliseconds, stopMilliseconds } },
    );
  }

  get state(): WorkerState {
    const { value } = this.#actor.getSnapshot();
    return (typeof value === 'string' ? value : Object.values(value)[0]) as WorkerState;
  }

  get restarts(): number {
    return this.#actor.getSnapshot().context.restarts;
  }

  get serving(): ServingMessage | undefined {
    return this.#serving;
  }

  /** Resolves when the worker first serves, or with the exit code if it ends before. */
  async start(): Promise<number | undefined> {
    this.#isStarted = true;
    this.#actor.start();
    const settled = await waitFor(this.#actor, (snapshot) => !snapshot.matches({ running: 'starting' }));
    return settled.matches({ running: 'serving' }) ? undefined : (this.#exitCode ?? 1);
  }

  /**
   * Drains and restarts the worker.
   * @returns true if the new process serves
   */
  async restart(): Promise<boolean> {
    this.#actor.send({ type: 'operator.restart' });
    const isSettled = (state: WorkerState) => ['serving', 'givenUp', 'ended', 'waiting'].includes(state);
    await waitFor(this.#actor, () => isSettled(this.state));
    return this.state === 'serving';
  }

  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#actor.send({ type: 'operator.stop' });
    await this.#ended();
  }

  /** Ends the worker after its last session, without a restart. */
  async leave(): Promise<void> {
    this.#actor.send({ type: 'operator.leave' });
    await this.#ended();
  }

  async #ended(): Promise<void> {
    await waitFor(this.#actor, (snapshot) => snapshot.status === 'done');
  }

  reload(): void {
    // A drained worker may serve its sessions for a long time.
    if (['serving', 'draining', 'leaving'].includes(this.state)) this.#process?.signal('SIGHUP');
    else if (this.state === 'starting') this.#mustReload = true;
  }

  async ask(question: WorkerQuestion): Promise<unknown> {
    return ['serving', 'draining', 'leaving', 'stopping'].includes(this.state)
      ? this.#process?.ask(question)
      : undefined;
  }

  #begin(sendBack: (event: WorkerLifeEvent) => void): void {
    const { log, folder, silenceMilliseconds, ports, wished } = this.#context;
    this.#mustReload = false;
    this.#process = new WorkerProcess(this.code, folder, silenceMilliseconds, ports, {
      serving: (message) => {
        this.#serving = message;
        sendBack({ type: 'worker.serving' });
        if (this.#mustReload) this.#process?.signal('SIGHUP');
        this.#mustReload = false;
      },
      silent: () => sendBack({ type: 'worker.silent' }),
      wished,
      ended: ({ words, exitCode, isKilled }) => {
        const before = this.state;
        this.#exitCode = exitCode;
        this.#process = undefined;
        sendBack({ type: 'worker.ended', at: performance.now(), isKilled });
        this.#report(log, before, words);
      },
    });
  }

  #order(type: WorkerLifeOrder['type']): void {
    const { log, silenceMilliseconds, startMilliseconds } = this.#context;
    const worker = { worker: this.code };
    if (type === 'kill') log.error(worker, 'the worker did not end in time, and is killed');
    if (type === 'killUnstarted')
      log.error({ ...worker, startMilliseconds }, 'the worker hangs during its start, and is killed');
    if (type === 'killSilent')
      log.error({ ...worker, silenceMilliseconds }, 'the worker no longer answers, and is killed');
    this.#process?.signal(signals[type]);
  }

  #report(log: Log, before: WorkerState, reason: string): void {
    const worker = { worker: this.code, reason };
    const { context } = this.#actor.getSnapshot();
    if (before === 'draining') log.info(worker, 'the worker ended after its drain, and is restarted');
    else if (before === 'stopping' || before === 'leaving') log.info(worker, 'the worker has ended');
    else if (this.state === 'givenUp') {
      const { failedStarts } = context.bounds;
      log.fatal(
        { ...worker, failedStarts: context.failedStarts },
        `the worker died more than ${failedStarts} times in a row during its start, and is not started again; ` +
          'find the cause in the log above, then: sallyport admin restart',
      );
    } else log.error({ ...worker, nextStartMilliseconds: restartWait(context) }, 'the worker died, and is restarted');
  }
}
