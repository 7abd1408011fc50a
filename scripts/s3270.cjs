#!/usr/bin/env node
// The command `s3270`, for scripts that look for it in PATH: `sallyport s3270`, by whatever link it is reached. Scripts start it often:
// it is taken as it is built.
const { existsSync } = require('node:fs');
const { builtProgram } = require('./kept-code.cjs');

if (existsSync(builtProgram('s3270'))) {
  const { runS3270 } = require('./run-s3270.cjs');
  runS3270(process.argv.slice(2));
} else {
  process.argv.splice(2, 0, 's3270');
  import('./sallyport.mjs');
}
