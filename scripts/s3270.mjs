#!/usr/bin/env node
// The command `s3270`, for scripts that look for it in PATH: `sallyport s3270`, by whatever link it is reached. What is built
// already is taken as it is, because they start it often.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here('../dist/runtime/main.js');
const isBuilt = existsSync(built);
// Node 22 and later; as in sallyport.mjs, whose build would be slow to load here
const isCheckout = existsSync(here('../src'));
if (isBuilt)
  module.enableCompileCache?.(isCheckout ? here('../dist/.compile-cache') : join(homedir(), '.cache', 'sallyport'));
process.argv.splice(2, 0, 's3270');
await import(isBuilt ? new URL('../dist/runtime/main.js', import.meta.url).href : './sallyport.mjs');
