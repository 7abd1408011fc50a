import { counted } from '../check/print-diagnostics.js';
import { printableText } from '../printable-text.js';
import { type PlannedUpload, titleOf, type UploadProgress, type UploadReport } from './macro-upload-run.js';

const clearLine = '\r\u001b[K';
const NARROWEST_LINE = 20;

export interface Progress {
  readonly step: UploadProgress;
  /** Anything else that a person should know meanwhile. */
  readonly tell: (words: string) => void;
}

/** For the few uploads of one call: a line for each. */
export function printOutcomes(): Progress {
  return {
    step: (upload, reason) => {
      (reason === undefined ? process.stdout : process.stderr).write(`${outcomeOf(upload, reason)}\n`);
    },
    tell,
  };
}

/** For many: a line on standard error, rewritten where that is a terminal. A report follows. */
export function showProgress(total: number): Progress {
  const { stderr } = process;
  let done = 0;
  const words: UploadProgress = (upload, reason) => {
    done++;
    stderr.write(`${done}/${total} ${outcomeOf(upload, reason)}\n`);
  };
  if (!stderr.isTTY) return { step: words, tell };
  return {
    step: (upload) => {
      done++;
      const line = printableText(`${done}/${total} ${titleOf(upload)}`);
      // what does not fit into the line could not be rewritten
      stderr.write(`${clearLine}${line.slice(0, Math.max(NARROWEST_LINE, stderr.columns - 1))}`);
      if (done === total) stderr.write(clearLine);
    },
    tell: (said) => {
      stderr.write(clearLine);
      tell(said);
    },
  };
}

/** What became of a run, its failures last, where they are still on the screen. */
export function printReport({ uploaded, failed, stopped, notTried }: UploadReport, output: string | undefined): void {
  if (process.stderr.isTTY) process.stderr.write(clearLine);
  const rest = notTried === 0 ? '' : `, ${notTried} not tried`;
  const counts = `${uploaded} uploaded, ${failed.length} failed${rest}`;
  const said = output === undefined ? '' : `. What was said stands in ${printableText(output)}`;
  process.stdout.write(`Upload ended: ${counts}${said}\n`);
  if (failed.length === 0) return;
  process.stderr.write(`${counted(failed.length, 'failure')}${stopped ? ', the last of which ended the run' : ''}:\n`);
  for (const { upload, reason } of failed)
    process.stderr.write(`  ${printableText(`${titleOf(upload)}: ${reason}`)}\n`);
}

function outcomeOf(upload: PlannedUpload, reason: string | undefined): string {
  return printableText(`${titleOf(upload)}: ${reason === undefined ? 'uploaded' : `failed: ${reason}`}`);
}

function tell(words: string): void {
  process.stderr.write(`${printableText(words)}\n`);
}
