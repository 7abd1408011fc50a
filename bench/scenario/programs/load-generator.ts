// The load generator in its own process: runs the tasks it receives, one after the other.
import { load } from '../load.js';
import type { LoadTask } from '../load-task.js';

process.on('message', (task: LoadTask) => {
  load(task).then((result) => process.send?.(result));
});
