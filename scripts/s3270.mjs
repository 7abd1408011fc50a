#!/usr/bin/env node
// The command `s3270`, for scripts that look for it in PATH: `sallyport s3270`, by whatever link it is reached. Scripts start it often:
// it is taken as it is built.
import { existsSync } from 'node:fs';
import { builtProgram } from './kept-code.mjs';

if (existsSync(builtProgram('s3270'))) {
  const { runS3270 } = await import('./run-s3270.mjs');
  await runS3270(process.argv.slice(2));
} else {
  process.argv.splice(2, 0, 's3270');
  await import('./sallyport.mjs');
}
