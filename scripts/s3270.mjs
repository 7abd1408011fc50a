#!/usr/bin/env node
// The command `s3270`, for scripts that look for it in PATH: `sallyport s3270`, by whatever link it is reached.
process.argv.splice(2, 0, 's3270');
await import('./sallyport.mjs');
