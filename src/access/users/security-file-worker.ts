import { answerOrders } from '../../lib/turns/thread-orders.js';
import { readSecurityDocument, writeSecurityDocument } from './security-document.js';
import { securityFileReading, securityFileWriting } from './security-file.js';

answerOrders(securityFileReading, readSecurityDocument);
answerOrders(securityFileWriting, writeSecurityDocument);
