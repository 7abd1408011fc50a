import pino from 'pino';
import pretty from 'pino-pretty';

export type Log = pino.Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** `json`: one JSON object a line; `readable`: for a person at a terminal. */
  readonly form: 'json' | 'readable';
}

/**
 * A log that writes to standard output, and the function that writes what it still holds.
 * JSON lines are gathered and written in blocks (every 4 KiB, and every half second at the latest), because a write
 * per request costs more than the request.
 */
export function openLog({ level, form }: LogOptions): { log: Log; flush: () => void } {
  const options: pino.LoggerOptions = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (form === 'readable') {
    return {
      log: pino(options, pretty({ colorize: process.stdout.isTTY, sync: true, translateTime: 'SYS:HH:MM:ss.l' })),
      flush: () => {},
    };
  }
  const destination = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 500 });
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
