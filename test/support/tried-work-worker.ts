import { ServiceError } from '../../src/lib/errors.js';
import { answerOrders } from '../../src/lib/turns/thread-orders.js';
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
      // about 300 MB: below the limit of a thread without explicit limits
      const grown: unknown[][] = [];
      while (grown.length < 4_000) grown.push(new Array(10_000).fill({}));
      return grown.length;
    }
    case 'end':
      process.exit(3);
      break;
    case 'refuse':
      throw new ServiceError('SVC_ERR_MACRO_CONTENT', { detail: { foreign: 'line 7' } });
    case 'throw':
      throw new Error(`cannot read ${order.secret}`);
  }
  return undefined;
});
