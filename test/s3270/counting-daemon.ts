import { queryObjects } from 'node:v8';
import { S3270Daemon } from '../../src/s3270/program/daemon/s3270-daemon.js';
import { runS3270 } from '../../src/s3270/program/run-s3270.js';
import { Conversation } from '../../src/tn3270/conversation/conversation.js';

/** A daemon in a process of its own: on each line of standard input it says how many conversations its memory holds. */
const [, , path = ''] = process.argv;
const daemon = await S3270Daemon.listen(path, runS3270);
const count = () => process.stdout.write(`${queryObjects(Conversation)}\n`);
process.stdin.on('data', count).on('end', () => daemon.close());
count();
