import type { ExitCode } from '../../lib/exit-codes.js';
import { printableText } from '../printable-text.js';
import { type AdminOptions, answered, cell, listOf, table, textsOf } from './admin-answers.js';

export type TraceAct = keyof typeof collections | 'list' | 'get' | 'stop' | 'remove';

export interface TraceOptions extends AdminOptions {
  readonly seconds?: number;
  readonly bytes?: number;
  readonly form: string;
}

const collections = {
  session: 'sessions',
  line: 'lines',
  scenario: 'scenarios',
  'entry-point': 'entry-points',
} as const;

/** @param name of what is to be traced; else of the trace */
export function operateTrace(act: TraceAct, name: string, options: TraceOptions): Promise<ExitCode> {
  const path = `traces/${encodeURIComponent(name)}`;
  switch (act) {
    case 'list':
      return listTraces(options);
    case 'get':
      return answered(
        options,
        (ask) => ask(`${path}?form=${options.form}`, { method: 'GET' }),
        (answer) => printableText(String(answer.trace)),
      );
    case 'stop':
    case 'remove':
      return answered(
        options,
        (ask) => ask(`${path}/${act}`, { method: 'POST' }),
        () => `Trace ${printableText(name)} is ${act === 'stop' ? 'stopped' : 'removed'}.\n`,
      );
    default: {
      const { seconds, bytes } = options;
      const request = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ seconds, bytes }),
      } as const;
      return answered(
        options,
        (ask) => ask(`${collections[act]}/${encodeURIComponent(name)}/trace`, request),
        (answer) => `${cell(answer.name)}\n`,
      );
    }
  }
}

function listTraces(options: TraceOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => ask('traces', { method: 'GET' }),
    (answer) => {
      const rows = listOf(answer, 'traces').map((trace) => [
        ...textsOf(trace, 'name', 'kind', 'subject', 'by', 'bytes', 'until'),
        trace.open === true ? 'yes' : 'no',
      ]);
      return table(['TRACE', 'KIND', 'OF', 'BEGUN BY', 'BYTES', 'UNTIL', 'RUNNING'], rows);
    },
  );
}
