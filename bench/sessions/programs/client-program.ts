// A process of clients, told what to do over IPC.
import { availableParallelism } from 'node:os';
import type { Task } from '../client-tasks.js';

// for the comparison with libcrypto: before anything uses the pool
process.env.UV_THREADPOOL_SIZE = String(Math.max(4, availableParallelism()));
const { doTask } = await import('../client-tasks.js');

process.on('message', (task: Task) => {
  doTask(task).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
