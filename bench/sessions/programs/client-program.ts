// A process of clients, told what to do over IPC.
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Task } from '../client-tasks.js';

// its full collections of garbage, one a second with 5,000 sockets, would count as the server's: they are put off
setFlagsFromString('--heap-growing-percent=900');

// for the comparison with libcrypto: before anything uses the pool
process.env.UV_THREADPOOL_SIZE = String(Math.max(4, availableParallelism()));
const { doTask } = await import('../client-tasks.js');

process.on('message', (task: Task) => {
  doTask(task).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
