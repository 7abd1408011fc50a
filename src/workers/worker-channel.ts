import type { RunningServer } from '../composition/server.js';
import type { MachineWish, QuestionMessage, WorkerMessage, WorkerQuestion } from './worker-messages.js';

/** Tells the supervisor that the worker serves, and answers what it asks from then on. */
export function answerSupervisor({ listeners, linesWithoutPort, watch }: RunningServer): void {
  const answers: Readonly<Record<WorkerQuestion, () => Promise<unknown>>> = {
    all: () => watch.health.all(),
    ready: () => watch.health.ready(),
    alive: async () => true,
    metrics: async () => (await watch.metrics?.text())?.body,
  };
  process.on('message', ({ kind, id, question }: QuestionMessage) => {
    if (kind !== 'question') return;
    void answers[question]().then((answer) => tell({ kind: 'answer', id, answer }));
  });
  tell({ kind: 'serving', listeners, withoutPort: linesWithoutPort.map(({ name }) => name) });
}

export function wishOfSupervisor(wish: MachineWish): void {
  tell({ kind: 'wish', wish });
}

/** Where the supervisor is gone, node:cluster ends the worker. */
function tell(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}
