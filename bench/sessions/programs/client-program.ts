// Process of clients, controlled over IPC.
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Task } from '../client-tasks.js';

// with 5,000 sockets its full garbage collections, one each second, would distort the server's figures: postpone them
setFlagsFromString('--heap-growing-percent=900');

// for the comparison with libcrypto; must be set before the thread pool is used
process.env.UV_THREADPOOL_SIZE = String(Math.max(4, availableParallelism()));
const { doTask } = await import('../client-tasks.js');

process.on('message', (task: Task) => {
  doTask(task).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
