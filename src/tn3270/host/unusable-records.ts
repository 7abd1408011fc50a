import type { DataStreamFault } from '../datastream/data-stream-handler.js';
import { programChecks } from '../datastream/program-checks.js';

/** What is wrong with what the host sent, before anybody looks at its data. */
export const unusableRecords = {
  tooLong: (what: string): DataStreamFault => ({
    sense: 'commandReject',
    programCheck: programChecks.order,
    reason: `a ${what} that is too long`,
    offset: 0,
  }),
  short: {
    sense: 'commandReject',
    programCheck: programChecks.command,
    reason: 'a record shorter than the TN3270E header',
    offset: 0,
  },
} as const;
