import { answerOrders } from '../lib/turns/thread-orders.js';
import { macroCheck } from './macro-check.js';
import { readMacroSet } from './macro-reading.js';

answerOrders(macroCheck, (bytes) => {
  readMacroSet(bytes);
});
