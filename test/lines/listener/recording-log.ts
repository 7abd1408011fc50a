import { Writable } from 'node:stream';
import pino from 'pino';
import { LastLogLines } from '../../../src/lib/log/last-log-lines.js';
import type { Log } from '../../../src/lib/log/log.js';

export type LogLine = Readonly<Record<string, unknown>>;

/** A real log whose lines a test can read. */
export function recordingLog(): { log: Log; lines: LogLine[]; texts: string[]; lastLines: LastLogLines } {
  const lastLines = new LastLogLines();
  const lines: LogLine[] = [];
  const texts: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString());
      lastLines.add(chunk.toString());
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const options = { level: 'debug', base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return { log: pino(options, destination), lines, texts, lastLines };
}
