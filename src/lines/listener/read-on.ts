import type { Readable } from 'node:stream';

/** Whoever sends nothing for so long has stopped. */
const SILENCE_MILLISECONDS = 5_000;
const MOST_MILLISECONDS = 30_000;

/**
 * Reads and discards what still comes behind the last answer of a connection, so that no reset overtakes the answer. `end` is called
 * once: when all of it has come, the sender has stopped or gone, or has gone on for too long.
 */
export function readOn(stream: Readable, end: () => void): void {
  let isOver = false;
  let heard = false;
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    clearTimeout(most);
    end();
  };
  const silence = setTimeout(() => {
    heard = false;
    // what came while the process stood still is read first
    setImmediate(() => heard || finish());
  }, SILENCE_MILLISECONDS);
  const most = setTimeout(finish, MOST_MILLISECONDS);
  stream.on('data', () => {
    heard = true;
    if (!isOver) silence.refresh();
  });
  stream.once('close', finish);
  stream.resume();
}
