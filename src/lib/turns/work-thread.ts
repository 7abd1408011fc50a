import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { answerTo, ownThread, type ThreadOrder, type ThreadReply } from './thread-orders.js';

parentPort?.on('message', async (asked: ThreadOrder) => {
  parentPort?.postMessage(await replyTo(asked));
});

async function replyTo({ name, module, order, mostBytes }: ThreadOrder): Promise<ThreadReply> {
  try {
    await import(module);
    const answer = answerTo(name);
    parentPort?.postMessage({ kind: 'begun', thread: ownThread() } satisfies ThreadReply);
    const bytes = serialize(await answer(order));
    return bytes.length > mostBytes ? { kind: 'tooLarge' } : { kind: 'done', bytes };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', code: error.code, detail: error.givenDetail };
    return failureOf(error);
  }
}

function failureOf(error: unknown): ThreadReply {
  const { name = 'Error', message = '', stack = '', syscall } = Object(error) as Error & { syscall?: string };
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { kind: 'failed', message: syscall === undefined ? name : message, frames: frames.join('\n') };
}
