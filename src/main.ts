#!/usr/bin/env node
const [first, ...words] = process.argv.slice(2);
if (first === 's3270') {
  // its options are none of ours, and scripts that start it wait for its first answer
  const { runS3270Program } = await import('./cli/s3270/s3270-program.js');
  process.exitCode = await runS3270Program(words, () => import('./cli/s3270/s3270-sessions.js'));
} else {
  if (first === 'serve') {
    // before all else is loaded, which takes a while
    const { takeReloadSignals } = await import('./cli/serve/reload-on-signal.js');
    takeReloadSignals();
  }
  const { runCommandLine } = await import('./cli/command-line.js');
  process.exitCode = await runCommandLine(process.argv.slice(2));
}

export {};
