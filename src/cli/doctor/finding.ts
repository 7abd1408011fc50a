/** What one check found. */
export interface Finding {
  /** `port`, `certificate`, `host` … */
  readonly check: string;
  /** What was looked at: the name of a line or host, a folder. */
  readonly about: string;
  readonly state: 'OK' | 'WARNING' | 'FAULT';
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** Makes findings of one check about one thing. */
export function findingsOf(check: string, about: string) {
  return {
    ok: (detail: string): Finding => ({ check, about, state: 'OK', detail }),
    warning: (detail: string, advice: string): Finding => ({ check, about, state: 'WARNING', detail, advice }),
    fault: (detail: string, advice: string): Finding => ({ check, about, state: 'FAULT', detail, advice }),
  };
}
