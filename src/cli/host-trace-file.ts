import { appendFileSync } from 'node:fs';
import { HostTrace } from '../tn3270/host/host-trace.js';

/** Only the owner may read it: it holds what the host sent. */
export function traceInto(file: string): HostTrace {
  return new HostTrace({ write: (line) => appendFileSync(file, `${line}\n`, { mode: 0o600 }) });
}
