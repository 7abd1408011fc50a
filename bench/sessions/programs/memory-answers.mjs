// Preloaded into Sallyport: answers the message `memory` with what it takes after a full garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('message', (message) => {
  if (message !== 'memory') return;
  // what finalizers and closed handles let go of goes with the second
  collectGarbage();
  setTimeout(() => {
    collectGarbage();
    process.send(process.memoryUsage());
  }, 200);
});
