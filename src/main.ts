/**
 * What `sallyport` does, begun by scripts/program.cjs.
 * @param words the arguments after its name
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  const [first, ...further] = words;
  if (first === 's3270') {
    // its options are none of ours, and scripts that start it wait for its first answer
    const { runS3270Program } = await import('./cli/s3270/s3270-program.js');
    process.exitCode = await runS3270Program(further, () => import('./cli/s3270/s3270-sessions.js'));
    return;
  }
  if (first === 'serve') {
    // before all else is loaded, which takes a while
    const { takeReloadSignals } = await import('./cli/serve/reload-on-signal.js');
    takeReloadSignals();
    const { takeRestartSignals } = await import('./cli/serve/restart-on-signal.js');
    takeRestartSignals();
  }
  const { runCommandLine } = await import('./cli/command-line.js');
  process.exitCode = await runCommandLine(words);
}
