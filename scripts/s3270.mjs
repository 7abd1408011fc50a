#!/usr/bin/env node
// The command `s3270`, for scripts that look for it in PATH: `sallyport s3270`, by whatever link it is reached. What is built
// already is taken as it is, because they start it often.
import { existsSync } from 'node:fs';

const built = new URL('../dist/runtime/main.js', import.meta.url);
process.argv.splice(2, 0, 's3270');
await import(existsSync(built) ? built.href : './sallyport.mjs');
