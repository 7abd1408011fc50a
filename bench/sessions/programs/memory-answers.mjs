// Preloaded into Sallyport. Answers `memory` with the memory after a full garbage collection, and `stops` with the
// longest pause of the event loop since the last such message. SALLYPORT_BENCH_FLAGS: more V8 flags.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

for (const flag of (process.env.SALLYPORT_BENCH_FLAGS ?? '').split(' ').filter(Boolean)) setFlagsFromString(flag);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

process.on('message', (message) => {
  if (message === 'stops') {
    process.send({ milliseconds: delays.max / 1e6 });
    delays.reset();
  }
  if (message !== 'memory') return;
  // the second collection frees what finalizers and closed handles have released
  collectGarbage();
  setTimeout(() => {
    collectGarbage();
    process.send(process.memoryUsage());
  }, 200);
});
