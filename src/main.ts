import type { StartSignals } from './cli/serve/signals.js';

/**
 * Runs the program `sallyport`; called by scripts/program.cjs.
 * @param words the arguments after its name
 * @param startSignals only for a server
 */
export async function runProgram(words: readonly string[], startSignals?: StartSignals): Promise<void> {
  const [first, ...further] = words;
  if (first === 's3270') {
    // it has its own options, and scripts that start it wait for its first answer
    const { runS3270Program } = await import('./s3270/program/s3270-program.js');
    process.exitCode = await runS3270Program(further, () => import('./s3270/program/s3270-sessions.js'));
    return;
  }
  if (startSignals !== undefined) {
    const { takeSignals } = await import('./cli/serve/signals.js');
    takeSignals(startSignals);
  }
  const { runCommandLine } = await import('./cli/command-line.js');
  process.exitCode = await runCommandLine(words);
}
