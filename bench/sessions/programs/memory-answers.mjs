// Preloaded into Sallyport: answers the message `memory` with what it takes after a full garbage collection, and `stops` with how
// long its event loop stood still at most since it was asked last. SALLYPORT_BENCH_FLAGS: further flags of V8, as --trace-gc.
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
  // what finalizers and closed handles let go of goes with the second
  collectGarbage();
  setTimeout(() => {
    collectGarbage();
    process.send(process.memoryUsage());
  }, 200);
});
