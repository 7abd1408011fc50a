// The load generator, in a process of its own: does the tasks it is sent, one after the other.
import { load } from '../load.js';
import type { LoadTask } from '../load-task.js';

process.on('message', (task: LoadTask) => {
  load(task).then((result) => process.send?.(result));
});
