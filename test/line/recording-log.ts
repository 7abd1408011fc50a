import { Writable } from 'node:stream';
import pino from 'pino';
import type { Log } from '../../src/log.js';

export type LogLine = Readonly<Record<string, unknown>>;

/** A real log whose lines a test can read. */
export function recordingLog(): { log: Log; lines: LogLine[]; texts: string[] } {
  const lines: LogLine[] = [];
  const texts: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString());
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { log: pino({ level: 'debug', base: null }, destination), lines, texts };
}
