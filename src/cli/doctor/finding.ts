export interface Finding {
  readonly check: string;
  /** Checked object: name of a line or host, or a folder. */
  readonly about: string;
  readonly state: 'OK' | 'WARNING' | 'FAULT';
  readonly detail: string;
  readonly advice?: string;
}

export function findingsOf(check: string, about: string) {
  return {
    ok: (detail: string): Finding => ({ check, about, state: 'OK', detail }),
    warning: (detail: string, advice: string): Finding => ({ check, about, state: 'WARNING', detail, advice }),
    fault: (detail: string, advice: string): Finding => ({ check, about, state: 'FAULT', detail, advice }),
  };
}
