import { answerOrders } from '../../lib/turns/thread-orders.js';
import { readUsersDocument, writeUsersDocument } from './users-document.js';
import { usersFileReading, usersFileWriting } from './users-file.js';

answerOrders(usersFileReading, readUsersDocument);
answerOrders(usersFileWriting, writeUsersDocument);
