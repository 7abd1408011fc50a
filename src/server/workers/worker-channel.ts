import type { Detail } from '../../lib/locale.js';
import type { RunningServer } from '../server.js';
import type { MachineWish, QuestionMessage, WishedMessage, WorkerMessage, WorkerQuestion } from './worker-process.js';

/** Reports to the supervisor that the worker serves, then answers its questions. */
export function answerSupervisor({ listeners, linesWithoutPort, watch }: RunningServer): void {
  const answers: Readonly<Record<WorkerQuestion, () => Promise<unknown>>> = {
    all: () => watch.health.all(),
    ready: () => watch.health.ready(),
    alive: async () => true,
    metrics: async () => (await watch.prometheus?.text())?.body,
  };
  process.on('message', ({ kind, id, question }: QuestionMessage) => {
    if (kind !== 'question') return;
    void answers[question]().then((answer) => tell({ kind: 'answer', id, answer }));
  });
  tell({ kind: 'serving', listeners, withoutPort: linesWithoutPort.map(({ name }) => name) });
}

interface ConnectionTaken {
  readonly accepted?: boolean;
}

/**
 * Delays the confirmation of a connection until its setup is complete. Until then, another worker can take the
 * connection ({@link handOverUntakenConnections}). Reads come in the next turn of the event loop.
 */
export function takeConnectionsBeforeReading(): void {
  const send = process.send?.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    if ((args[0] as ConnectionTaken).accepted !== true) return send(...args);
    setImmediate(() => process.connected && send(...args));
    return true;
  };
}

/** A supervisor of an earlier version does not answer, but obeys. */
const SILENT_SUPERVISOR_MILLISECONDS = 30_000;
let wishes = 0;

/** @returns the reason for a refusal, or undefined */
export function wishOfSupervisor(wish: MachineWish): Promise<Detail | undefined> {
  const id = ++wishes;
  return new Promise((resolve) => {
    const answered = (refusal: Detail | undefined) => {
      clearTimeout(silent);
      process.off('message', onMessage);
      resolve(refusal);
    };
    const onMessage = (message: WishedMessage | QuestionMessage) => {
      if (message.kind === 'wished' && message.id === id) answered(message.refusal);
    };
    const silent = setTimeout(answered, SILENT_SUPERVISOR_MILLISECONDS, undefined);
    process.on('message', onMessage);
    tell({ kind: 'wish', id, wish });
  });
}

/** If the supervisor is gone, node:cluster ends the worker. */
function tell(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}
