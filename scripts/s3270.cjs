#!/usr/bin/env node
// `sallyport s3270` for scripts that look for `s3270` in PATH. They start it often, so it does not check the build.
const { existsSync } = require('node:fs');
const { builtProgram } = require('./kept-code.cjs');

if (existsSync(builtProgram('s3270'))) {
  const { runS3270 } = require('./run-s3270.cjs');
  runS3270(process.argv.slice(2));
} else {
  process.argv.splice(2, 0, 's3270');
  import('./sallyport.mjs');
}
