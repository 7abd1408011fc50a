import type { Listener } from '../part.js';

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
