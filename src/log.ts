import pino from 'pino';
import pretty from 'pino-pretty';

export type Log = pino.Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** `json`: one JSON object a line; `readable`: for a person at a terminal. */
  readonly form: 'json' | 'readable';
}

/** Bytes of log lines that are gathered for one write; pino's own bound is 16 KiB. */
const LARGEST_BLOCK = 16_000;

let millisecond = 0;
let member = '';

/** The member `time` of a line; made once a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    member = `,"time":"${new Date(now).toISOString()}"`;
  }
  return member;
}

/**
 * A log that writes to standard output, and the function that writes what it still holds.
 * JSON lines are gathered and written in blocks (at 16,000 bytes, and every half second at the latest), because a write
 * per request costs more than the request.
 */
export function openLog({ level, form }: LogOptions): { log: Log; flush: () => void } {
  const options: pino.LoggerOptions = { level, base: null, timestamp: isoTime };
  if (form === 'readable') {
    return {
      log: pino(options, pretty({ colorize: process.stdout.isTTY, sync: true, translateTime: 'SYS:HH:MM:ss.l' })),
      flush: () => {},
    };
  }
  const destination = pino.destination({ fd: 1, sync: false, minLength: LARGEST_BLOCK, periodicFlush: 500 });
  const flush = () => {
    try {
      destination.flushSync();
    } catch {
      // the descriptor was never ready or is gone (a closed pipe): there is nowhere left to write to
    }
  };
  return { log: pino(options, destination), flush };
}

/** A log that keeps nothing: for callers that want none. */
export const silentLog: Log = pino({ level: 'silent' });
