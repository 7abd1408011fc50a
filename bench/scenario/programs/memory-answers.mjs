// Preloaded for the soak test: answers `memory` with the bytes of heap in use after a full garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('message', (message) => {
  if (message !== 'memory') return;
  collectGarbage();
  collectGarbage();
  process.send({ heapBytes: process.memoryUsage().heapUsed });
});
