import { ServiceError } from '../../src/errors.js';
import { answerOrders } from '../../src/thread-orders.js';
import { triedWork } from './tried-work.js';

answerOrders(triedWork, (order) => {
  switch (order.kind) {
    case 'echo':
      return order.value;
    case 'loop':
      for (;;);
    case 'wait':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.milliseconds);
      return 'waited';
    case 'grow': {
      const grown: unknown[][] = [];
      for (;;) grown.push(new Array(10_000).fill({}));
    }
    case 'end':
      process.exit(3);
      break;
    case 'refuse':
      throw new ServiceError('SVC_ERR_MACRO_CONTENT', { detail: 'line 7' });
    case 'throw':
      throw new Error(`cannot read ${order.secret}`);
  }
  return undefined;
});
