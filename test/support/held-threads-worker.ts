import { answerOrders } from '../../src/lib/turns/thread-orders.js';
import { holding } from './held-threads.js';

answerOrders(holding, (buffer) => {
  const memory = new Int32Array(buffer);
  Atomics.store(memory, 1, 1);
  Atomics.wait(memory, 0, 0);
});
